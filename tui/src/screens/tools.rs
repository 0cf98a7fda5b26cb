//! The tools of the hosts: found by name or by what they do, filled in, called, and their answers.

pub(crate) mod answer;
mod browser;
pub(crate) mod call;
mod catalogue;
pub(crate) mod command_line;
mod danger;
pub(crate) mod found;
pub(crate) mod history;
mod lines;
mod signature;
pub(crate) mod source;
#[cfg(test)]
mod tests;
mod trouble;
mod view;

pub(crate) use browser::Browser;
pub(crate) use signature::effect;

use super::Screen;
use crate::app::cx::{Cx, Out};
use crate::app::state::State;
use crate::commands::{Command, Context};

/// The commands of the list of tools.
pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        Context::Tools,
        "tools.open",
        "Fill in the selected tool, to call it",
        &["enter"],
        |state, out| on(state, out, |browser, cx| browser.open(cx)),
    )
    .hint("fill in")
    .unless(no_tool),
    Command::new(
        Context::Tools,
        "tools.schema",
        "Show the schema of the selected tool, or the list again",
        &["tab"],
        |state, out| on(state, out, |browser, _| browser.turn()),
    )
    .hint("schema")
    .unless(no_tool),
    Command::new(
        Context::Tools,
        "tools.clear",
        "Search for something else",
        &["ctrl-u"],
        |state, out| on(state, out, |browser, _| browser.clear()),
    ),
];

/// What one can do everywhere.
pub(crate) const EVERYWHERE: &[Command] = &[Command::new(
    Context::Anywhere,
    "app.tools",
    "Tools: all that the hosts offer to you",
    &[],
    |state, out| open(&mut state.cx(out)),
)];

/// Goes to the list of tools.
pub(crate) fn open(cx: &mut Cx) {
    cx.open(Screen::Tools(Box::default()));
}

fn on(state: &mut State, out: &mut Out, act: impl FnOnce(&mut Browser, &mut Cx)) {
    state.on_screen(out, |screen, cx| {
        if let Screen::Tools(browser) = screen {
            act(browser, cx);
        }
    });
}

fn no_tool(state: &State) -> Option<String> {
    match state.screen() {
        Some(Screen::Tools(browser)) if browser.tool().is_none() => {
            Some("no tool is selected".to_owned())
        }
        _ => None,
    }
}
