//! Events: their list, one of them, and the form that changes one.

mod edit;
mod list;
mod one;

pub(crate) use edit::form as edit_form;
pub(crate) use list::{COMMANDS as LIST_COMMANDS, Events};
pub(crate) use one::{COMMANDS, EventScreen};

use frontdesk_client::CallError;
use frontdesk_protocol::events::event::{Event, ListEvents};
use frontdesk_protocol::record::List;
use frontdesk_protocol::value::{Limit, Line, Offset};
use uuid::Uuid;

use crate::app::effect::{Answer, ToolCall};
use crate::app::shared::Shared;
use crate::screens::listing::{Key, Listed};
use crate::ui::gauge;
use crate::ui::table::{Column, Row};
use crate::ui::time::{is_today, span};

impl Listed for Event {
    type Scope = ();
    const NAMES: (&'static str, &'static str) = ("event", "events");

    fn id(&self) -> Uuid {
        self.id.0
    }

    fn text(&self) -> &str {
        &self.name
    }

    fn columns() -> Vec<Column> {
        vec![
            Column::share("Event", 3),
            Column::fixed("When", 28),
            Column::share("Where", 2).only_from(100),
            Column::fixed("Guests", 20),
        ]
    }

    fn column_names() -> &'static [&'static str] {
        &["name", "time", "place", "guests"]
    }

    fn row(&self, shared: &Shared) -> Row {
        let (here, guests) = (
            u64::from(self.checked_in_count),
            u64::from(self.guest_count),
        );
        let is_over = self
            .end_at
            .or(self.start_at)
            .is_some_and(|end| end < shared.now)
            && !is_today(self.start_at, self.end_at, shared.now, &shared.zone);
        let row = Row::new()
            .cell(self.name.clone())
            .cell(span(self.start_at, self.end_at, shared.now, &shared.zone))
            .cell(self.location.clone().unwrap_or_default())
            .cell(match guests {
                0 => "no guests".to_owned(),
                _ => format!("{} {here} of {guests}", gauge::bar(8, here, guests)),
            });
        match is_over {
            true => row.style(shared.theme.dim),
            false => row,
        }
    }

    fn key(&self, column: usize) -> Key<'_> {
        match column {
            0 => Key::folded(&self.name),
            1 => Key::Time(self.start_at),
            2 => Key::Text(self.location.as_deref()),
            _ => Key::Number(self.guest_count as usize),
        }
    }

    fn ask((): (), search: Option<Line>, limit: Limit, offset: Offset) -> ToolCall {
        ToolCall::of(&ListEvents {
            search,
            strategy_business_unit_id: None,
            limit,
            offset,
        })
    }

    fn take(answer: &Answer) -> Option<Result<List<Self>, CallError>> {
        answer.of::<ListEvents>()
    }
}
