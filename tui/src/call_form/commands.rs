//! The commands of the form of a tool.

use super::CallScreen;
use super::signature::has_dry_run;
use crate::app::cx::{Cx, Out};
use crate::app::input::command::{Command, Context};
use crate::app::state::State;
use crate::ui::prompt::Prompt;

pub(crate) static TOOL: Context = Context::screen("Form of a tool");

pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        &TOOL,
        "tool.call",
        "Save, or run the tool; first a dry run, if it has one",
        &["ctrl-s"],
        |state, out| state.act::<CallScreen>(out, CallScreen::go),
    )
    .sends()
    .hint("save")
    .hint_here(|state| state.shows::<CallScreen>()?.deed())
    .unless(no_call),
    Command::new(
        &TOOL,
        "tool.preview",
        "Preview the changes",
        &["ctrl-o"],
        |state, out| state.act::<CallScreen>(out, CallScreen::preview),
    )
    .hint("preview")
    .hinted_if(|state| is_detailed(state) && !is_tried_first(state))
    .unless(|state| state.shows::<CallScreen>()?.no_preview()),
    Command::new(
        &TOOL,
        "tool.pick",
        "Choose the record from a list",
        &["ctrl-f"],
        |state, out| state.act::<CallScreen>(out, CallScreen::pick),
    )
    .hint("find")
    .unless(no_list),
    Command::new(
        &TOOL,
        "tool.load",
        "Load the current values of the record",
        &["ctrl-t"],
        |state, out| state.act::<CallScreen>(out, CallScreen::load_record),
    )
    .unless(no_record),
    Command::new(&TOOL, "tool.next", "Next field", &["tab"], |state, out| {
        state.act::<CallScreen>(out, |screen, _| screen.step_focus(1))
    }),
    Command::new(
        &TOOL,
        "tool.previous",
        "Previous field",
        &["backtab"],
        |state, out| state.act::<CallScreen>(out, |screen, _| screen.step_focus(-1)),
    ),
    Command::new(
        &TOOL,
        "tool.clear",
        "Leave the field out, so that a change keeps its value; or remove the entry",
        &["ctrl-d"],
        |state, out| state.act::<CallScreen>(out, |screen, _| screen.clear()),
    )
    .hint("clear")
    .hint_here(|state| state.shows::<CallScreen>()?.leaves_out(&state.shared))
    .hinted_if(is_detailed)
    .unless(|state| state.shows::<CallScreen>()?.no_clear()),
    Command::new(
        &TOOL,
        "tool.null",
        "Clear the value of the record",
        &["ctrl-n"],
        |state, out| state.act::<CallScreen>(out, |screen, _| screen.set_null()),
    )
    .hint("clear")
    .hinted_if(|state| is_detailed(state) && is_change(state))
    .unless(|state| state.shows::<CallScreen>()?.no_null()),
    Command::new(
        &TOOL,
        "tool.add",
        "Add an entry or a key",
        &["ctrl-a", "f6"],
        |state, out| state.act::<CallScreen>(out, add),
    )
    .hint("add")
    .hinted_if(is_detailed)
    .unless(|state| state.shows::<CallScreen>()?.no_entry()),
    Command::new(
        &TOOL,
        "tool.variant",
        "Switch the type of the field",
        &["ctrl-v"],
        |state, out| state.act::<CallScreen>(out, |screen, _| screen.next_variant()),
    ),
    Command::new(
        &TOOL,
        "tool.json",
        "Toggle JSON for this field",
        &["ctrl-g"],
        |state, out| state.act::<CallScreen>(out, |screen, _| screen.turn_json()),
    )
    .hint("JSON")
    .hinted_if(is_detailed),
    Command::new(
        &TOOL,
        "tool.recall",
        "Fill in an earlier input: a preset or a call",
        &["ctrl-r", "ctrl-p"],
        |state, out| state.act::<CallScreen>(out, CallScreen::look_back),
    )
    .over("app.refresh")
    .hint("earlier")
    .hinted_if(is_detailed),
    Command::new(
        &TOOL,
        "tool.editor",
        "Edit the field in your own editor ($VISUAL or $EDITOR)",
        &["ctrl-e"],
        |state, out| state.act::<CallScreen>(out, CallScreen::open_editor),
    )
    .unless(no_editor),
    Command::new(
        &TOOL,
        "tool.preset_save",
        "Save as a preset",
        &["ctrl-b", "f7"],
        |state, out| state.act::<CallScreen>(out, CallScreen::ask_preset_name),
    ),
    Command::new(
        &TOOL,
        "tool.copy_command",
        "Copy the call as a command line",
        &["ctrl-y"],
        |state, out| state.act::<CallScreen>(out, CallScreen::copy_command),
    ),
];

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
