//! `changes`: the history of changes, kept by the hosts.

use std::io::IsTerminal;
use std::str::FromStr;

use clap::Args;
use frontdesk::formats::{Format, Paper, Reader, WriteError, change_rows};
use frontdesk_client::{CallError, Client};
use frontdesk_protocol::ToolError;
use frontdesk_protocol::id::{ChangeId, PlatformAccountId, RecordId};
use frontdesk_protocol::ops::account::ListAccounts;
use frontdesk_protocol::ops::change::{Change, ChangeSummary, GetChange, ListChanges};
use frontdesk_protocol::value::{Limit, Line, Name, Offset};
use frontdesk_protocol::wire::Wire;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, Zoned};
use serde_json::{Value, json};

use super::options::Options;
use super::{Failure, completions, terminal_width};

/// Lists the changes at the hosts, latest first, or shows one with its rows before and after.
#[derive(Debug, Args)]
pub(super) struct Changes {
    /// The id of a change.
    #[arg(value_name = "CHANGE", value_parser = id::<ChangeId>, conflicts_with_all = ["tool", "record", "by", "since"])]
    change: Option<ChangeId>,
    /// Only changes by this tool.
    #[arg(long, value_name = "TOOL", add = completions::all_tools())]
    tool: Option<String>,
    /// Only changes of the record with this id.
    #[arg(long, value_name = "ID", value_parser = id::<RecordId>)]
    record: Option<RecordId>,
    /// Only changes by this account: its id, e-mail address or name, or `me`.
    #[arg(long, value_name = "ACCOUNT")]
    by: Option<String>,
    /// Only changes since this date or time, or within this duration: `2026-11-23`, `2h`.
    #[arg(long, value_name = "WHEN", value_parser = since)]
    since: Option<Timestamp>,
    /// Number of changes.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=100))]
    limit: u32,
    /// Output format [default: table]
    #[arg(long, short, value_enum)]
    output: Option<Format>,
}

impl Changes {
    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        let client = options.client(options.store()?)?;
        let usual = match options.json() {
            true => Format::Json,
            false => Format::Table,
        };
        let format = self.output.unwrap_or(usual);
        let shown = match self.change {
            Some(change_id) => {
                let found = client.call(&GetChange { change_id }).await?.0;
                let missing = || CallError::Tool(ToolError::not_found("change"));
                let change = found.ok_or_else(missing)?;
                match format {
                    Format::Json => json!({ "change": change }),
                    _ => one(&change),
                }
            }
            None => {
                let changes = client.call(&self.asked(&client).await?).await?;
                match format {
                    Format::Json => changes.write(),
                    _ => {
                        let rows: Vec<Value> = changes.items.iter().map(row).collect();
                        json!({ "changes": rows })
                    }
                }
            }
        };
        let stdout = std::io::stdout();
        let reader = match stdout.is_terminal() {
            true => Reader::Terminal(terminal_width()),
            false => Reader::Program,
        };
        let written = Paper::new(format, reader, stdout).whole(&shown);
        written.map_err(|error| match error {
            WriteError::Io(error) => Failure::file("stdout", error),
            WriteError::NoList => Failure::Usage(error.to_string()),
        })
    }

    async fn asked(&self, client: &Client) -> Result<ListChanges, Failure> {
        let wrong = |error: String| Failure::Usage(format!("--tool: {error}"));
        let tool = self.tool.as_deref().map(Name::new).transpose();
        let account_id = match &self.by {
            Some(by) => Some(account(client, by).await?),
            None => None,
        };
        Ok(ListChanges {
            kind: None,
            record_id: self.record,
            tool: tool.map_err(wrong)?,
            account_id,
            from: self.since,
            to: None,
            limit: Limit::new(self.limit).unwrap_or_default(),
            offset: Offset::default(),
        })
    }
}

