//! Guests of an event: their list, and one of them.

mod add;
mod one;

use frontdesk_client::CallError;
use frontdesk_protocol::events::guest::{Guest, ListEventGuests};
use frontdesk_protocol::id::EventId;
use frontdesk_protocol::record::List;
use frontdesk_protocol::value::{Limit, Line, Offset};
use uuid::Uuid;

pub(crate) use add::{Added, form as add_form};
pub(crate) use one::{COMMANDS, GuestScreen};

use crate::app::effect::{Answer, ToolCall};
use crate::app::shared::Shared;
use crate::screens::listing::{Key, Listed};
use crate::ui::mark::Mark;
use crate::ui::table::{Column, Row};
use crate::ui::time::moment;

impl Listed for Guest {
    type Scope = EventId;
    const NAMES: (&'static str, &'static str) = ("guest", "guests");

    fn id(&self) -> Uuid {
        self.id.0
    }

    fn text(&self) -> &str {
        &self.name
    }

    fn columns() -> Vec<Column> {
        vec![
            Column::fixed("State", 18),
            Column::share("Name", 3),
            Column::share("Role", 1),
            Column::share("E-mail", 2),
            Column::fixed("Member", 6),
        ]
    }

    fn column_names() -> &'static [&'static str] {
        &["arrival", "name", "role", "e-mail", "membership"]
    }

    fn row(&self, shared: &Shared) -> Row {
        let theme = &shared.theme;
        let row = match self.check_in_at {
            Some(at) => {
                let at = moment(at, shared.now, &shared.zone);
                Row::new().styled(format!("{} in {at}", Mark::Good.glyph()), theme.good)
            }
            None => Row::new().styled("○ not yet", theme.dim),
        };
        row.cell(self.name.clone())
            .cell(self.role.clone().unwrap_or_default())
            .cell(self.email.clone().unwrap_or_default())
            .cell(if self.member_id.is_some() { "yes" } else { "" })
    }

    fn key(&self, column: usize) -> Key<'_> {
        match column {
            0 => Key::Time(self.check_in_at),
            1 => Key::folded(&self.name),
            2 => Key::Text(self.role.as_deref()),
            3 => Key::Text(self.email.as_deref()),
            _ => Key::Number(self.member_id.is_some().into()),
        }
    }

    fn ask(event: EventId, search: Option<Line>, limit: Limit, offset: Offset) -> ToolCall {
        ToolCall::of(&ListEventGuests {
            event_id: event,
            search,
            role: None,
            member_id: None,
            limit,
            offset,
        })
    }

    fn take(answer: &Answer) -> Option<Result<List<Self>, CallError>> {
        answer.of::<ListEventGuests>()
    }
}

/// What is known of a guest beyond the row, line by line.
pub(crate) fn details(guest: &Guest) -> Vec<(&'static str, String)> {
    let tags: Vec<String> = guest
        .tags
        .iter()
        .map(|(key, value)| format!("{key}: {value}"))
        .collect();
    vec![
        ("Telephone", guest.phone_number.clone().unwrap_or_default()),
        ("Tags", tags.join(", ")),
    ]
}
