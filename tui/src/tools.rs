//! The tools of the hosts and servers: search, and the history of calls.

mod browser;
mod catalogue;
pub(crate) mod history;
#[cfg(test)]
mod tests;

pub(crate) use browser::Browser;

use crate::app::cx::Cx;
use crate::app::input::command::{ANYWHERE, Command, Context};
use crate::app::state::State;
use crate::desk::door::leave;

pub(crate) static TOOLS: Context = Context::list("Tools");
static FIRST: Context = Context::above("Tools as the first screen", &TOOLS);

pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        &TOOLS,
        "tools.open",
        "Open the selected server, or the form of the selected tool",
        &["enter"],
        |state, out| state.act::<Browser>(out, |browser, cx| browser.open(cx)),
    )
    .hint("open")
    .unless(|state| match state.shows::<Browser>()?.closed() {
        Some(_) => None,
        None => no_tool(state),
    }),
    Command::new(
        &TOOLS,
        "tools.schema",
        "Next view: the schema of the selected tool, or all tools",
        &["tab"],
        |state, out| state.act::<Browser>(out, |browser, _| browser.turn()),
    )
    .hint("schema")
    .unless(no_tool),
    Command::new(
        &FIRST,
        "tools.clear",
        "Clear the search, or close the schema",
        &["esc"],
        |state, out| {
            state.on_screen(out, |screen, cx| screen.escape(cx));
        },
    )
    .over("app.back"),
    Command::new(&FIRST, "tools.leave", "Leave Frontdesk", &["q"], leave)
        .over("app.back")
        .hint("quit"),
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
