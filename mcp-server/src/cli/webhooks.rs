//! The webhook options and the command `frontdesk-server webhooks`.

use std::io::{self, Write};

use clap::{Args, Subcommand};
use frontdesk_server::clock::Clock;
use frontdesk_server::control;
use frontdesk_server::webhooks::{
    Entry, MessageId, Outbox, Secret, SecretError, SettingsError, WebhookSettings,
};

use super::{CliResult, DatabaseArgs, invalid};

const URL: &str = "--webhook-url";
const SECRET: &str = "--webhook-secret";

/// The `--webhook` options.
#[derive(Debug, Args)]
pub(super) struct Options {
    /// Send every new meeting and dispatch to this https:// address; without it the events stay in the outbox.
    #[arg(
        long,
        env = "FRONTDESK_WEBHOOK_URL",
        hide_env_values = true,
        value_name = "URL"
    )]
    webhook_url: Option<String>,
    /// Secret to sign events with: `whsec_` and 24 to 64 bytes in base64. Can be repeated while receivers change
    /// their secret.
    #[arg(
        long,
        env = "FRONTDESK_WEBHOOK_SECRET",
        hide_env_values = true,
        value_name = "SECRET",
        value_delimiter = ','
    )]
    webhook_secret: Vec<String>,
    /// Also allow a receiver on a private network or with http://.
    #[arg(long, env = "FRONTDESK_WEBHOOK_ALLOW_PRIVATE")]
    webhook_allow_private: bool,
}

impl Options {
    /// The settings, or `None` without a receiver. Exits if they are invalid.
    pub(super) fn settings(&self) -> Option<WebhookSettings> {
        let secrets = self.webhook_secret.iter().map(|secret| {
            let secret = secret.trim().parse();
            secret.unwrap_or_else(|error: SecretError| invalid(SECRET, &error))
        });
        let secrets: Vec<Secret> = secrets.collect();
        // Not parsed by clap, whose errors would show the values with their tokens.
        let url = self.webhook_url.as_ref()?;
        let url = url
            .parse()
            .unwrap_or_else(|error: url::ParseError| invalid(URL, &error));
        let settings = WebhookSettings::new(url, secrets, self.webhook_allow_private);
        Some(settings.unwrap_or_else(|error| match error {
            SettingsError::NoSecret => invalid(SECRET, &error),
            _ => invalid(URL, &error),
        }))
    }
}

/// Commands for webhook events.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List events, newest first.
    List(List),
    /// Send events again, with the same ids. The running server sends them, or the next one started.
    Replay(Replay),
}

#[derive(Debug, Args)]
pub(super) struct List {
    #[command(flatten)]
    database: DatabaseArgs,
    /// Only undelivered events (the default).
    #[arg(long, conflicts_with = "all")]
    undelivered: bool,
    /// Also delivered events.
    #[arg(long)]
    all: bool,
    /// Maximum number of events.
    #[arg(long, default_value_t = 50, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    limit: u32,
}

#[derive(Debug, Args)]
pub(super) struct Replay {
    #[command(flatten)]
    database: DatabaseArgs,
    /// Ids of the events, as shown by `list`; delivered events are also sent again.
    #[arg(value_name = "ID", required_unless_present = "all_failed")]
    ids: Vec<MessageId>,
    /// All events whose delivery was given up.
    #[arg(long, conflicts_with = "ids")]
    all_failed: bool,
}

impl Command {
    pub(super) async fn run(self) -> CliResult {
        match self {
            Command::List(list) => list.run().await,
            Command::Replay(replay) => replay.run().await,
        }
    }
}

impl List {
    async fn run(self) -> CliResult {
        let database = control::reach(&self.database.location()?).await?;
        let outbox = Outbox::new(database.clone(), Clock::system());
        let (entries, has_more) = outbox.entries(self.all, self.limit).await?;
        database.close().await?;
        table(&mut io::stdout().lock(), &entries)?;
        if has_more {
            writeln!(
                io::stderr(),
                "there are more than {}; --limit shows them",
                self.limit
            )?;
        }
        Ok(())
    }
}

impl Replay {
    async fn run(self) -> CliResult {
        let database = control::reach(&self.database.location()?).await?;
        let outbox = Outbox::new(database.clone(), Clock::system());
        let count = if self.all_failed {
            outbox.replay_failed().await?
        } else {
            outbox.replay(&self.ids).await?
        };
        database.close().await?;
        let events = if count == 1 { "event" } else { "events" };
        writeln!(io::stdout(), "{count} {events} will be sent again")?;
        Ok(())
    }
}

/// Prints one line per event. The error is the last column because it can be long.
fn table(out: &mut dyn Write, entries: &[Entry]) -> io::Result<()> {
    if entries.is_empty() {
        return writeln!(out, "no events");
    }
    writeln!(
        out,
        "{:<40}  {:<16}  {:<36}  {:<20}  {:>8}  {:<11}  {:<20}  ERROR",
        "ID", "TYPE", "SUBJECT", "CREATED", "ATTEMPTS", "STATE", "NEXT"
    )?;
    for entry in entries {
        let next = entry.next_attempt_at.map(|at| format!("{at:.0}"));
        let line = format!(
            "{:<40}  {:<16}  {:<36}  {:<20}  {:>8}  {:<11}  {:<20}  {}",
            entry.id.to_string(),
            entry.kind,
            entry.subject,
            format!("{:.0}", entry.created_at),
            entry.attempts,
            entry.state,
            next.as_deref().unwrap_or("-"),
            entry.last_error.as_deref().unwrap_or("-"),
        );
        writeln!(out, "{line}")?;
    }
    Ok(())
}
