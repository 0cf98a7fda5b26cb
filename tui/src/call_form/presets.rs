//! Presets in a form: filling in, saving and deleting.

use frontdesk_client::Preset;
use frontdesk_client::presets::Kept;
use frontdesk_form::{Form, Kind, Path, State};
use serde_json::{Map, Value};

use super::stored::{ChangePresets, PresetChange};
use super::{CallScreen, schema_of};
use crate::app::cx::Cx;
use crate::app::effects::disk::DiskError;
use crate::app::owner::RequestId;
use crate::call_form::layers::earlier::Input;
use crate::look::mark::Mark;
use crate::look::text::clean;
use crate::ui::prompt::Prompt;

/// Maximum length of a name in characters.
const LONGEST: usize = 60;

/// The presets of the tool.
#[derive(Debug, Default)]
pub(super) struct Presets {
    kept: Vec<Preset>,
    /// The request whose success is reported, and the message.
    telling: Option<(RequestId, String)>,
    /// The name of the loaded preset.
    from: Option<String>,
    /// The existing name that the user was warned about: the next save replaces it.
    replacing: Option<String>,
    /// The input before another one was filled in.
    before: Option<Value>,
}

impl CallScreen {
    /// Reads the presets of the tool.
    pub(super) fn read_presets(&mut self, cx: &mut Cx) {
        self.change_presets(cx, PresetChange::Nothing);
    }

    fn change_presets(&self, cx: &mut Cx, change: PresetChange) -> RequestId {
        cx.run(ChangePresets {
            peer: self.peer.name().to_owned(),
            tool: self.tool.name.clone(),
            change,
        })
    }

    /// Handles the result of reading or writing presets.
    pub(super) fn presets_came(
        &mut self,
        cx: &mut Cx,
        request: RequestId,
        result: Result<Kept, DiskError>,
    ) {
        let telling = self.presets.telling.take_if(|(asked, _)| *asked == request);
        match result {
            Ok(kept) => {
                self.presets.kept = kept.presets;
                if let Some(aside) = kept.aside {
                    let words = "The presets could not be read. The file was renamed to";
                    cx.toast(
                        Mark::Warn,
                        format!("{words} {}", clean(&aside.display().to_string())),
                    );
                }
                if let Some((_, words)) = telling {
                    cx.toast(Mark::Good, words);
                }
            }
            Err(error) => cx.toast(Mark::Bad, format!("Presets: {error}")),
        }
    }

    /// The number of presets of the tool.
    pub(super) fn preset_count(&self) -> usize {
        self.presets.kept.len()
    }

    /// Asks for the name of a new preset.
    pub(super) fn ask_preset_name(&mut self, cx: &mut Cx) {
        self.presets.replacing = None;
        let prompt = Prompt::new(
            "Save as a preset",
            "Name of the preset. Passwords and other secrets are not saved.",
            |state, out, name| {
                let kept = state.with(out, |form: &mut CallScreen, cx| form.keep(cx, name));
                kept.unwrap_or(Ok(()))
            },
        );
        let name = self.presets.from.clone().unwrap_or_default();
        cx.raise(prompt.with(&name));
    }

    /// Saves the input as a preset with this name.
    fn keep(&mut self, cx: &mut Cx, name: &str) -> Result<(), String> {
        if name.is_empty() {
            return Err("enter a name".to_owned());
        }
        if name.chars().count() > LONGEST {
            return Err(format!("at most {LONGEST} characters"));
        }
        let is_there = self.presets.kept.iter().any(|preset| preset.name == name);
        let is_meant = [&self.presets.from, &self.presets.replacing]
            .into_iter()
            .any(|meant| meant.as_deref() == Some(name));
        if is_there && !is_meant {
            self.presets.replacing = Some(name.to_owned());
            return Err("this name is in use; enter again replaces the preset".to_owned());
        }
        let (arguments, left_out) = without_secrets(&schema_of(&self.tool), &self.form.value());
        let preset = Preset {
            peer: self.peer.name().to_owned(),
            tool: self.tool.name.clone(),
            name: name.to_owned(),
            arguments,
            saved_at: cx.now(),
        };
        let words = match left_out {
            0 => format!("Saved preset “{name}”"),
            _ => format!("Saved preset “{name}”, without secrets"),
        };
        let request = self.change_presets(cx, PresetChange::Save(preset));
        self.presets.telling = Some((request, words));
        self.presets.from = Some(name.to_owned());
        Ok(())
    }

