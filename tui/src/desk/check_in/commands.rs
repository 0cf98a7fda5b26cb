//! The commands of the check-in desk.

use frontdesk_protocol::Roles;

use super::CheckIn;
use super::attention::Attention;
use crate::app::input::command::{Context, commands};
use crate::app::screen::Screen;
use crate::app::state::State;
use crate::desk::start::leave;
use crate::look::text::clean;
use crate::ui::prompt::Prompt;

pub(crate) static CHECK_IN: Context = Context::screen("Check-in desk");

commands! {
    /// The commands of the desk.
    pub(crate) const COMMANDS;

    CHECK_IN: "guest.check_in", ["enter", "tab", "ctrl-j"],
        "Check in the selected guest or the scanned code", act CheckIn::check_in, at_lock, writes,
        hint("check in"),
        unless(|state| {
            let desk = state.shows::<CheckIn>()?;
            let can = desk.selected.is_some() || !desk.search.text().trim().is_empty();
            (!can).then(|| "type a name or scan a code first".to_owned())
        });
    CHECK_IN: "guest.check_in_next", ["ctrl-f"],
        "Check in the selected guest, keep the text, and select the next one",
        act CheckIn::check_in_next, at_lock, writes,
        unless(|state| match state.shows::<CheckIn>()?.selected {
            Some(_) => None,
            None => Some("no guest is selected".to_owned()),
        });
    CHECK_IN: "guest.admit", ["ctrl-d"], "Let the guest in who was turned away, for a reason",
        act |desk: &mut CheckIn, cx| {
            let Some(name) = desk.ask_to_admit(cx.shared) else { return };
            let body = format!("{} was turned away. The reason is kept.", clean(&name));
            cx.raise(Prompt::new("Why do you let this guest in?", body, |state, out, reason| {
                if reason.is_empty() {
                    return Err("a reason is required".to_owned());
                }
                state.act::<CheckIn>(out, |desk, cx| desk.admit(cx, reason));
                Ok(())
            }));
        }, writes, unless(|state| {
            let desk = state.shows::<CheckIn>()?;
            match desk.turned_away(&state.shared) {
                Some(_) if !state.shared.may_pass() => {
                    Some("your role cannot let in whom the rules keep out".to_owned())
                }
                Some(_) => None,
                None => Some("nobody was turned away".to_owned()),
            }
        });
    CHECK_IN: "guest.undo", ["ctrl-u"], "Undo a check-in", act CheckIn::undo, at_lock, writes,
        hint("undo"), unless(nothing_to_undo);
    CHECK_IN: "guest.out", ["f3", "alt-o"],
        "Let the selected guest out, or the last one; they may come in again", act CheckIn::let_out,
        at_lock, writes, hint("out"),
        hinted_if(|state| {
            let desk = state.shows::<CheckIn>();
            desk.is_some_and(|desk| state.shared.has_entrance(desk.event))
        }), unless(|state| {
            let desk = state.shows::<CheckIn>()?;
            desk.why_none_leaves(&state.shared).map(str::to_owned)
        });
    CHECK_IN: "guest.add", ["ctrl-a", "f6"], "Add a guest who is not on the list, and check in",
        act CheckIn::add, writes, hint("add"), hinted_if(may_add),
        unless(|state| (!may_add(state)).then(|| "your role may not add guests".to_owned()));
    CHECK_IN: "guest.attention", ["ctrl-t"], "Show the check-ins that need attention",
        act |desk: &mut CheckIn, cx| {
            let concerns = cx.shared.door().concerns(desk.event);
            let list = Attention::new(desk.event, concerns);
            cx.raise(list);
        }, unless(|state| {
            let desk = state.shows::<CheckIn>()?;
            let is_empty = state.shared.door().concerns(desk.event).next().is_none();
            is_empty.then(|| "nothing needs attention".to_owned())
        });
    CHECK_IN: "guest.open", ["ctrl-g"], "Show the selected guest", act CheckIn::open_guest,
        unless(|state| {
            let desk = state.shows::<CheckIn>()?;
            let is_there = desk.meant(&state.shared).is_some();
            (!is_there).then(|| "no guest is selected, and none was checked in".to_owned())
        });
    CHECK_IN: "guest.badge", ["ctrl-b", "f7"],
        "Print the badge of the selected guest, or of the last one; without a printer, to a PDF",
        act CheckIn::print_badge, at_lock,
        unless(|state| {
            let desk = state.shows::<CheckIn>()?;
            let is_there = desk.meant(&state.shared).is_some();
            (!is_there).then(|| "no guest is selected, and none was checked in".to_owned())
        });
    CHECK_IN: "guest.clear", ["esc"], "Clear the text", act CheckIn::clear_text, at_lock,
        over("app.back"), unless(nothing_to_clear);
    // Esc is often hit by reflex; a name typed after it would run commands of the screen below.
    CHECK_IN: "guest.leave", ["ctrl-q", "f10"], "Leave the desk", run leave, at_lock, hint("leave");
    CHECK_IN: "guest.next", ["down", "ctrl-n"], "Next guest",
        act |desk: &mut CheckIn, cx| desk.step(cx, 1), at_lock;
    CHECK_IN: "guest.previous", ["up", "ctrl-p"], "Previous guest",
        act |desk: &mut CheckIn, cx| desk.step(cx, -1), at_lock;
    CHECK_IN: "guest.page_down", ["pgdn"], "Next page of guests",
        act |desk: &mut CheckIn, cx| desk.step(cx, cx.shared.page()), at_lock;
    CHECK_IN: "guest.page_up", ["pgup"], "Previous page of guests",
        act |desk: &mut CheckIn, cx| desk.step(cx, -cx.shared.page()), at_lock;
}

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
