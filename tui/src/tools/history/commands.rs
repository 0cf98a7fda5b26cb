//! What one can do with the calls that were made before.

use super::acting::{is_open, no_call, no_calls, no_pair};
use super::compare::CompareScreen;
use super::{HistoryScreen, open};
use crate::app::command::{ANYWHERE, Command, Context};
use crate::tools::answer::{ANSWER, AnswerScreen};

pub(crate) static HISTORY: Context = Context::list("History of calls");
pub(crate) static COMPARE: Context = Context::list("What differs between two results");

/// The commands of the history, and those that lead there from the tools.
pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        &HISTORY,
        "history.open",
        "Look at the selected call",
        &["enter"],
        |state, out| state.act::<HistoryScreen>(out, |screen, _| screen.open()),
    )
    .hint("look")
    .unless(is_open),
    Command::new(
        &HISTORY,
        "history.again",
        "Make the call again; what writes is shown first",
        &["a"],
        |state, out| state.act::<HistoryScreen>(out, |screen, cx| screen.fill_in(cx, true)),
    )
    .hint("again")
    .unless(no_call),
    Command::new(
        &HISTORY,
        "history.edit",
        "Fill in the form as it was for this call",
        &["e"],
        |state, out| state.act::<HistoryScreen>(out, |screen, cx| screen.fill_in(cx, false)),
    )
    .hint("edit")
    .unless(no_call),
    Command::new(
        &HISTORY,
        "history.mark",
        "Mark the call, to compare another one with it",
        &["space"],
        |state, out| state.act::<HistoryScreen>(out, |screen, _| screen.mark()),
    )
    .hint("mark")
    .unless(no_call),
    Command::new(
        &HISTORY,
        "history.compare",
        "Compare the result of the selected call with that of the marked one",
        &["c"],
        |state, out| state.act::<HistoryScreen>(out, HistoryScreen::compare),
    )
    .hint("compare")
    .unless(no_pair),
    Command::new(
        &HISTORY,
        "history.copy",
        "Copy what is kept of the call as JSON",
        &["y"],
        |state, out| state.act::<HistoryScreen>(out, HistoryScreen::copy),
    )
    .unless(no_call),
    Command::new(
        &HISTORY,
        "history.delete",
        "Take the selected call out of the history",
        &["d"],
        |state, out| state.act::<HistoryScreen>(out, HistoryScreen::ask_to_delete),
    )
    .danger()
    .unless(no_call),
    Command::new(
        &HISTORY,
        "history.clear",
        "Clear the history",
        &["D"],
        |state, out| state.act::<HistoryScreen>(out, HistoryScreen::ask_to_clear),
    )
    .danger()
    .unless(no_calls),
    Command::new(
        &COMPARE,
        "compare.copy",
        "Copy the differences",
        &["y"],
        |state, out| {
            state.act::<CompareScreen>(out, |screen, cx| {
                screen.copy(cx);
            });
        },
    )
    .hint("copy"),
    Command::new(
        &crate::tools::TOOLS,
        "tools.history",
        "Calls that were made before",
        &["ctrl-t"],
        |state, out| open(&mut state.cx(out)),
    )
    .hint("history"),
    Command::new(
        &ANSWER,
        "answer.compare",
        "Compare it with the previous result of this call",
        &["="],
        |state, out| {
            state.act::<AnswerScreen>(out, |screen, cx| {
                let screen = CompareScreen::with_previous(screen.call());
                cx.open(screen);
            });
        },
    ),
];

/// What one can do everywhere.
pub(crate) const EVERYWHERE: &[Command] = &[Command::new(
    &ANYWHERE,
    "app.history",
    "History: the calls of tools that were made before",
    &[],
    |state, out| open(&mut state.cx(out)),
)];
