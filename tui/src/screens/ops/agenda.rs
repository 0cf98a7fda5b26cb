//! The agenda: its items open the records that they are about.

use frontdesk_protocol::Host;
use frontdesk_protocol::ops::agenda::AgendaKind;
use serde_json::json;

use crate::fields::cell::Cell;
use crate::fields::key::Key;
use crate::look::time;
use crate::record_screens::open_record;
use crate::records::columns::Column;
use crate::records::kind::{self, Kind};
use crate::records::record::Record;
use crate::records::view::View;

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("title", "Title"),
        Column::field("day", "Day"),
        STARTS,
        Column::field("kind", "Kind"),
        Column::field("context", "Context"),
        Column::field("status", "Status"),
    ],
    open: Some(|cx, item, at| {
        if let Some((kind, record)) = record_of(item) {
            open_record(cx, kind, &record, at);
        }
    }),
    ..View::new(Host::Ops, "agenda items")
};

/// The time beside the day; with its own day if the reader's zone has another one.
const STARTS: Column = Column::own(
    "Starts",
    |item, shared| {
        let Some(at) = item.time("starts_at") else {
            return Cell::new("");
        };
        let is_beside = item.day("day") == Some(at.to_zoned(shared.locale.zone.clone()).date());
        Cell::new(match is_beside {
            true => time::clock(at, &shared.locale),
            false => time::moment(at, shared.now, &shared.locale),
        })
    },
    |item, _| Key::time(item.time("starts_at")),
);

/// The record that an item is about, with the fields that the item shows.
fn record_of(item: &Record) -> Option<(&'static Kind, Record)> {
    let (host, list, name) = match AgendaKind::from_name(item.text("kind")?)? {
        AgendaKind::Event => (Host::Events, "events", "name"),
        AgendaKind::Session => (Host::Events, "sessions", "title"),
        AgendaKind::Meeting => (Host::Work, "meetings", "title"),
        AgendaKind::Task => (Host::Work, "tasks", "name"),
        AgendaKind::Tender => (Host::Proposals, "tenders", "title"),
        AgendaKind::Invoice => (Host::Staff, "invoices", "name"),
    };
    let record = json!({
        "id": item.id(), (name): item.text("title"), "start_time": item.text("starts_at"),
        "end_time": item.text("ends_at"), "meeting_date": item.text("starts_at"),
    });
    Some((kind::inside(host, list)?, Record::new(&record)?))
}
