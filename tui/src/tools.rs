//! The tools of the hosts: search, forms, calls and answers.

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

pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        &TOOLS,
        "tools.open",
        "Open the form of the selected tool",
        &["enter"],
        |state, out| state.act::<Browser>(out, |browser, cx| browser.open(cx)),
    )
    .hint("fill in")
    .unless(no_tool),
    Command::new(
        &TOOLS,
        "tools.schema",
        "Toggle the schema of the selected tool",
        &["tab"],
        |state, out| state.act::<Browser>(out, |browser, _| browser.turn()),
    )
    .hint("schema")
    .unless(no_tool),
    Command::new(
        &TOOLS,
        "tools.clear",
        "Clear the search",
        &["ctrl-u"],
        |state, out| state.act::<Browser>(out, |browser, _| browser.clear()),
    ),
];

/// Commands available everywhere.
pub(crate) const EVERYWHERE: &[Command] = &[Command::new(
    &ANYWHERE,
    "app.tools",
    "Tools: everything the hosts offer you",
    &[],
    |state, out| open(&mut state.cx(out)),
)];

/// Opens the list of tools.
pub(crate) fn open(cx: &mut Cx) {
    cx.open(Browser::default());
}

fn no_tool(state: &State) -> Option<String> {
    match state.shows::<Browser>() {
        Some(browser) if browser.tool().is_none() => Some("no tool is selected".to_owned()),
        _ => None,
    }
}
