//! Sessions of an event.

use frontdesk_client::CallError;
use frontdesk_protocol::events::session::{ListEventSessions, Session};
use frontdesk_protocol::id::EventId;
use frontdesk_protocol::record::List;
use frontdesk_protocol::value::{Limit, Line, Offset};
use uuid::Uuid;

use crate::app::effect::{Answer, ToolCall};
use crate::app::shared::Shared;
use crate::screens::listing::{Key, Listed};
use crate::ui::table::{Column, Row};
use crate::ui::time::span;

impl Listed for Session {
    type Scope = EventId;
    const NAMES: (&'static str, &'static str) = ("session", "sessions");

    fn id(&self) -> Uuid {
        self.id.0
    }

    fn text(&self) -> &str {
        &self.title
    }

    fn columns() -> Vec<Column> {
        vec![
            Column::share("Session", 3),
            Column::share("When", 2),
            Column::share("Where", 2),
            Column::fixed("Guests", 6).right(),
        ]
    }

    fn column_names() -> &'static [&'static str] {
        &["title", "time", "place", "guests"]
    }

    fn row(&self, shared: &Shared) -> Row {
        Row::new()
            .cell(self.title.clone())
            .cell(span(
                self.start_time,
                self.end_time,
                shared.now,
                &shared.zone,
            ))
            .cell(self.location.clone().unwrap_or_default())
            .cell(self.guest_ids.len().to_string())
    }

    fn key(&self, column: usize) -> Key<'_> {
        match column {
            0 => Key::Text(Some(&self.title)),
            1 => Key::Time(self.start_time),
            2 => Key::Text(self.location.as_deref()),
            _ => Key::Number(self.guest_ids.len()),
        }
    }

    fn ask(event: EventId, search: Option<Line>, limit: Limit, offset: Offset) -> ToolCall {
        ToolCall::of(&ListEventSessions {
            event_id: event,
            search,
            limit,
            offset,
        })
    }

    fn take(answer: &Answer) -> Option<Result<List<Self>, CallError>> {
        answer.of::<ListEventSessions>()
    }
}

/// What a session is about, line by line.
pub(crate) fn details(session: &Session) -> Vec<(&'static str, String)> {
    vec![("About", session.description.clone().unwrap_or_default())]
}
