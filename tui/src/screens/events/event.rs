//! Events: their time and attendance, and the command for the check-in desk.

use frontdesk_protocol::events::event::Event;
use frontdesk_protocol::{Host, Role};
use ratatui::text::{Line, Span};

use super::arrivals::Arrivals;
use crate::app::input::command::{Context, commands};
use crate::app::shared::Shared;
use crate::app::state::State;
use crate::desk::check_in::CheckIn;
use crate::fields::cell::Cell;
use crate::fields::key::Key;
use crate::look::text::fit;
use crate::look::time::{is_today, span};
use crate::record_screens::{self, ShowsRecords};
use crate::records::columns::Column;
use crate::records::contexts::RECORDS;
use crate::records::record::Record;
use crate::records::view::View;
use crate::ui::gauge;

/// The context of events, in a list or single.
static EVENT: Context = Context::above("Events", &RECORDS);

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("name", "Event"),
        Column::own(
            "When",
            |event, shared| Cell::new(when(event, shared)),
            |event, _| Key::time(event.time("start_at")),
        ),
        Column::own("Guests", guests, |event, _| {
            Key::number(event.number("guest_count"))
        }),
        Column::field("location", "Where"),
    ],
    facts: &[
        ("When", |event, shared| Cell::new(when(event, shared))),
        ("Guests", guests),
    ],
    covered: &[
        "updated_at",
        "start_at",
        "end_at",
        "guest_count",
        "checked_in_count",
        "recent_arrivals",
    ],
    tabs: &["guests", "sessions", "tasks", "expenses", "photos"],
    head: Some(head),
    is_past: Some(|event, shared| {
        let (start, end) = (event.time("start_at"), event.time("end_at"));
        end.or(start).is_some_and(|end| end < shared.now)
            && !is_today(start, end, shared.now, &shared.locale)
    }),
    list: &EVENT,
    record: &EVENT,
    ..View::new(Host::Events, "events")
};

commands! {
    /// Commands in addition to those of the tools.
    pub(crate) const COMMANDS;

    EVENT: "event.desk", ["c"], "Open the check-in desk of the event, or of the selected place",
        run |state, out| {
            record_screens::act(state, out, |screen, cx| {
                if let Some(event) = event(screen) {
                    let desk = CheckIn::new(event, screen.as_of().unwrap_or(cx.now()));
                    let place = screen.current().filter(|(kind, _)| kind.id == "place");
                    let place = place.and_then(|(_, record)| record.text("name"));
                    cx.open(match place {
                        Some(name) => desk.at_place(name),
                        None => desk,
                    });
                }
            });
        }, hint("check-in desk"), hinted_if(|state| !is_guest(&state.shared)),
        unless(|state: &State| match event(record_screens::shown(state)?) {
            Some(_) => None,
            None => Some("no event is selected".to_owned()),
        });
}

commands! {
    /// The command for the arrivals.
    pub(crate) const ARRIVALS;

    EVENT: "event.arrivals", ["v"], "Arrivals by quarter of an hour, gate and role",
        run |state, out| {
            record_screens::act(state, out, |screen, cx| {
                if let Some(event) = event(screen) {
                    cx.open(Arrivals::of(&event));
                }
            });
        }, unless(|state: &State| match event(record_screens::shown(state)?) {
            _ if is_guest(&state.shared) => Some("guests do not see who came".to_owned()),
            Some(_) => None,
            None => Some("no event is selected".to_owned()),
        });
}

/// The selected event, or the one of the screen.
fn event(screen: &dyn ShowsRecords) -> Option<Event> {
    let (kind, record) = screen.about().or_else(|| screen.current())?;
    (kind.id == "event").then(|| record.decode()).flatten()
}

fn when(event: &Record, shared: &Shared) -> String {
    let (start, end) = (event.time("start_at"), event.time("end_at"));
    span(start, end, shared.now, &shared.locale)
}

fn guests(event: &Record, shared: &Shared) -> Cell {
    Cell::new(attendance(event, 8, shared))
}

/// How many guests are checked in, with a bar of this width. Those who only see themselves among
/// the guests read about themselves.
pub(crate) fn attendance(event: &Record, bar: usize, shared: &Shared) -> String {
    let number = |field: &str| event.number(field).unwrap_or_default() as u64;
    match (number("checked_in_count"), number("guest_count")) {
        (_, 0) if is_guest(shared) => String::new(),
        (0, _) if is_guest(shared) => "you are invited".to_owned(),
        (_, _) if is_guest(shared) => "✓ you are checked in".to_owned(),
        (_, 0) => "no guests".to_owned(),
        (here, all) if bar == 0 => format!("{here} of {all}"),
        (here, all) => {
            // Long numbers take room from the bar.
            let words = format!("{here} of {all}");
            let room = (bar + ROOM).saturating_sub(words.len()).min(bar);
            format!("{} {words}", gauge::bar(room, here, all))
        }
    }
}

/// The length of numbers that leave the bar its width.
const ROOM: usize = 12;

/// Whether the account sees no guests but itself.
fn is_guest(shared: &Shared) -> bool {
    shared.account().is_some_and(|account| {
        account.level < 80 && matches!(account.role, None | Some(Role::Fellow))
    })
}

fn head(event: &Record, shared: &Shared, width: usize) -> Line<'static> {
    let number = |field: &str| event.number(field).unwrap_or_default() as u64;
    let (here, all) = (number("checked_in_count"), number("guest_count"));
    let mut line = match is_guest(shared) {
        true => Line::from(attendance(event, 0, shared)),
        false => gauge::line(&shared.settings.theme, width / 4, here, all),
    };
    let place = event.text("location").map(|place| format!(" · {place}"));
    let words = format!("  {}{}", when(event, shared), place.unwrap_or_default());
    let room = width.saturating_sub(line.width());
    line.push_span(Span::styled(fit(&words, room), shared.settings.theme.dim));
    line
}