/// The account with this id, e-mail address or name.
async fn account(client: &Client, by: &str) -> Result<PlatformAccountId, Failure> {
    if by == "me" {
        return Ok(PlatformAccountId(client.account().await?.id.0));
    }
    if let Ok(id) = by.parse() {
        return Ok(id);
    }
    let search = Line::new(by).map_err(|error| Failure::Usage(format!("--by: {error}")))?;
    let asked = ListAccounts {
        role: None,
        search: Some(search),
        limit: Limit::default(),
        offset: Offset::default(),
    };
    let found = client.call(&asked).await?.items;
    let named = |text: &str| text.eq_ignore_ascii_case(by);
    let exact = found
        .iter()
        .find(|one| one.email.as_deref().is_some_and(named) || named(&one.name));
    match (exact, found.as_slice()) {
        (Some(account), _) | (None, [account]) => Ok(account.id),
        (None, []) => Err(Failure::Usage(format!("--by: no account matches `{by}`"))),
        (None, several) => {
            let names: Vec<&str> = several.iter().map(|one| one.name.as_str()).collect();
            let names = names.join(", ");
            Err(Failure::Usage(format!(
                "--by: `{by}` matches {names}; give one of them"
            )))
        }
    }
}

/// An id as hosts list it.
fn id<T: FromStr>(text: &str) -> Result<T, String> {
    let wrong = "must be an id, such as 0198c0de-0000-7000-8000-000000000001; `frontdesk changes` lists them last";
    text.parse().map_err(|_| wrong.to_owned())
}

/// A date, a time, or a duration before now.
fn since(text: &str) -> Result<Timestamp, String> {
    since_at(text, &Zoned::now())
}

fn since_at(text: &str, now: &Zoned) -> Result<Timestamp, String> {
    let wrong =
        || "must be a date, a time with its zone, or a duration such as 2h or 3 days".to_owned();
    if let Ok(at) = text.parse::<Timestamp>() {
        return Ok(at);
    }
    if let Ok(date) = text.parse::<jiff::civil::Date>() {
        let midnight = date
            .to_zoned(now.time_zone().clone())
            .map_err(|_| wrong())?;
        return Ok(midnight.timestamp());
    }
    let span: Span = text.parse().map_err(|_| wrong())?;
    let before = now.checked_sub(span.abs()).map_err(|_| wrong())?;
    Ok(before.timestamp())
}

/// A change as a row for people.
fn row(change: &ChangeSummary) -> Value {
    let state = match (change.undone_by.is_some(), change.undoes.is_some()) {
        (true, _) => "undone",
        (false, true) => "undo",
        (false, false) if change.can_undo => "can be undone",
        (false, false) => "",
    };
    json!({
        "created_at": local(change.created_at),
        "by": change.account_name,
        "tool": format!("{} {}", change.host, change.tool),
        "change": change.summary,
        "state": state,
        "id": change.id,
    })
}

fn one(change: &Change) -> Value {
    let mut shown = change_rows(&change.changes);
    if let Some(shown) = shown.as_object_mut() {
        shown.remove("digest");
        for (field, value) in [
            ("change", json!(change.summary)),
            ("created_at", json!(local(change.created_at))),
            ("by", json!(change.by())),
            ("tool", json!(format!("{} {}", change.host, change.tool))),
            ("arguments", json!(change.arguments)),
            ("client", json!(change.client)),
            ("undone_by", json!(change.undone_by)),
            ("undoes", json!(change.undoes)),
            ("obstacle", json!(change.obstacle)),
        ] {
            if !value.is_null() {
                shown.insert(field.to_owned(), value);
            }
        }
    }
    shown
}

fn local(at: Timestamp) -> String {
    let local = at.to_zoned(TimeZone::system());
    local.strftime("%Y-%m-%d %H:%M:%S").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_date_a_moment_or_a_duration() {
        let now: Zoned = "2026-11-23T12:00:00+00:00[UTC]".parse().expect("a time");
        let since = |text| since_at(text, &now).map(|at| at.to_string());
        assert_eq!(since("2026-11-20"), Ok("2026-11-20T00:00:00Z".to_owned()));
        assert_eq!(since("2h"), Ok("2026-11-23T10:00:00Z".to_owned()));
        assert_eq!(since("3 days"), Ok("2026-11-20T12:00:00Z".to_owned()));
        assert_eq!(
            since("2026-11-20T08:30:00Z"),
            Ok("2026-11-20T08:30:00Z".to_owned())
        );
        assert!(since("yesterday").is_err());
    }
}
