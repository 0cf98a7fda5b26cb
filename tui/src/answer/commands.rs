//! The commands of answers and previews.

use super::AnswerScreen;
use crate::app::cx::Out;
use crate::app::input::command::{Context, commands};
use crate::app::state::State;
use crate::formats::Format;

pub(crate) static ANSWER: Context = Context::list("Answer of a tool");
pub(crate) static PREVIEW: Context = Context::above("Preview of a call", &ANSWER);

pub(crate) static OFFERS: Context = Context::above("Resources and prompts of a server", &ANSWER);

commands! {
    pub(crate) const COMMANDS;

    PREVIEW: "preview.apply", ["a"], "Apply the preview", act AnswerScreen::apply, writes,
        hint("apply"), danger, lacks(AnswerScreen::no_apply);
    ANSWER: "answer.open", ["enter", "o"], "Open or unfold the selection", act AnswerScreen::open,
        hint("open"), lacks(AnswerScreen::no_record);
    ANSWER: "answer.next_page", ["n"], "Next records",
        act |screen: &mut AnswerScreen, cx| {
            let next = screen.next_offset();
            screen.turn_to(cx, next);
        }, hint("next"), lacks(AnswerScreen::no_next_page);
    ANSWER: "answer.previous_page", ["p"], "Previous records",
        act |screen: &mut AnswerScreen, cx| {
            let previous = screen.previous_offset();
            screen.turn_to(cx, previous);
        }, lacks(AnswerScreen::no_previous_page);
    ANSWER: "answer.right", ["right", "l"], "Next column, or unfold",
        act |screen: &mut AnswerScreen, _| screen.right(), lacks(AnswerScreen::no_sideways);
    ANSWER: "answer.left", ["left", "h"], "Previous column, or fold",
        act |screen: &mut AnswerScreen, _| screen.left(), lacks(AnswerScreen::no_sideways);
    ANSWER: "answer.sort_column", ["b"], "Sort by the selected column; again to reverse",
        act |screen: &mut AnswerScreen, cx| screen.sort_here(cx.shared),
        lacks(AnswerScreen::no_table);
    ANSWER: "answer.json", ["tab"], "Next view: JSON, or a table or text",
        act |screen: &mut AnswerScreen, _| screen.turn(), hint("JSON"),
        lacks(AnswerScreen::no_json);
    ANSWER: "answer.fold_all", ["z"], "Fold or unfold everything",
        act |screen: &mut AnswerScreen, _| screen.fold_all(), lacks(AnswerScreen::no_tree);
    ANSWER: "answer.markdown", ["v"], "Toggle the Markdown source",
        act |screen: &mut AnswerScreen, _| screen.turn_markdown(), lacks(AnswerScreen::no_markdown);
    ANSWER: "answer.export", ["x"], "Export to a file: JSON, CSV, Markdown",
        act AnswerScreen::ask_export, hint("export");
    ANSWER: "answer.save", ["w"], "Save the selected image, sound or resource to a file",
        act AnswerScreen::save, hint("save"),
        hinted_if(|state| look(state, AnswerScreen::no_file).is_none()),
        lacks(AnswerScreen::no_file);
    ANSWER: "answer.copy", ["y"], "Copy as JSON", act AnswerScreen::copy, hint("copy");
    ANSWER: "answer.copy_cell", ["c"], "Copy the selected value", act AnswerScreen::copy_cell,
        lacks(AnswerScreen::no_cell);
    ANSWER: "answer.copy_path", ["P"], "Copy the jq path of the selected value",
        act AnswerScreen::copy_path, lacks(AnswerScreen::no_tree);
    ANSWER: "answer.copy_record", ["C"], "Copy the selected record as JSON",
        act AnswerScreen::copy_record, over("record.changes"),
        lacks(AnswerScreen::no_record_to_copy);
    ANSWER: "answer.copy_row", ["T"], "Copy the selected record as tab-separated values",
        act AnswerScreen::copy_row, lacks(AnswerScreen::no_record_to_copy);
    ANSWER: "answer.copy_curl", ["u"], "Copy the call as a curl command, without the token",
        act AnswerScreen::copy_curl;
    ANSWER: "answer.copy_command", ["Y"], "Copy the call as a command line",
        act AnswerScreen::copy_command;
}

/// Exports the answer on screen.
pub(crate) fn export(state: &mut State, out: &mut Out, format: Format) {
    state.act::<AnswerScreen>(out, |screen, cx| screen.export(cx, format));
}

fn look(state: &State, look: impl FnOnce(&AnswerScreen) -> Option<String>) -> Option<String> {
    look(state.shows()?)
}

impl AnswerScreen {
    /// Why the preview cannot be applied.
    fn no_apply(&self) -> Option<String> {
        let Some(plan) = &self.plan else {
            return Some("this is not a preview".to_owned());
        };
        let why = plan.too_late().or_else(|| plan.no_true_plan());
        why.map(str::to_owned)
    }

    fn no_table(&self) -> Option<String> {
        let is_table = self.body().table().is_some();
        (!is_table).then(|| "the answer is not a list".to_owned())
    }

    fn no_tree(&self) -> Option<String> {
        let is_tree = self.body().tree().is_some();
        (!is_tree).then(|| "the answer is not shown as a tree".to_owned())
    }

    fn no_markdown(&self) -> Option<String> {
        let is_markdown = self.body().is_markdown(self.shown_value());
        (!is_markdown).then(|| "this is not Markdown".to_owned())
    }

    fn no_file(&self) -> Option<String> {
        let is_there = self.block().is_some();
        (!is_there).then(|| "no image, sound or resource is selected".to_owned())
    }

    fn no_sideways(&self) -> Option<String> {
        self.no_tree().and(self.no_table())
    }

    fn no_json(&self) -> Option<String> {
        let is_nothing_else = self.best.tree().is_some();
        is_nothing_else.then(|| "only available as JSON".to_owned())
    }

    fn no_record(&self) -> Option<String> {
        let body = self.body();
        if body.tree().is_some() || body.part(self.shown_value(), &self.fields).is_some() {
            return None;
        }
        let why = match body.table() {
            Some(_) => "no record is selected",
            None => "nothing more to show",
        };
        Some(why.to_owned())
    }

    fn no_previous_page(&self) -> Option<String> {
        match self.previous_offset() {
            Some(_) => None,
            None => Some("this is the first page".to_owned()),
        }
    }

    fn no_next_page(&self) -> Option<String> {
        match self.next_offset() {
            Some(_) => None,
            None => Some("this is the last page".to_owned()),
        }
    }
}
