//! The commands of the history.

use super::acting::{is_open, no_call, no_calls, no_pair};
use super::compare::{COMPARE, CompareScreen};
use super::{HistoryScreen, open};
use crate::answer::{ANSWER, AnswerScreen};
use crate::app::input::command::{ANYWHERE, Context, commands};

pub(crate) static HISTORY: Context = Context::list("History of calls");

commands! {
    /// The commands of the history, and those of other screens that open it.
    pub(crate) const COMMANDS;

    HISTORY: "history.open", ["enter"], "Show the selected call",
        act |screen: &mut HistoryScreen, _| screen.open(), hint("look"), unless(is_open);
    HISTORY: "history.again", ["a"], "Repeat the call; a write shows its form first",
        act |screen: &mut HistoryScreen, cx| screen.fill_in(cx, true), hint("again"),
        unless(no_call);
    HISTORY: "history.edit", ["e"], "Open the form with the arguments of this call",
        act |screen: &mut HistoryScreen, cx| screen.fill_in(cx, false), hint("edit"),
        unless(no_call);
    HISTORY: "history.mark", ["space"], "Mark the call for a comparison",
        act |screen: &mut HistoryScreen, _| screen.mark(), hint("mark"), unless(no_call);
    HISTORY: "history.compare", ["c"], "Compare the results of the selected and the marked call",
        act HistoryScreen::compare, hint("compare"), unless(no_pair);
    HISTORY: "history.copy", ["y"], "Copy the recorded call as JSON", act HistoryScreen::copy,
        unless(no_call);
    HISTORY: "history.delete", ["d"], "Delete the selected call from the history",
        act HistoryScreen::ask_to_delete, danger, unless(no_call);
    HISTORY: "history.clear", ["D"], "Clear the history", act HistoryScreen::ask_to_clear, danger,
        unless(no_calls);
    COMPARE: "compare.copy", ["y"], "Copy the differences",
        act |screen: &mut CompareScreen, cx| { screen.copy(cx); }, hint("copy");
    crate::tools::TOOLS: "tools.history", ["ctrl-t"], "Earlier calls of this tool",
        run |state, out| open(&mut state.cx(out)), hint("history");
    ANSWER: "answer.compare", ["="], "Compare with the previous result of this call",
        act |screen: &mut AnswerScreen, cx| {
            let screen = CompareScreen::with_previous(screen.call());
            cx.open(screen);
        };
}

commands! {
    /// Commands available everywhere.
    pub(crate) const EVERYWHERE;

    ANYWHERE: "app.history", [], "History: earlier calls of tools",
        run |state, out| open(&mut state.cx(out));
}
