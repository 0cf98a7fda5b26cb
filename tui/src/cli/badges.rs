//! `badges`: a PDF with the badges of an event's guests.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use clap::Args;
use frontdesk::badges::{Paper, pdf};
use frontdesk::files;
use frontdesk::import::put_ids;
use frontdesk::plain;
use frontdesk_client::{CallError, Client, Pages};
use frontdesk_protocol::events::event::GetEvent;
use frontdesk_protocol::events::guest::{Guest, ListEventGuests};
use frontdesk_protocol::id::EventId;
use frontdesk_protocol::{Host, Tool};
use serde_json::{Map, json};

use super::options::Options;
use super::{Failure, callee, say};

/// Writes a PDF with a badge for each guest: name, role, and the code that the desk scans.
#[derive(Debug, Args)]
pub(super) struct Badges {
    /// The event: its name or id.
    #[arg(value_name = "EVENT")]
    event: String,
    /// Only guests with this role.
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,
    /// A page for each badge (A7), instead of eight on a sheet of A4.
    #[arg(long)]
    single: bool,
    /// The file.
    #[arg(long, short, value_name = "FILE.pdf", default_value = "badges.pdf")]
    output: PathBuf,
    /// Replace the file if it exists.
    #[arg(long)]
    overwrite: bool,
}

impl Badges {
    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        files::check(&self.output, self.overwrite)
            .map_err(|error| Failure::Usage(format!("{}: {error}", self.output.display())))?;
        let client = options.client(options.store()?)?;
        let (event, name) = self.event(&client).await?;
        let guests = self.guests(&client, event).await?;
        if guests.is_empty() {
            return Err(Failure::Usage(format!("{name} has no matching guests")));
        }
        let paper = match self.single {
            true => Paper::A7,
            false => Paper::A4,
        };
        let pdf = pdf(&name, &guests, paper);
        let pdf = pdf.map_err(|error| {
            Failure::file("the badges", std::io::Error::other(error.to_string()))
        })?;
        let written = files::write(&self.output, &pdf, self.overwrite);
        written.map_err(|error| Failure::at(&self.output, error))?;
        let badges = match guests.len() {
            1 => "1 badge".to_owned(),
            badges => format!("{badges} badges"),
        };
        say(&plain(&format!(
            "{badges} of {name} in {}",
            self.output.display()
        )))
    }

    /// The id and name of the event with this name or id.
    async fn event(&self, client: &Client) -> Result<(EventId, String), Failure> {
        let mut arguments = Map::from_iter([("id".to_owned(), self.event.as_str().into())]);
        let named = put_ids(client, Host::Events, GetEvent::NAME, &mut arguments).await?;
        named.map_err(|error| Failure::Usage(error.trim_start_matches("id: ").to_owned()))?;
        let id = serde_json::from_value(arguments["id"].take());
        let id = id.map_err(|_| Failure::Usage(format!("no event is named “{}”", self.event)))?;
        let event = client.call(&GetEvent { id }).await?.0;
        let event = event.ok_or_else(|| Failure::Usage("no event has this id".to_owned()))?;
        Ok((id, event.event.name.to_string()))
    }

    /// All guests of the event, by name.
    async fn guests(&self, client: &Client, event: EventId) -> Result<Vec<Guest>, Failure> {
        let mut arguments = json!({ "event_id": event, "limit": 100 });
        if let Some(role) = &self.role {
            arguments["role"] = role.as_str().into();
        }
        let arguments = arguments.as_object().cloned().unwrap_or_default();
        let tool = ListEventGuests::NAME;
        let mut pages = Pages::new(client.clone(), Host::Events, tool, arguments);
        let mut guests = Vec::new();
        while let Some(mut page) = pages.next(callee::waiting).await? {
            let read = serde_json::from_value::<Vec<Guest>>(page["guests"].take());
            let read = read.map_err(|error| CallError::Protocol(error.to_string()))?;
            guests.extend(read);
            if std::io::stderr().is_terminal() {
                let _ = write!(std::io::stderr(), "\r{} guests read", guests.len());
            }
        }
        Ok(guests)
    }
}
