//! `badges`: a PDF with the badges of an event's guests.

use std::path::PathBuf;

use clap::Args;
use frontdesk::badges::{Paper, pdf};
use frontdesk::plain;
use frontdesk_client::Client;
use frontdesk_protocol::events::event::{GetEvent, ListEvents};
use frontdesk_protocol::events::guest::{Guest, ListEventGuests};
use frontdesk_protocol::id::EventId;
use frontdesk_protocol::value::{Limit, Line, Offset};

use super::options::Options;
use super::{Failure, say};

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
}

impl Badges {
    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
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
            Failure::File("the badges", std::io::Error::other(error.to_string()))
        })?;
        std::fs::write(&self.output, pdf).map_err(|error| Failure::File("the badges", error))?;
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
        let unknown = || Failure::Usage(format!("no event is named “{}”", self.event));
        if let Ok(id) = self.event.parse() {
            let event = client.call(&GetEvent { id }).await?.0.ok_or_else(unknown)?;
            let event = serde_json::to_value(event).unwrap_or_default();
            return Ok((id, event["name"].as_str().unwrap_or_default().to_owned()));
        }
        let search = Line::new(self.event.as_str()).map_err(Failure::Usage)?;
        let found = client
            .call(&ListEvents {
                search: Some(search),
                strategy_business_unit_id: None,
                limit: Limit::new(100).unwrap_or_default(),
                offset: Offset::default(),
            })
            .await?;
        let found = found.items.into_iter().map(|event| (event.id, event.name));
        let is_named = |name: &str| name.to_lowercase() == self.event.to_lowercase();
        let (named, others): (Vec<_>, Vec<_>) = found.partition(|(_, name)| is_named(name));
        let mut events = match named.is_empty() {
            true => others,
            false => named,
        };
        match (events.pop(), events.len()) {
            (Some(event), 0) => Ok(event),
            (None, _) => Err(unknown()),
            (Some(_), others) => Err(Failure::Usage(format!(
                "{} events match “{}”; give the id",
                others + 1,
                self.event
            ))),
        }
    }

    /// All guests of the event, by name.
    async fn guests(&self, client: &Client, event: EventId) -> Result<Vec<Guest>, Failure> {
        let role = self.role.as_deref().map(Line::new).transpose();
        let role = role.map_err(Failure::Usage)?;
        let mut guests = Vec::new();
        loop {
            let offset = u32::try_from(guests.len()).unwrap_or(u32::MAX);
            let page = client
                .call(&ListEventGuests {
                    event_id: event,
                    search: None,
                    role: role.clone(),
                    member_id: None,
                    limit: Limit::new(100).unwrap_or_default(),
                    offset: Offset::new(offset),
                })
                .await?;
            let is_end = !page.has_more || page.items.is_empty();
            guests.extend(page.items);
            if is_end {
                return Ok(guests);
            }
        }
    }
}
