//! The agenda: its items open the records that they are about.

use frontdesk_protocol::Host;
use frontdesk_protocol::ops::agenda::AgendaKind;
use serde_json::json;

use crate::record_screens::open_record;
use crate::records::columns::Column;
use crate::records::kind;
use crate::records::record::Record;
use crate::records::view::View;

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("title", "Title"),
        Column::field("day", "Day"),
        Column::field("starts_at", "Starts"),
        Column::field("kind", "Kind"),
        Column::field("context", "Context"),
        Column::field("status", "Status"),
    ],
    open: Some(|cx, item, at| {
        let Some((kind, name)) = item.text("kind").and_then(kind_of) else {
            return;
        };
        let record = json!({ "id": item.id(), (name): item.text("title").unwrap_or_default() });
        if let Some(record) = Record::new(&record) {
            open_record(cx, kind, &record, at);
        }
    }),
    ..View::new(Host::Ops, "agenda")
};

/// The kind of record that an item is about, and the field with its name.
fn kind_of(word: &str) -> Option<(&'static kind::Kind, &'static str)> {
    let (host, singular, name) = match AgendaKind::from_name(word)? {
        AgendaKind::Event => (Host::Events, "event", "name"),
        AgendaKind::Session => (Host::Events, "session", "title"),
        AgendaKind::Meeting => (Host::Work, "meeting", "title"),
        AgendaKind::Task => (Host::Work, "work_task", "name"),
        AgendaKind::Tender => (Host::Proposals, "tender", "title"),
        AgendaKind::Invoice => (Host::Staff, "invoice", "name"),
    };
    Some((kind::find(host, singular)?, name))
}
