//! The tools of the hosts and servers: search, and the history of calls.

mod browser;
mod catalogue;
pub(crate) mod history;
#[cfg(test)]
mod tests;

pub(crate) use browser::Browser;

use crate::app::cx::Cx;
use crate::app::input::command::{ANYWHERE, Context, commands};
use crate::app::state::State;
use crate::desk::door::leave;

pub(crate) static TOOLS: Context = Context::list("Tools");
static FIRST: Context = Context::above("Tools as the first screen", &TOOLS);

commands! {
    pub(crate) const COMMANDS;

    TOOLS: "tools.open", ["enter"], "Open the selected server, or the form of the selected tool",
        act |browser: &mut Browser, cx| browser.open(cx), hint("open"),
        unless(|state| match state.shows::<Browser>()?.closed() {
            Some(_) => None,
            None => no_tool(state),
        });
    TOOLS: "tools.schema", ["tab"], "Next view: the schema of the selected tool, or all tools",
        act |browser: &mut Browser, _| browser.turn(), hint("schema"), unless(no_tool);
    FIRST: "tools.clear", ["esc"], "Clear the search, or close the schema",
        run |state, out| { state.on_screen(out, |screen, cx| screen.escape(cx)); },
        over("app.back");
    FIRST: "tools.leave", ["q"], "Leave Frontdesk", run leave, over("app.back"), hint("quit");
}

commands! {
    /// Commands available everywhere.
    pub(crate) const EVERYWHERE;

    ANYWHERE: "app.tools", [], "Tools: everything the hosts offer you",
        run |state, out| open(&mut state.cx(out));
}

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
