//! The tools of the hosts: found by name or by what they do, filled in, called, and their answers.

pub(crate) mod answer;
mod browser;
pub(crate) mod call;
mod catalogue;
pub(crate) mod command_line;
mod danger;
pub(crate) mod found;
pub(crate) mod history;
pub(crate) mod layers;
mod lines;
mod signature;
pub(crate) mod source;
#[cfg(test)]
mod tests;
mod trouble;
mod view;

pub(crate) use browser::Browser;
pub(crate) use signature::effect;

use crate::app::command::{ANYWHERE, Command, Context};
use crate::app::cx::Cx;
use crate::app::state::State;

pub(crate) static TOOLS: Context = Context::list("Tools");

/// The commands of the list of tools.
pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        &TOOLS,
        "tools.open",
        "Fill in the selected tool, to call it",
        &["enter"],
        |state, out| state.act::<Browser>(out, |browser, cx| browser.open(cx)),
    )
    .hint("fill in")
    .unless(no_tool),
    Command::new(
        &TOOLS,
        "tools.schema",
        "Show the schema of the selected tool, or the list again",
        &["tab"],
        |state, out| state.act::<Browser>(out, |browser, _| browser.turn()),
    )
    .hint("schema")
    .unless(no_tool),
    Command::new(
        &TOOLS,
        "tools.clear",
        "Search for something else",
        &["ctrl-u"],
        |state, out| state.act::<Browser>(out, |browser, _| browser.clear()),
    ),
];

/// What one can do everywhere.
pub(crate) const EVERYWHERE: &[Command] = &[Command::new(
    &ANYWHERE,
    "app.tools",
    "Tools: all that the hosts offer to you",
    &[],
    |state, out| open(&mut state.cx(out)),
)];

/// Goes to the list of tools.
pub(crate) fn open(cx: &mut Cx) {
    cx.open(Browser::default());
}

fn no_tool(state: &State) -> Option<String> {
    match state.shows::<Browser>() {
        Some(browser) if browser.tool().is_none() => Some("no tool is selected".to_owned()),
        _ => None,
    }
}
