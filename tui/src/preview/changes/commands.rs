//! The commands of a preview.

use super::PreviewScreen;
use crate::app::input::command::{Command, Context};
use crate::app::state::State;

pub(crate) static CHANGES: Context = Context::list("Changes of a call");

pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        &CHANGES,
        "changes.apply",
        "Make exactly these changes",
        &["a", "ctrl-s"],
        |state, out| state.act::<PreviewScreen>(out, PreviewScreen::confirm),
    )
    .writes()
    .hint("apply")
    .danger()
    .unless(|state| state.shows::<PreviewScreen>()?.no_apply()),
    Command::new(
        &CHANGES,
        "changes.fields",
        "Show or hide the fields of the selected row",
        &["enter", "right", "left"],
        |state, out| state.act::<PreviewScreen>(out, |screen, _| screen.toggle()),
    )
    .hint("fields")
    .unless(no_rows),
];

fn no_rows(state: &State) -> Option<String> {
    let is_empty = state.shows::<PreviewScreen>()?.has_no_rows();
    is_empty.then(|| "there are no rows".to_owned())
}
