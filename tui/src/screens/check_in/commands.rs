//! What one can do at the check-in desk.

use super::CheckIn;
use crate::app::cx::{Cx, Out};
use crate::app::state::State;
use crate::commands::{Command, Context};
use crate::screens::{Page, Screen};

/// The commands of the desk.
pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        Context::CheckIn,
        "guest.check_in",
        "Check in the selected guest or the scanned code",
        &["enter"],
        |state, out| on(state, out, CheckIn::check_in),
    )
    .writes()
    .hint("check in")
    .unless(|state| {
        let desk = desk(state)?;
        let can = desk.selected.is_some() || !desk.search.text().trim().is_empty();
        (!can).then(|| "type a name or scan a code first".to_owned())
    }),
    Command::new(
        Context::CheckIn,
        "guest.undo",
        "Undo the last check-in",
        &["ctrl-u"],
        |state, out| on(state, out, CheckIn::undo),
    )
    .writes()
    .hint("undo")
    .unless(nothing_to_undo),
    Command::new(
        Context::CheckIn,
        "guest.add",
        "Add a guest who is on no list, and check in",
        &["ctrl-a"],
        |state, out| on(state, out, CheckIn::add),
    )
    .writes()
    .hint("add"),
    Command::new(
        Context::CheckIn,
        "guest.open",
        "Look at the selected guest",
        &["ctrl-g"],
        |state, out| on(state, out, CheckIn::open_guest),
    )
    .unless(|state| match desk(state)?.selected {
        Some(_) => None,
        None => Some("no guest is selected".to_owned()),
    }),
    Command::new(
        Context::CheckIn,
        "guest.clear",
        "Clear the text",
        &["esc"],
        |state, out| on(state, out, CheckIn::clear_text),
    )
    .over("app.back")
    .unless(nothing_to_clear),
    // Esc is hit by reflex, and a name typed behind it would be commands on the screen below.
    Command::new(
        Context::CheckIn,
        "guest.leave",
        "Leave the desk",
        &["ctrl-q", "f10"],
        |state, out| on(state, out, |_, cx| cx.back()),
    )
    .hint("leave"),
    Command::new(
        Context::CheckIn,
        "guest.next",
        "Next guest",
        &["down", "ctrl-n"],
        |state, out| on(state, out, |desk, cx| desk.step(cx, 1)),
    ),
    Command::new(
        Context::CheckIn,
        "guest.previous",
        "Previous guest",
        &["up", "ctrl-p"],
        |state, out| on(state, out, |desk, cx| desk.step(cx, -1)),
    ),
    Command::new(
        Context::CheckIn,
        "guest.page_down",
        "A page of guests on",
        &["pgdn"],
        |state, out| on(state, out, |desk, cx| desk.step(cx, cx.shared.page())),
    ),
    Command::new(
        Context::CheckIn,
        "guest.page_up",
        "A page of guests back",
        &["pgup"],
        |state, out| on(state, out, |desk, cx| desk.step(cx, -cx.shared.page())),
    ),
];

fn on(state: &mut State, out: &mut Out, act: impl FnOnce(&mut CheckIn, &mut Cx)) {
    state.on_screen(out, |screen, cx| {
        if let Screen::CheckIn(desk) = screen {
            act(desk, cx);
        }
    });
}

fn desk(state: &State) -> Option<&CheckIn> {
    match state.screen() {
        Some(Screen::CheckIn(desk)) => Some(desk),
        _ => None,
    }
}

fn nothing_to_undo(state: &State) -> Option<String> {
    let desk = desk(state)?;
    let can = !desk.search.is_empty() || state.shared.door.undoable(desk.event).is_some();
    (!can).then(|| "there is none at this desk".to_owned())
}

fn nothing_to_clear(state: &State) -> Option<String> {
    let desk = desk(state)?;
    let can = !desk.search.is_empty() || desk.selected.is_some();
    let key = || state.shared.keymap.key("guest.leave");
    (!can).then(|| match key().as_str() {
        "" => "there is none".to_owned(),
        key => format!("there is none; {key} leaves the desk"),
    })
}
