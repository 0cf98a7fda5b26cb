//! Editing a long text or JSON in the user's own editor.

use frontdesk_form::{Entry, Field, Kind, Path};
use serde_json::Value;

use super::CallScreen;
use super::editing::{has_lines, is_json};
use crate::app::cx::Cx;
use crate::app::effects::editor::{Draft, EditorError};
use crate::app::effects::effect::Effect;
use crate::app::owner::RequestId;
use crate::app::shared::Shared;
use crate::look::mark::Mark;

/// The field in the editor.
#[derive(Debug)]
pub(super) struct Out {
    request: RequestId,
    path: Path,
    is_json: bool,
}

impl CallScreen {
    /// Why the focused field cannot be edited in an editor.
    pub(super) fn no_editor(&self, shared: &Shared) -> Option<String> {
        if !shared.has_editor {
            return Some(EditorError::NotSet.to_string());
        }
        match self.focused().and_then(draft) {
            Some(_) => None,
            None => Some("only texts, JSON, lists and objects can be edited there".to_owned()),
        }
    }

    /// Whether the help of the field mentions the editor: the text is probably long.
    pub(super) fn invites_editor(&self, shared: &Shared) -> bool {
        shared.has_editor && self.focused().is_some_and(has_lines)
    }

    /// Opens the focused field in the editor.
    pub(super) fn open_editor(&mut self, cx: &mut Cx) {
        let Some((draft, is_json)) = self.focused().and_then(draft) else {
            return;
        };
        let request = cx.shared.next_id();
        self.out = Some(Out {
            request,
            path: self.focus.clone(),
            is_json,
        });
        cx.out.effects.push(Effect::Edit {
            request,
            owner: cx.owner,
            draft,
        });
    }

    /// The editor has ended.
    pub(super) fn came_back(
        &mut self,
        cx: &mut Cx,
        request: RequestId,
        result: Result<String, EditorError>,
    ) {
        let Some(out) = self.out.take_if(|out| out.request == request) else {
            return;
        };
        let text = match result {
            Ok(text) => text,
            Err(error) => {
                cx.toast(Mark::Bad, error.to_string());
                return;
            }
        };
        self.focus = out.path.clone();
        if !out.is_json {
            let result = self.form.set_text(&out.path, &text);
            self.edited(result);
            return;
        }
        let was_json = self.form.field(&out.path).is_some_and(is_json);
        let result = self.form.set_json(&out.path, &text);
        // Valid JSON becomes fields again; invalid JSON is kept as text.
        let is_fine = result.is_ok() && serde_json::from_str::<Value>(&text).is_ok();
        let result = match is_fine && !was_json {
            true => self.form.as_fields(&out.path),
            false => result,
        };
        self.edited(result);
    }
}

/// The text for the editor, and whether it is JSON. Secrets, numbers and choices are edited in the
/// form.
fn draft(field: &Field) -> Option<(Draft, bool)> {
    let leaf = field.leaf();
    let json = |text: String| {
        let draft = Draft {
            text,
            suffix: ".json",
        };
        Some((draft, true))
    };
    let pretty = || {
        let value = leaf.value().unwrap_or_else(|| match leaf.kind() {
            Kind::List(_) => Value::Array(Vec::new()),
            _ => Value::Object(serde_json::Map::new()),
        });
        serde_json::to_string_pretty(&value).unwrap_or_default()
    };
    match (leaf.entry(), leaf.kind()) {
        (_, Kind::Text(text)) if text.secret => None,
        (Entry::Json(text), _) => json(text.text().to_owned()),
        (_, Kind::Raw) => json(String::new()),
        (_, kind) if kind.is_container() => json(pretty()),
        (entry, Kind::Text(kind)) if kind.format.is_none() => {
            let text = match entry {
                Entry::Text(text) => text.clone(),
                _ => String::new(),
            };
            let suffix = ".md";
            Some((Draft { text, suffix }, false))
        }
        _ => None,
    }
}