    /// The inputs to choose from, besides those of the history.
    pub(super) fn kept_inputs(&self) -> Vec<Input> {
        let before = self.presets.before.as_ref().and_then(Value::as_object);
        let before = before.cloned().map(Input::Before).into_iter();
        let draft = self.drafts.found.iter().cloned().map(Input::Draft);
        let kept = self.presets.kept.iter().cloned().map(Input::Preset);
        before.chain(draft).chain(kept).collect()
    }

    /// Fills in an earlier input. What is replaced can be filled in again.
    pub(crate) fn fill_in(&mut self, input: &Input) {
        let entered = self.form.value();
        let is_own = entered != self.initial;
        self.presets.from = None;
        match input {
            Input::Before(arguments) => self.form.fill(&Value::Object(arguments.clone())),
            Input::Preset(preset) => {
                self.presets.from = Some(preset.name.clone());
                self.form.fill(&Value::Object(preset.arguments.clone()));
            }
            Input::Draft(draft) => self.form.fill(&Value::Object(draft.arguments.clone())),
            Input::Call(call) => self.recall(call),
        }
        let is_lost = is_own && entered != self.form.value();
        self.presets.before = is_lost.then_some(entered);
        if !matches!(input, Input::Call(_)) {
            self.edited(Ok(()));
        }
    }

    /// Deletes a preset.
    pub(crate) fn forget_preset(&mut self, cx: &mut Cx, name: &str) {
        let request = self.change_presets(cx, PresetChange::Remove(name.to_owned()));
        self.presets.telling = Some((request, format!("Deleted preset “{name}”")));
        self.presets.from.take_if(|from| from == name);
    }
}

/// The arguments without secrets, and the number of removed values.
pub(super) fn without_secrets(schema: &Value, value: &Value) -> (Map<String, Value>, usize) {
    let mut form = Form::new(schema);
    form.fill(value);
    let secrets: Vec<(Path, bool)> = form
        .rows()
        .into_iter()
        .filter(|row| row.field.state() != State::Absent)
        .filter(|row| matches!(row.field.leaf().kind(), Kind::Text(text) if text.secret))
        .map(|row| (row.path, row.field.is_declared()))
        .collect();
    // Backwards, so the indices of the others stay valid.
    for (path, is_declared) in secrets.iter().rev() {
        // Cannot fail: the field was just found.
        let _ = match is_declared {
            true => form.clear(path),
            false => form.remove(path),
        };
    }
    let arguments = match form.value() {
        Value::Object(arguments) => arguments,
        _ => Map::new(),
    };
    (arguments, secrets.len())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_secret_is_not_kept_wherever_it_lies() {
        let secret = json!({ "type": "string", "format": "password" });
        let schema = json!({
            "type": "object",
            "properties": {
                "user": { "type": "string" },
                "password": secret,
                "keys": { "type": "array", "items": secret },
                "proxy": { "type": "object", "properties": {
                    "host": { "type": "string" },
                    "token": { "anyOf": [{ "type": "string", "writeOnly": true }, { "type": "null" }] },
                } },
                "more": { "type": "object", "additionalProperties": secret },
            },
        });
        let value = json!({
            "user": "zoe", "password": "1", "keys": ["2", "3"],
            "proxy": { "host": "h", "token": "4" }, "more": { "a": "5" },
        });
        let (kept, left_out) = without_secrets(&schema, &value);
        assert_eq!(left_out, 5);
        assert_eq!(
            Value::Object(kept),
            json!({ "user": "zoe", "keys": [], "proxy": { "host": "h" }, "more": {} })
        );
        let (kept, left_out) = without_secrets(&schema, &json!({ "user": "zoe" }));
        assert_eq!(
            (Value::Object(kept), left_out),
            (json!({ "user": "zoe" }), 0)
        );
    }
}
