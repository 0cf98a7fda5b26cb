//! The commands of the check-in desk.

use frontdesk_protocol::{Role, Roles};

use super::CheckIn;
use super::attention::Attention;
use crate::app::input::command::{Command, Context};
use crate::app::screen::Screen;
use crate::app::state::State;
use crate::desk::start::leave;
use crate::ui::prompt::Prompt;

pub(crate) static CHECK_IN: Context = Context::screen("Check-in desk");

/// The commands of the desk.
pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        &CHECK_IN,
        "guest.check_in",
        "Check in the selected guest or the scanned code",
        &["enter", "tab", "ctrl-j"],
        |state, out| state.act::<CheckIn>(out, CheckIn::check_in),
    )
    .at_lock()
    .writes()
    .hint("check in")
    .unless(|state| {
        let desk = state.shows::<CheckIn>()?;
        let can = desk.selected.is_some() || !desk.search.text().trim().is_empty();
        (!can).then(|| "type a name or scan a code first".to_owned())
    }),
    Command::new(
        &CHECK_IN,
        "guest.check_in_next",
        "Check in the selected guest, keep the text, and select the next one",
        &["ctrl-f"],
        |state, out| state.act::<CheckIn>(out, CheckIn::check_in_next),
    )
    .at_lock()
    .writes()
    .unless(|state| match state.shows::<CheckIn>()?.selected {
        Some(_) => None,
        None => Some("no guest is selected".to_owned()),
    }),
    Command::new(
        &CHECK_IN,
        "guest.admit",
        "Let the guest in who was turned away, for a reason",
        &["ctrl-d"],
        |state, out| {
            let title = "Let this guest in?";
            let body = "The reason is kept.";
            state
                .cx(out)
                .raise(Prompt::new(title, body, |state, out, reason| {
                    if reason.is_empty() {
                        return Err("a reason is required".to_owned());
                    }
                    state.act::<CheckIn>(out, |desk, cx| desk.admit(cx, reason));
                    Ok(())
                }));
        },
    )
    .at_lock()
    .writes()
    .unless(|state| {
        let desk = state.shows::<CheckIn>()?;
        let role = state.shared.account().and_then(|account| account.role);
        match desk.turned_away(&state.shared) {
            // The host lets teachers change nothing but the check-in.
            Some(_) if role == Some(Role::Teacher) => {
                Some("teachers cannot let in whom the rules keep out".to_owned())
            }
            Some(_) => None,
            None => Some("nobody was turned away".to_owned()),
        }
    }),
    Command::new(
        &CHECK_IN,
        "guest.undo",
        "Undo a check-in",
        &["ctrl-u"],
        |state, out| state.act::<CheckIn>(out, CheckIn::undo),
    )
    .at_lock()
    .writes()
    .hint("undo")
    .unless(nothing_to_undo),
    Command::new(
        &CHECK_IN,
        "guest.out",
        "Let the selected guest out, or the last one; they may come in again",
        &["f3", "alt-o"],
        |state, out| state.act::<CheckIn>(out, CheckIn::let_out),
    )
    .at_lock()
    .writes()
    .hint("out")
    .hinted_if(|state| {
        let desk = state.shows::<CheckIn>();
        desk.is_some_and(|desk| state.shared.has_entrance(desk.event))
    })
    .unless(|state| {
        let desk = state.shows::<CheckIn>()?;
        desk.why_none_leaves(&state.shared).map(str::to_owned)
    }),
    Command::new(
        &CHECK_IN,
        "guest.add",
        "Add a guest who is not on the list, and check in",
        &["ctrl-a", "f6"],
        |state, out| state.act::<CheckIn>(out, CheckIn::add),
    )
    .writes()
    .hint("add")
    .hinted_if(may_add)
    .unless(|state| (!may_add(state)).then(|| "your role may not add guests".to_owned())),
    Command::new(
        &CHECK_IN,
        "guest.attention",
        "Show the check-ins that need attention",
        &["ctrl-t"],
        |state, out| {
            state.act::<CheckIn>(out, |desk, cx| {
                let concerns = cx.shared.door().concerns(desk.event);
                let list = Attention::new(desk.event, concerns);
                cx.raise(list);
            });
        },
    )
    .unless(|state| {
        let desk = state.shows::<CheckIn>()?;
        let is_empty = state.shared.door().concerns(desk.event).next().is_none();
        is_empty.then(|| "nothing needs attention".to_owned())
    }),
    Command::new(
        &CHECK_IN,
        "guest.open",
        "Show the selected guest",
        &["ctrl-g"],
        |state, out| state.act::<CheckIn>(out, CheckIn::open_guest),
    )
    .unless(|state| {
        let desk = state.shows::<CheckIn>()?;
        let is_there = desk.meant(&state.shared).is_some();
        (!is_there).then(|| "no guest is selected, and none was checked in".to_owned())
    }),
    Command::new(
        &CHECK_IN,
        "guest.badge",
        "Print the badge of the selected guest, or of the last one; without a printer, to a PDF",
        &["ctrl-b", "f7"],
        |state, out| state.act::<CheckIn>(out, CheckIn::print_badge),
    )
    .at_lock()
    .unless(|state| {
        let desk = state.shows::<CheckIn>()?;
        let is_there = desk.meant(&state.shared).is_some();
        (!is_there).then(|| "no guest is selected, and none was checked in".to_owned())
    }),
    Command::new(
        &CHECK_IN,
        "guest.clear",
        "Clear the text",
        &["esc"],
        |state, out| state.act::<CheckIn>(out, CheckIn::clear_text),
    )
    .at_lock()
    .over("app.back")
    .unless(nothing_to_clear),
    // Esc is often hit by reflex; a name typed after it would run commands of the screen below.
    Command::new(
        &CHECK_IN,
        "guest.leave",
        "Leave the desk",
        &["ctrl-q", "f10"],
        leave,
    )
    .at_lock()
    .hint("leave"),
    Command::new(
        &CHECK_IN,
        "guest.next",
        "Next guest",
        &["down", "ctrl-n"],
        |state, out| state.act::<CheckIn>(out, |desk, cx| desk.step(cx, 1)),
    )
    .at_lock(),
    Command::new(
        &CHECK_IN,
        "guest.previous",
        "Previous guest",
        &["up", "ctrl-p"],
        |state, out| state.act::<CheckIn>(out, |desk, cx| desk.step(cx, -1)),
    )
    .at_lock(),
    Command::new(
        &CHECK_IN,
        "guest.page_down",
        "Next page of guests",
        &["pgdn"],
        |state, out| state.act::<CheckIn>(out, |desk, cx| desk.step(cx, cx.shared.page())),
    )
    .at_lock(),
    Command::new(
        &CHECK_IN,
        "guest.page_up",
        "Previous page of guests",
        &["pgup"],
        |state, out| state.act::<CheckIn>(out, |desk, cx| desk.step(cx, -cx.shared.page())),
    )
    .at_lock(),
];

fn may_add(state: &State) -> bool {
    let account = state.shared.account();
    let role = account.and_then(|account| account.role);
    role.is_none_or(|role| Roles::DESK.contains(role))
}

fn nothing_to_undo(state: &State) -> Option<String> {
    let desk = state.shows::<CheckIn>()?;
    let can = !desk.search.is_empty()
        || desk.can_undo_of_another(&state.shared)
        || state.shared.door().undoable(desk.event).is_some();
    (!can).then(|| "none at this desk yet".to_owned())
}

fn nothing_to_clear(state: &State) -> Option<String> {
    let desk = state.shows::<CheckIn>()?;
    let has_answer = desk.question.is_some() || desk.banner.ends_with_text(&state.shared);
    let can = !desk.search.is_empty() || desk.selected.is_some() || has_answer;
    let key = || state.shared.settings.keymap.key("guest.leave");
    (!can).then(|| match key().as_str() {
        "" => "the box is empty".to_owned(),
        key => format!("the box is empty; {key} leaves the desk"),
    })
}
