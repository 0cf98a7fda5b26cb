//! The commands of the form of a tool.

use super::CallScreen;
use super::signature::has_dry_run;
use crate::app::cx::{Cx, Out};
use crate::app::input::command::{Context, commands};
use crate::app::state::State;
use crate::ui::prompt::Prompt;

pub(crate) static TOOL: Context = Context::screen("Form of a tool");

commands! {
    pub(crate) const COMMANDS;

    TOOL: "tool.call", ["ctrl-s"], "Save, or run the tool; first a dry run, if it has one",
        act CallScreen::go, sends, hint("save"),
        hint_here(|state| state.shows::<CallScreen>()?.deed()), unless(no_call);
    TOOL: "tool.preview", ["ctrl-o"], "Preview the changes", act CallScreen::preview,
        hint("preview"), hinted_if(|state| is_detailed(state) && !is_tried_first(state)),
        lacks(CallScreen::no_preview);
    TOOL: "tool.pick", ["ctrl-f"], "Choose the record from a list", act CallScreen::pick,
        hint("find"), unless(no_list);
    TOOL: "tool.load", ["ctrl-t"], "Load the current values of the record",
        act CallScreen::load_record, unless(no_record);
    TOOL: "tool.next", ["tab"], "Next field", act |screen: &mut CallScreen, _| screen.step_focus(1);
    TOOL: "tool.previous", ["backtab"], "Previous field",
        act |screen: &mut CallScreen, _| screen.step_focus(-1);
    TOOL: "tool.clear", ["ctrl-d"],
        "Leave the field out, so that a change keeps its value; or remove the entry",
        act |screen: &mut CallScreen, _| screen.clear(), hint("clear"),
        hint_here(|state| state.shows::<CallScreen>()?.leaves_out(&state.shared)),
        hinted_if(is_detailed), lacks(CallScreen::no_clear);
    TOOL: "tool.null", ["ctrl-n"], "Clear the value of the record",
        act |screen: &mut CallScreen, _| screen.set_null(), hint("clear"),
        hinted_if(|state| is_detailed(state) && is_change(state)), lacks(CallScreen::no_null);
    TOOL: "tool.add", ["ctrl-a", "f6"], "Add an entry or a key", act add, hint("add"),
        hinted_if(is_detailed), lacks(CallScreen::no_entry);
    TOOL: "tool.variant", ["ctrl-v"], "Switch the type of the field",
        act |screen: &mut CallScreen, _| screen.next_variant();
    TOOL: "tool.json", ["ctrl-g"], "Toggle JSON for this field",
        act |screen: &mut CallScreen, _| screen.turn_json(), hint("JSON"), hinted_if(is_detailed);
    TOOL: "tool.recall", ["ctrl-r", "ctrl-p"], "Fill in an earlier input: a preset or a call",
        act CallScreen::look_back, over("app.refresh"), hint("earlier"), hinted_if(is_detailed);
    TOOL: "tool.editor", ["ctrl-e"], "Edit the field in your own editor ($VISUAL or $EDITOR)",
        act CallScreen::open_editor, unless(no_editor);
    TOOL: "tool.preset_save", ["ctrl-b", "f7"], "Save as a preset", act CallScreen::ask_preset_name;
    TOOL: "tool.copy_command", ["ctrl-y"], "Copy the call as a command line",
        act CallScreen::copy_command;
}

/// Whether the form is neither one for people in a hurry nor the answer to a question.
fn is_detailed(state: &State) -> bool {
    let form = state.shows::<CallScreen>();
    form.is_none_or(|form| !form.is_quick() && form.asked().is_none())
}

/// Whether saving is a dry run, which is a preview.
fn is_tried_first(state: &State) -> bool {
    let form = state.shows::<CallScreen>();
    form.is_some_and(|form| has_dry_run(&form.tool))
}

/// Whether the form changes a record.
fn is_change(state: &State) -> bool {
    let form = state.shows::<CallScreen>();
    form.is_some_and(|form| form.subject(&state.shared).is_some())
}

fn no_list(state: &State) -> Option<String> {
    state.shows::<CallScreen>()?.no_list(&state.shared)
}

/// Why the tool cannot be called.
fn no_call(state: &State) -> Option<String> {
    state.shows::<CallScreen>()?.no_call(&state.shared)
}

fn no_record(state: &State) -> Option<String> {
    state.shows::<CallScreen>()?.no_record(&state.shared)
}

fn no_editor(state: &State) -> Option<String> {
    state.shows::<CallScreen>()?.no_editor(&state.shared)
}

fn add(screen: &mut CallScreen, cx: &mut Cx) {
    if screen.wants_key() {
        cx.raise(Prompt::new("Add a key", "Name of the key.", add_key));
    } else {
        screen.add_entry();
    }
}

fn add_key(state: &mut State, out: &mut Out, key: &str) -> Result<(), String> {
    let added = state.with(out, |screen: &mut CallScreen, _| screen.add_key(key));
    added.unwrap_or(Ok(()))
}
