//! What one can do to the form of a tool.

use super::CallScreen;
use crate::app::cx::{Cx, Out};
use crate::app::layer::Layer;
use crate::app::state::State;
use crate::commands::{Command, Context};
use crate::layers::prompt::Prompt;
use crate::screens::Screen;

/// The commands of the form of a tool.
pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        Context::Tool,
        "tool.call",
        "Call the tool; first a dry run where it has one",
        &["ctrl-s"],
        |state, out| on(state, out, CallScreen::go),
    )
    .hint("call")
    .unless(no_call),
    Command::new(
        Context::Tool,
        "tool.pick",
        "Choose the record that the field refers to from a list",
        &["ctrl-f"],
        |state, out| on(state, out, CallScreen::pick),
    )
    .hint("find")
    .unless(no_list),
    Command::new(
        Context::Tool,
        "tool.load",
        "Load the record that is changed, to see what it has",
        &["ctrl-t"],
        |state, out| on(state, out, CallScreen::load_record),
    )
    .unless(no_record),
    Command::new(
        Context::Tool,
        "tool.next",
        "Next field",
        &["tab"],
        |state, out| on(state, out, |screen, _| screen.step_focus(1)),
    ),
    Command::new(
        Context::Tool,
        "tool.previous",
        "Previous field",
        &["backtab"],
        |state, out| on(state, out, |screen, _| screen.step_focus(-1)),
    ),
    Command::new(
        Context::Tool,
        "tool.clear",
        "Leave the field out, or take the entry away",
        &["ctrl-d"],
        |state, out| on(state, out, |screen, _| screen.clear()),
    )
    .hint("unset"),
    Command::new(
        Context::Tool,
        "tool.null",
        "Set the field to null",
        &["ctrl-n"],
        |state, out| on(state, out, |screen, _| screen.set_null()),
    )
    .hint("null"),
    Command::new(
        Context::Tool,
        "tool.add",
        "Add an entry or a key",
        &["ctrl-a"],
        |state, out| on(state, out, add),
    )
    .hint("add"),
    Command::new(
        Context::Tool,
        "tool.variant",
        "The next thing that the field can be",
        &["ctrl-v"],
        |state, out| on(state, out, |screen, _| screen.next_variant()),
    ),
    Command::new(
        Context::Tool,
        "tool.json",
        "Give the field as JSON, or as fields again",
        &["ctrl-g"],
        |state, out| on(state, out, |screen, _| screen.turn_json()),
    )
    .hint("JSON"),
    Command::new(
        Context::Tool,
        "tool.recall",
        "Fill in an earlier call of this tool",
        &["ctrl-r"],
        |state, out| on(state, out, CallScreen::look_back),
    )
    .over("app.refresh")
    .hint("earlier"),
    Command::new(
        Context::Tool,
        "tool.editor",
        "Edit the field in your own editor ($VISUAL or $EDITOR)",
        &["ctrl-e"],
        |state, out| on(state, out, CallScreen::open_editor),
    )
    .unless(no_editor),
    Command::new(
        Context::Tool,
        "tool.presets",
        "Fill the form in with what is kept under a name",
        &["ctrl-p"],
        |state, out| on(state, out, CallScreen::choose_preset),
    )
    .unless(no_presets),
    Command::new(
        Context::Tool,
        "tool.preset_save",
        "Keep what is entered under a name",
        &["ctrl-b"],
        |state, out| on(state, out, CallScreen::ask_preset_name),
    ),
    Command::new(
        Context::Tool,
        "tool.copy_command",
        "Copy the call as a command line",
        &["ctrl-y"],
        |state, out| on(state, out, CallScreen::copy_command),
    ),
];

/// Lets the form act.
pub(super) fn on(state: &mut State, out: &mut Out, act: impl FnOnce(&mut CallScreen, &mut Cx)) {
    state.on_screen(out, |screen, cx| {
        if let Screen::Tool(screen) = screen {
            act(screen, cx);
        }
    });
}

fn no_list(state: &State) -> Option<String> {
    match state.screen() {
        Some(Screen::Tool(screen)) => screen.no_list(&state.shared),
        _ => None,
    }
}

/// Why the tool cannot be called.
fn no_call(state: &State) -> Option<String> {
    match state.screen() {
        Some(Screen::Tool(screen)) => screen.no_call(&state.shared),
        _ => None,
    }
}

fn no_record(state: &State) -> Option<String> {
    match state.screen() {
        Some(Screen::Tool(screen)) => screen.no_record(&state.shared),
        _ => None,
    }
}

fn no_editor(state: &State) -> Option<String> {
    match state.screen() {
        Some(Screen::Tool(screen)) => screen.no_editor(&state.shared),
        _ => None,
    }
}

fn no_presets(state: &State) -> Option<String> {
    match state.screen() {
        Some(Screen::Tool(screen)) => screen.no_presets(),
        _ => None,
    }
}

fn add(screen: &mut CallScreen, cx: &mut Cx) {
    if screen.wants_key() {
        cx.raise(Layer::Prompt(Box::new(Prompt::new(
            "Another key",
            "The name of the key.",
            add_key,
        ))));
    } else {
        screen.add_entry();
    }
}

fn add_key(state: &mut State, out: &mut Out, key: &str) -> Result<(), String> {
    let added = state.on_screen(out, |screen, _| match screen {
        Screen::Tool(screen) => screen.add_key(key),
        _ => Ok(()),
    });
    added.unwrap_or(Ok(()))
}
