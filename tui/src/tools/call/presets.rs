//! Arguments that are kept under a name: to be used again, changed, and forgotten.

use frontdesk_client::Preset;
use frontdesk_client::presets::Kept;
use frontdesk_form::{Form, Kind, Path, State};
use serde_json::{Map, Value};

use super::{CallScreen, schema_of};
use crate::app::cx::Cx;
use crate::app::effect::{RequestId, Work};
use crate::app::presets::{PresetChange, PresetError};
use crate::tools::layers::presets::{Choice, PresetList};
use crate::ui::mark::Mark;
use crate::ui::prompt::Prompt;
use crate::ui::text::clean;

/// Characters of a name, at most.
const LONGEST: usize = 60;

/// What is known of the presets of the tool.
#[derive(Debug, Default)]
pub(super) struct Presets {
    kept: Vec<Preset>,
    /// What is told once this request is done, if it is one to be told of.
    telling: Option<(RequestId, String)>,
    /// The preset that the form was filled in from.
    from: Option<String>,
    /// Whose place the next one of this name is to take: the person was told.
    replacing: Option<String>,
    /// What was entered before the form was filled in.
    before: Option<Value>,
}

impl CallScreen {
    /// Reads the presets of the tool.
    pub(super) fn read_presets(&mut self, cx: &mut Cx) {
        self.change_presets(cx, PresetChange::Nothing);
    }

    fn change_presets(&self, cx: &mut Cx, change: PresetChange) -> RequestId {
        cx.run(Work::Presets {
            peer: self.peer.name().to_owned(),
            tool: self.tool.name.clone(),
            change,
        })
    }

    /// The presets were read or written, or could not be.
    pub(super) fn presets_came(
        &mut self,
        cx: &mut Cx,
        request: RequestId,
        result: Result<Kept, PresetError>,
    ) {
        let telling = self.presets.telling.take_if(|(asked, _)| *asked == request);
        match result {
            Ok(kept) => {
                self.presets.kept = kept.presets;
                if let Some(aside) = kept.aside {
                    let words = "The presets could not be read. Their file is kept as";
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

    /// How many presets the tool has.
    pub(super) fn preset_count(&self) -> usize {
        self.presets.kept.len()
    }

    /// Asks for the name under which to keep what is entered.
    pub(super) fn ask_preset_name(&mut self, cx: &mut Cx) {
        self.presets.replacing = None;
        let prompt = Prompt::new(
            "Keep what is entered",
            "Its name, to find it again. Passwords and the like are not kept.",
            |state, out, name| {
                let kept = state.with(out, |form: &mut CallScreen, cx| form.keep(cx, name));
                kept.unwrap_or(Ok(()))
            },
        );
        let name = self.presets.from.clone().unwrap_or_default();
        cx.raise(prompt.with(&name));
    }

    /// Keeps what is entered under this name.
    fn keep(&mut self, cx: &mut Cx, name: &str) -> Result<(), String> {
        if name.is_empty() {
            return Err("it needs a name".to_owned());
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
            return Err("there is one of this name; enter again replaces it".to_owned());
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
            0 => format!("Kept as “{name}”"),
            _ => format!("Kept as “{name}”, without what is secret"),
        };
        let request = self.change_presets(cx, PresetChange::Save(preset));
        self.presets.telling = Some((request, words));
        self.presets.from = Some(name.to_owned());
        Ok(())
    }

    /// Why there is nothing to choose.
    pub(super) fn no_presets(&self) -> Option<String> {
        let nothing = self.presets.kept.is_empty() && self.presets.before.is_none();
        nothing.then(|| "nothing is kept for this tool yet".to_owned())
    }

    /// Opens the list of presets.
    pub(super) fn choose_preset(&mut self, cx: &mut Cx) {
        let mut choices: Vec<Choice> = Vec::new();
        if let Some(before) = &self.presets.before {
            choices.push(Choice {
                name: None,
                arguments: before.clone(),
                saved_at: None,
            });
        }
        choices.extend(self.presets.kept.iter().map(|preset| Choice {
            name: Some(preset.name.clone()),
            arguments: Value::Object(preset.arguments.clone()),
            saved_at: Some(preset.saved_at),
        }));
        let list = PresetList::new(choices);
        cx.raise(list);
    }

    /// Fills the form in with what was chosen, in place of what is entered; that can be had back.
    pub(crate) fn use_preset(&mut self, choice: &Choice) {
        let entered = self.form.value();
        let is_worth_it = entered != self.initial && entered != choice.arguments;
        self.presets.before = is_worth_it.then_some(entered);
        self.presets.from.clone_from(&choice.name);
        self.form.fill(&choice.arguments);
        self.edited(Ok(()));
    }

    /// Forgets a preset.
    pub(crate) fn forget_preset(&mut self, cx: &mut Cx, name: &str) {
        let request = self.change_presets(cx, PresetChange::Remove(name.to_owned()));
        self.presets.telling = Some((request, format!("Forgot “{name}”")));
        self.presets.from.take_if(|from| from == name);
    }
}

/// The arguments without what the schema says is secret, and how much that was.
fn without_secrets(schema: &Value, value: &Value) -> (Map<String, Value>, usize) {
    let mut form = Form::new(schema);
    form.fill(value);
    let secrets: Vec<(Path, bool)> = form
        .rows()
        .into_iter()
        .filter(|row| row.field.state() != State::Absent)
        .filter(|row| matches!(row.field.leaf().kind(), Kind::Text(text) if text.secret))
        .map(|row| (row.path, row.field.is_declared()))
        .collect();
    // The last entries of a list first, so that the others keep their places.
    for (path, is_declared) in secrets.iter().rev() {
        // They are there: they were just found.
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
