//! The commands of answers and previews.

use super::AnswerScreen;
use crate::app::cx::Out;
use crate::app::input::command::{Command, Context};
use crate::app::state::State;
use crate::formats::Format;

pub(crate) static ANSWER: Context = Context::list("Answer of a tool");
pub(crate) static PREVIEW: Context = Context::above("Preview of a call", &ANSWER);

pub(crate) static OFFERS: Context = Context::above("Resources and prompts of a server", &ANSWER);

pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        &PREVIEW,
        "preview.apply",
        "Apply the preview",
        &["a"],
        |state, out| state.act::<AnswerScreen>(out, AnswerScreen::apply),
    )
    .writes()
    .hint("apply")
    .danger()
    .unless(|state| look(state, AnswerScreen::no_apply)),
    Command::new(
        &ANSWER,
        "answer.open",
        "Open or unfold the selection",
        &["enter", "o"],
        |state, out| state.act::<AnswerScreen>(out, AnswerScreen::open),
    )
    .hint("open")
    .unless(|state| look(state, AnswerScreen::no_record)),
    Command::new(
        &ANSWER,
        "answer.next_page",
        "Next records",
        &["n"],
        |state, out| {
            state.act::<AnswerScreen>(out, |screen, cx| {
                let next = screen.next_offset();
                screen.turn_to(cx, next);
            });
        },
    )
    .hint("next")
    .unless(|state| look(state, AnswerScreen::no_next_page)),
    Command::new(
        &ANSWER,
        "answer.previous_page",
        "Previous records",
        &["p"],
        |state, out| {
            state.act::<AnswerScreen>(out, |screen, cx| {
                let previous = screen.previous_offset();
                screen.turn_to(cx, previous);
            });
        },
    )
    .unless(|state| look(state, AnswerScreen::no_previous_page)),
    Command::new(
        &ANSWER,
        "answer.right",
        "Next column, or unfold",
        &["right", "l"],
        |state, out| state.act::<AnswerScreen>(out, |screen, _| screen.right()),
    )
    .unless(|state| look(state, AnswerScreen::no_sideways)),
    Command::new(
        &ANSWER,
        "answer.left",
        "Previous column, or fold",
        &["left", "h"],
        |state, out| state.act::<AnswerScreen>(out, |screen, _| screen.left()),
    )
    .unless(|state| look(state, AnswerScreen::no_sideways)),
    Command::new(
        &ANSWER,
        "answer.sort_column",
        "Sort by the selected column; again to reverse",
        &["b"],
        |state, out| state.act::<AnswerScreen>(out, |screen, cx| screen.sort_here(cx.shared)),
    )
    .unless(|state| look(state, AnswerScreen::no_table)),
    Command::new(
        &ANSWER,
        "answer.json",
        "Next view: JSON, or a table or text",
        &["tab"],
        |state, out| state.act::<AnswerScreen>(out, |screen, _| screen.turn()),
    )
    .hint("JSON")
    .unless(|state| look(state, AnswerScreen::no_json)),
    Command::new(
        &ANSWER,
        "answer.fold_all",
        "Fold or unfold everything",
        &["z"],
        |state, out| state.act::<AnswerScreen>(out, |screen, _| screen.fold_all()),
    )
    .unless(|state| look(state, AnswerScreen::no_tree)),
    Command::new(
        &ANSWER,
        "answer.markdown",
        "Toggle the Markdown source",
        &["v"],
        |state, out| state.act::<AnswerScreen>(out, |screen, _| screen.turn_markdown()),
    )
    .unless(|state| look(state, AnswerScreen::no_markdown)),
    Command::new(
        &ANSWER,
        "answer.export",
        "Export to a file: JSON, CSV, Markdown",
        &["x"],
        |state, out| state.act::<AnswerScreen>(out, AnswerScreen::ask_export),
    )
    .hint("export"),
    Command::new(
        &ANSWER,
        "answer.save",
        "Save the selected image, sound or resource to a file",
        &["w"],
        |state, out| state.act::<AnswerScreen>(out, AnswerScreen::save),
    )
    .hint("save")
    .hinted_if(|state| look(state, AnswerScreen::no_file).is_none())
    .unless(|state| look(state, AnswerScreen::no_file)),
    Command::new(
        &ANSWER,
        "answer.copy",
        "Copy as JSON",
        &["y"],
        |state, out| state.act::<AnswerScreen>(out, AnswerScreen::copy),
    )
    .hint("copy"),
    Command::new(
        &ANSWER,
        "answer.copy_cell",
        "Copy the selected value",
        &["c"],
        |state, out| state.act::<AnswerScreen>(out, AnswerScreen::copy_cell),
    )
    .unless(|state| look(state, AnswerScreen::no_cell)),
    Command::new(
        &ANSWER,
        "answer.copy_path",
        "Copy the jq path of the selected value",
        &["P"],
        |state, out| state.act::<AnswerScreen>(out, AnswerScreen::copy_path),
    )
    .unless(|state| look(state, AnswerScreen::no_tree)),
    Command::new(
        &ANSWER,
        "answer.copy_record",
        "Copy the selected record as JSON",
        &["C"],
        |state, out| state.act::<AnswerScreen>(out, AnswerScreen::copy_record),
    )
    .over("record.changes")
    .unless(|state| look(state, AnswerScreen::no_record_to_copy)),
    Command::new(
        &ANSWER,
        "answer.copy_row",
        "Copy the selected record as tab-separated values",
        &["T"],
        |state, out| state.act::<AnswerScreen>(out, AnswerScreen::copy_row),
    )
    .unless(|state| look(state, AnswerScreen::no_record_to_copy)),
    Command::new(
        &ANSWER,
        "answer.copy_curl",
        "Copy the call as a curl command, without the token",
        &["u"],
        |state, out| state.act::<AnswerScreen>(out, AnswerScreen::copy_curl),
    ),
    Command::new(
        &ANSWER,
        "answer.copy_command",
        "Copy the call as a command line",
        &["Y"],
        |state, out| state.act::<AnswerScreen>(out, AnswerScreen::copy_command),
    ),
];

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
