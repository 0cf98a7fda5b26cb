//! What one can do with the calls that were made before.

use super::acting::{is_open, no_call, no_calls, no_pair};
use super::compare::CompareScreen;
use super::{HistoryScreen, open};
use crate::app::cx::{Cx, Out};
use crate::app::state::State;
use crate::commands::{Command, Context};
use crate::screens::Screen;

/// The commands of the history, and those that lead there from the tools.
pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        Context::History,
        "history.open",
        "Look at the selected call",
        &["enter"],
        |state, out| on(state, out, |screen, _| screen.open()),
    )
    .hint("look")
    .unless(is_open),
    Command::new(
        Context::History,
        "history.again",
        "Make the call again; what writes is shown first",
        &["a"],
        |state, out| on(state, out, |screen, cx| screen.fill_in(cx, true)),
    )
    .hint("again")
    .unless(no_call),
    Command::new(
        Context::History,
        "history.edit",
        "Fill in the form as it was for this call",
        &["e"],
        |state, out| on(state, out, |screen, cx| screen.fill_in(cx, false)),
    )
    .hint("edit")
    .unless(no_call),
    Command::new(
        Context::History,
        "history.mark",
        "Mark the call, to compare another one with it",
        &["space"],
        |state, out| on(state, out, |screen, _| screen.mark()),
    )
    .hint("mark")
    .unless(no_call),
    Command::new(
        Context::History,
        "history.compare",
        "Compare the result of the selected call with that of the marked one",
        &["c"],
        |state, out| on(state, out, HistoryScreen::compare),
    )
    .hint("compare")
    .unless(no_pair),
    Command::new(
        Context::History,
        "history.copy",
        "Copy what is kept of the call as JSON",
        &["y"],
        |state, out| on(state, out, HistoryScreen::copy),
    )
    .unless(no_call),
    Command::new(
        Context::History,
        "history.delete",
        "Take the selected call out of the history",
        &["d"],
        |state, out| on(state, out, HistoryScreen::ask_to_delete),
    )
    .danger()
    .unless(no_call),
    Command::new(
        Context::History,
        "history.clear",
        "Clear the history",
        &["D"],
        |state, out| on(state, out, HistoryScreen::ask_to_clear),
    )
    .danger()
    .unless(no_calls),
    Command::new(
        Context::Compare,
        "compare.copy",
        "Copy the differences",
        &["y"],
        |state, out| {
            state.on_screen(out, |screen, cx| {
                if let Screen::Compare(screen) = screen {
                    screen.copy(cx);
                }
            });
        },
    )
    .hint("copy"),
    Command::new(
        Context::Tools,
        "tools.history",
        "Calls that were made before",
        &["ctrl-t"],
        |state, out| open(&mut state.cx(out)),
    )
    .hint("history"),
    Command::new(
        Context::Answer,
        "answer.compare",
        "Compare it with the previous result of this call",
        &["="],
        |state, out| {
            state.on_screen(out, |screen, cx| {
                if let Screen::Answer(screen) = screen {
                    let screen = CompareScreen::with_previous(screen.call());
                    cx.open(Screen::Compare(Box::new(screen)));
                }
            });
        },
    ),
];

/// What one can do everywhere.
pub(crate) const EVERYWHERE: &[Command] = &[Command::new(
    Context::Anywhere,
    "app.history",
    "History: the calls of tools that were made before",
    &[],
    |state, out| open(&mut state.cx(out)),
)];

/// Lets the history act.
pub(super) fn on(state: &mut State, out: &mut Out, act: impl FnOnce(&mut HistoryScreen, &mut Cx)) {
    state.on_screen(out, |screen, cx| {
        if let Screen::History(screen) = screen {
            act(screen, cx);
        }
    });
}
