//! The commands of an action on several records.

use super::ForEach;
use crate::app::input::command::{Command, Context};
use crate::app::state::State;

pub(crate) static SEVERAL: Context = Context::list("An action on several records");

pub(crate) const COMMANDS: &[Command] = &[Command::new(
    &SEVERAL,
    "several.apply",
    "Do it for all records of the table",
    &["a", "ctrl-s"],
    |state, out| state.act::<ForEach>(out, ForEach::confirm),
)
.writes()
.hint("apply")
.danger()
.unless(|state: &State| state.shows::<ForEach>()?.no_apply())];
