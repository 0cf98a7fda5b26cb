//! Photos of an event, as far as a terminal shows them: captions and addresses.

use frontdesk_client::CallError;
use frontdesk_protocol::events::photo::{ListEventPhotos, Photo};
use frontdesk_protocol::id::EventId;
use frontdesk_protocol::record::List;
use frontdesk_protocol::value::{Limit, Line, Offset};
use uuid::Uuid;

use crate::app::effect::{Answer, ToolCall};
use crate::app::shared::Shared;
use crate::screens::listing::{Key, Listed};
use crate::ui::table::{Column, Row};

impl Listed for Photo {
    type Scope = EventId;
    const NAMES: (&'static str, &'static str) = ("photo", "photos");
    const IS_SEARCHED: bool = false;

    fn id(&self) -> Uuid {
        self.id.0
    }

    fn text(&self) -> &str {
        self.caption.as_deref().unwrap_or_default()
    }

    fn columns() -> Vec<Column> {
        vec![
            Column::share("Caption", 2),
            Column::share("Address", 3),
            Column::fixed("Tagged", 6).right(),
        ]
    }

    fn column_names() -> &'static [&'static str] {
        &["caption", "address", "tags"]
    }

    fn row(&self, _: &Shared) -> Row {
        Row::new()
            .cell(self.caption.clone().unwrap_or_default())
            .cell(self.url.clone())
            .cell(self.member_ids.len().to_string())
    }

    fn key(&self, column: usize) -> Key<'_> {
        match column {
            0 => Key::Text(self.caption.as_deref()),
            1 => Key::Text(Some(&self.url)),
            _ => Key::Number(self.member_ids.len()),
        }
    }

    fn ask(event: EventId, _: Option<Line>, limit: Limit, offset: Offset) -> ToolCall {
        ToolCall::of(&ListEventPhotos {
            event_id: event,
            limit,
            offset,
        })
    }

    fn take(answer: &Answer) -> Option<Result<List<Self>, CallError>> {
        answer.of::<ListEventPhotos>()
    }
}

/// What is known of a photo beyond its row, line by line.
pub(crate) fn details(photo: &Photo) -> Vec<(&'static str, String)> {
    vec![("Address", photo.url.clone())]
}
