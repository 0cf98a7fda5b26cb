//! Guests of an event: their state, and check-in as at the desk.

mod add;

use frontdesk_client::ADDED_BY_MISTAKE;
use frontdesk_protocol::Host;
use frontdesk_protocol::door::{Alert, alert, guest_of};
use frontdesk_protocol::events::guest::Guest;
use jiff::Timestamp;

pub(crate) use add::{Known, form as add_form};

use crate::app::cx::Cx;
use crate::app::input::command::{Context, commands};
use crate::app::shared::Shared;
use crate::app::state::State;
use crate::desk::door::{self, Arrival, Attempt};
use crate::fields::cell::Cell;
use crate::fields::key::Key;
use crate::look::mark::Mark;
use crate::look::text::clean;
use crate::look::time::moment;
use crate::record_screens::{self, RecordScreen, ShowsRecords};
use crate::records::columns::Column;
use crate::records::contexts::RECORDS;
use crate::records::record::Record;
use crate::records::view::View;
use crate::ui::confirm::Confirm;

static GUEST: Context = Context::above("One guest", &RECORDS);

pub(crate) static VIEW: View = View {
    columns: &[
        Column::own("State", state, |guest, _| {
            Key::time(guest.time("check_in_at"))
        }),
        Column::field("name", "Name"),
        Column::field("role", "Role"),
        Column::field("email", "E-mail"),
        Column::own(
            "Member",
            |guest, _| Cell::new(guest.text("member_id").map_or("", |_| "yes")),
            |guest, _| Key::Rank(usize::from(guest.text("member_id").is_some())),
        ),
    ],
    facts: &[("State", state), ("Guest of", host)],
    covered: &["check_in_at", "matched"],
    filters: &[
        ("checked in", |guest| guest.time("check_in_at").is_some()),
        ("not checked in", |guest| {
            guest.time("check_in_at").is_none()
        }),
    ],
    record: &GUEST,
    ..View::new(Host::Events, "guests")
};

commands! {
    /// Commands on a guest.
    pub(crate) const COMMANDS;

    GUEST: "guest.check_in_this", ["c"], "Check in this guest",
        run |state, out| {
            record_screens::act(state, out, |screen, cx| {
                if let Some(arrival) = arrival(screen) {
                    door::check_in(cx, arrival, None);
                }
            });
        }, writes, hint("check in"), unless(|state| {
            let guest = guest(record_screens::shown(state)?)?;
            match alert(&guest.tags) {
                _ if guest.check_in_at.is_some() => Some("already checked in".to_owned()),
                Some(Alert::Blocked(_)) => Some("blocked: the desk asks for a reason".to_owned()),
                _ => None,
            }
        });
    GUEST: "guest.undo_this", ["u", "ctrl-u"], "Undo the check-in of this guest",
        run |state, out| {
            record_screens::act(state, out, |screen, cx| {
                if let Some(guest) = guest(screen) {
                    door::undo_of(cx, &guest);
                }
            });
        }, writes, hint("undo"), unless(|state: &State| {
            let guest = guest(record_screens::shown(state)?)?;
            let attempt = state.shared.door().latest(guest.id);
            let can = guest.check_in_at.is_some() || attempt.is_some_and(Attempt::is_undoable);
            (!can).then(|| "this guest is not checked in".to_owned())
        });
    GUEST: "guest.mark_mistake", ["W"], "Mark as added by mistake, and undo the check-in",
        run |state, out| {
            let Some(guest) = record_screens::shown(state).and_then(guest) else {
                return;
            };
            let body = format!(
                "{} is no longer checked in, and leaves the list if you have added them and nobody has \
                 changed them. Otherwise the role becomes “{ADDED_BY_MISTAKE}”.",
                clean(&guest.name)
            );
            state.cx(out).raise(Confirm {
                title: "Mark as added by mistake?".to_owned(),
                body,
                then: |state, out| record_screens::act(state, out, mark_mistake),
            });
        }, writes, unless(|state| match door::is_mistake(&guest(record_screens::shown(state)?)?) {
            true => Some("already marked".to_owned()),
            false => None,
        });
}

/// The screen of a guest known to another screen.
pub(crate) fn screen(guest: &Guest, at: Timestamp, shared: &mut Shared) -> Option<RecordScreen> {
    RecordScreen::showing(Host::Events, "guest", guest, at, shared)
}

fn arrival(screen: &dyn ShowsRecords) -> Option<Arrival> {
    let guest = guest(screen)?;
    Some(Arrival::listed(guest.event_id, guest.id, &guest.name))
}

fn mark_mistake(screen: &mut dyn ShowsRecords, cx: &mut Cx) {
    if let Some(arrival) = arrival(screen) {
        door::mark_mistake(cx, arrival);
    }
}

fn guest(screen: &dyn ShowsRecords) -> Option<Guest> {
    screen.about()?.1.decode()
}

/// The name of the guest whom a plus-one accompanies, if it is known.
fn host(guest: &Record, shared: &Shared) -> Cell {
    let guest: Option<Guest> = guest.decode();
    let host = guest.and_then(|guest| guest_of(&guest.tags));
    let name = host.and_then(|id| shared.names.get(&id.to_string()));
    Cell::new(name.unwrap_or_default())
}

/// The state from the host and this desk.
fn state(guest: &Record, shared: &Shared) -> Cell {
    let attempt = guest
        .id()
        .parse()
        .ok()
        .and_then(|id| shared.door().latest(id));
    match (attempt, guest.time("check_in_at")) {
        (Some(attempt), _) if attempt.is_pending() => Cell::marked(Mark::Waiting, "not sent yet"),
        (_, Some(at)) => {
            let at = moment(at, shared.now, &shared.locale);
            Cell::marked(Mark::Good, &format!("in {at}"))
        }
        (_, None) => Cell::dim("○ not yet"),
    }
}
