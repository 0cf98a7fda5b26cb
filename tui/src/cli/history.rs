//! `history`: the calls made in the app by the signed-in account.

use clap::{Args, Subcommand};
use frontdesk::plain;
use frontdesk_client::history::{CallOutcome, History, RecordedCall};
use frontdesk_client::paths;
use frontdesk_protocol::id::UserId;
use jiff::tz::TimeZone;
use serde_json::Value;

use super::options::Options;
use super::{Failure, say, say_json};

/// Lists or clears the history.
#[derive(Debug, Args)]
pub(super) struct Calls {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Delete the recorded calls; this cannot be undone.
    Clear(Clear),
}

#[derive(Debug, Args)]
struct Clear {
    /// Delete those of all accounts on this machine.
    #[arg(long)]
    everybody: bool,
}

impl Calls {
    pub(super) fn run(&self, options: &Options) -> Result<(), Failure> {
        let directory = paths::history_directory(&options.data_directory()?);
        let history = History::new(directory, options.config()?.history.keep);
        let failed = |error| Failure::file("the history", error);
        match &self.what {
            Some(What::Clear(Clear { everybody: true })) => {
                history.clear_everybodys().map_err(failed)
            }
            Some(What::Clear(_)) => history.clear(account(options)?).map_err(failed),
            None => {
                let entries = history.entries(account(options)?).map_err(failed)?;
                list(&entries, options.json())
            }
        }
    }
}

fn list(entries: &[RecordedCall], is_json: bool) -> Result<(), Failure> {
    if is_json {
        let entries = serde_json::to_value(entries);
        return say_json(&entries.map_err(|error| Failure::file("the history", error.into()))?);
    }
    let zone = TimeZone::system();
    for entry in entries {
        let at = entry
            .at
            .to_zoned(zone.clone())
            .strftime("%Y-%m-%d %H:%M:%S");
        let arguments = Value::Object(entry.arguments.clone());
        let line = format!(
            "{at}  {:>6} ms  {:<12} {} {} {arguments}",
            entry.took_ms,
            ended(entry),
            entry.peer,
            entry.tool
        );
        say(&plain(&line))?;
    }
    Ok(())
}

fn ended(entry: &RecordedCall) -> &str {
    match &entry.outcome {
        CallOutcome::Done => "done",
        CallOutcome::Refused { code, .. } => code,
        CallOutcome::Failed { .. } => "failed",
        CallOutcome::NotKnown { .. } => "not_known",
        CallOutcome::Cancelled => "cancelled",
    }
}

/// The signed-in account, if there is one.
fn account(options: &Options) -> Result<Option<UserId>, Failure> {
    let credentials = options.store()?.load();
    let credentials = credentials.map_err(|error| Failure::file("the credentials", error))?;
    Ok(credentials
        .and_then(|credentials| credentials.account)
        .map(|account| account.id))
}
