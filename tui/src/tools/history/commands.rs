//! The commands of the history.

use super::acting::{is_open, no_call, no_calls, no_pair};
use super::compare::{COMPARE, CompareScreen};
use super::{HistoryScreen, open};
use crate::answer::{ANSWER, AnswerScreen};
use crate::app::input::command::{ANYWHERE, Command, Context};

pub(crate) static HISTORY: Context = Context::list("History of calls");

/// The commands of the history, and those of other screens that open it.
pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        &HISTORY,
        "history.open",
        "Show the selected call",
        &["enter"],
        |state, out| state.act::<HistoryScreen>(out, |screen, _| screen.open()),
    )
    .hint("look")
    .unless(is_open),
    Command::new(
        &HISTORY,
        "history.again",
        "Repeat the call; a write shows its form first",
        &["a"],
        |state, out| state.act::<HistoryScreen>(out, |screen, cx| screen.fill_in(cx, true)),
    )
    .hint("again")
    .unless(no_call),
    Command::new(
        &HISTORY,
        "history.edit",
        "Open the form with the arguments of this call",
        &["e"],
        |state, out| state.act::<HistoryScreen>(out, |screen, cx| screen.fill_in(cx, false)),
    )
    .hint("edit")
    .unless(no_call),
    Command::new(
        &HISTORY,
        "history.mark",
        "Mark the call for a comparison",
        &["space"],
        |state, out| state.act::<HistoryScreen>(out, |screen, _| screen.mark()),
    )
    .hint("mark")
    .unless(no_call),
    Command::new(
        &HISTORY,
        "history.compare",
        "Compare the results of the selected and the marked call",
        &["c"],
        |state, out| state.act::<HistoryScreen>(out, HistoryScreen::compare),
    )
    .hint("compare")
    .unless(no_pair),
    Command::new(
        &HISTORY,
        "history.copy",
        "Copy the recorded call as JSON",
        &["y"],
        |state, out| state.act::<HistoryScreen>(out, HistoryScreen::copy),
    )
    .unless(no_call),
    Command::new(
        &HISTORY,
        "history.delete",
        "Delete the selected call from the history",
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
        "Earlier calls of this tool",
        &["ctrl-t"],
        |state, out| open(&mut state.cx(out)),
    )
    .hint("history"),
    Command::new(
        &ANSWER,
        "answer.compare",
        "Compare with the previous result of this call",
        &["="],
        |state, out| {
            state.act::<AnswerScreen>(out, |screen, cx| {
                let screen = CompareScreen::with_previous(screen.call());
                cx.open(screen);
            });
        },
    ),
];

/// Commands available everywhere.
pub(crate) const EVERYWHERE: &[Command] = &[Command::new(
    &ANYWHERE,
    "app.history",
    "History: earlier calls of tools",
    &[],
    |state, out| open(&mut state.cx(out)),
)];
