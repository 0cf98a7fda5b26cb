//! The commands of a preview.

use super::PreviewScreen;
use crate::app::input::command::{Context, commands};
use crate::app::state::State;

pub(crate) static CHANGES: Context = Context::list("Changes of a call");

commands! {
    pub(crate) const COMMANDS;

    CHANGES: "changes.apply", ["a", "ctrl-s"], "Make exactly these changes",
        act PreviewScreen::confirm, writes, hint("apply"), danger, lacks(PreviewScreen::no_apply);
    CHANGES: "changes.fields", ["enter", "right", "left"],
        "Show or hide the fields of the selected row",
        act |screen: &mut PreviewScreen, _| screen.toggle(), hint("fields"), unless(no_rows);
}

fn no_rows(state: &State) -> Option<String> {
    let is_empty = state.shows::<PreviewScreen>()?.has_no_rows();
    is_empty.then(|| "there are no rows".to_owned())
}
