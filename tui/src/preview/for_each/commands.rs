//! The commands of an action on several records.

use super::ForEach;
use crate::app::input::command::{Context, commands};

pub(crate) static SEVERAL: Context = Context::list("An action on several records");

commands! {
    pub(crate) const COMMANDS;

    SEVERAL: "several.apply", ["a", "ctrl-s"], "Do it for all records of the table",
        act ForEach::confirm, writes, hint("apply"), danger, lacks(ForEach::no_apply);
}
