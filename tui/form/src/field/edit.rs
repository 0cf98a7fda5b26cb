//! Editing a field.

use serde_json::Value;

use super::value::read_number;
use super::{Entry, Field, Json, Maker};
use crate::kind::{Choice, Kind};
use crate::path::Segment;

/// Why a field refuses an edit.
#[derive(Debug)]
pub(crate) enum Misuse {
    /// The kind does not support the edit; the supported ones.
    Kind(&'static str),
    /// The text is not one of these choices.
    Choice { text: String, choices: String },
    /// The field does not exist.
    Nothing,
    /// The object already has this key.
    KeyTaken(String),
    /// The object allows only its declared keys.
    NoMoreKeys,
    /// The number of alternatives, which is lower.
    Alternative(usize),
    /// The text is not JSON.
    NotJson(String),
}

impl Field {
    /// The field at these steps below this one. Optional fields on the way are included.
    pub(crate) fn reach(&mut self, maker: &mut Maker<'_>, steps: &[Segment]) -> Option<&mut Field> {
        let Some((step, further)) = steps.split_first() else {
            return Some(self);
        };
        if matches!(self.entry, Entry::Json(_)) || !self.leads_to(maker, step) {
            return None;
        }
        if let Kind::Variant(_) = self.kind {
            self.entry = Entry::Open;
            let body = self.bodies.get_mut(self.chosen?)?.as_mut()?;
            return body.reach(maker, steps);
        }
        if self.entry != Entry::Open {
            self.open(maker);
        }
        let is_it = |child: &&mut Field| child.segment.as_ref() == Some(step);
        let child = self.children.iter_mut().find(is_it)?;
        child.reach(maker, further)
    }

    /// Whether the field has, or would have if included, this child. For a variant without a
    /// choice, chooses the first alternative that has it.
    fn leads_to(&mut self, maker: &mut Maker<'_>, step: &Segment) -> bool {
        if let Kind::Variant(several) = &self.kind {
            let count = several.len();
            if self.chosen.is_none() {
                let before = self.entry.clone();
                for at in 0..count {
                    self.choose(maker, at);
                    let body = self.bodies.get_mut(at).and_then(Option::as_mut);
                    if body.is_some_and(|body| body.leads_to(maker, step)) {
                        return true;
                    }
                }
                (self.chosen, self.entry) = (None, before);
                return false;
            }
            let body = self.chosen.and_then(|at| self.bodies.get_mut(at));
            return match body {
                Some(Some(body)) => body.leads_to(maker, step),
                _ => false,
            };
        }
        let is_declared = match (&self.kind, step) {
            (Kind::Object(object), Segment::Key(key)) => {
                object.properties.iter().any(|one| one.name == *key)
            }
            _ => false,
        };
        let mut children = self.children.iter();
        is_declared || children.any(|child| child.segment.as_ref() == Some(step))
    }

    /// Applies the edit to the field that accepts input: the innermost body of a variant.
    pub(super) fn on_leaf<R>(&mut self, act: impl FnOnce(&mut Field) -> R) -> R {
        let body = self.chosen().and_then(|at| self.bodies.get_mut(at));
        match body {
            Some(Some(body)) => body.on_leaf(act),
            _ => act(self),
        }
    }

    /// Enters typed text according to the kind.
    pub(crate) fn type_text(&mut self, maker: &mut Maker<'_>, text: &str) -> Result<(), Misuse> {
        if matches!(self.entry, Entry::Json(_)) {
            self.entry = Entry::Json(Json::read(text));
            return Ok(());
        }
        self.entry = match &self.kind {
            Kind::Text(_) | Kind::Number(_) => Entry::Text(text.to_owned()),
            Kind::Boolean => match text.trim().to_lowercase().as_str() {
                "true" | "yes" | "y" => Entry::Chosen(true.into()),
                "false" | "no" | "n" => Entry::Chosen(false.into()),
                _ => {
                    return Err(Misuse::Choice {
                        text: text.to_owned(),
                        choices: "yes, no".to_owned(),
                    });
                }
            },
            Kind::Choice(choices) => Entry::Chosen(chosen_by(choices, text)?),
            Kind::Const(value) => Entry::Chosen(chosen_by(&[Choice::of(value.clone())], text)?),
            Kind::Variant(_) => return self.type_into_variant(maker, text),
            Kind::Raw | Kind::List(_) | Kind::Object(_) | Kind::Map(_) => {
                Entry::Json(Json::read(text))
            }
        };
        Ok(())
    }

    /// Enters text in the chosen alternative. If none is chosen: the first with exactly this value,
    /// then the first text, then the first that can parse it.
    fn type_into_variant(&mut self, maker: &mut Maker<'_>, text: &str) -> Result<(), Misuse> {
        if let Some(Some(body)) = self.chosen().and_then(|at| self.bodies.get_mut(at)) {
            return body.type_text(maker, text);
        }
        let (was_chosen, before) = (self.chosen, self.entry.clone());
        let is_value = |kind: &Kind| matches!(kind, Kind::Choice(_) | Kind::Const(_));
        let is_text = |kind: &Kind| matches!(kind, Kind::Text(_));
        let is_read = |kind: &Kind| match kind {
            Kind::Number(_) => read_number(text).is_ok(),
            kind => matches!(kind, Kind::Boolean),
        };
        let wishes: [&dyn Fn(&Kind) -> bool; 3] = [&is_value, &is_text, &is_read];
        for fits in wishes {
            for at in 0..self.bodies.len() {
                self.choose(maker, at);
                if let Some(Some(body)) = self.bodies.get_mut(at)
                    && fits(&body.kind)
                    && body.type_text(maker, text).is_ok()
                {
                    return Ok(());
                }
            }
        }
        (self.chosen, self.entry) = (was_chosen, before);
        Err(Misuse::Kind("choose what it is first"))
    }

    /// Leaves the field out. Its entries, keys and choices are dropped.
    pub(crate) fn clear(&mut self) {
        self.entry = Entry::Absent;
        self.children.clear();
        self.bodies.iter_mut().for_each(|body| *body = None);
        self.chosen = None;
    }

    pub(crate) fn set_null(&mut self) {
        self.entry = Entry::Null;
    }

    /// Switches to the next or the previous value that one key press can reach.
    pub(crate) fn toggle(&mut self, maker: &mut Maker<'_>, is_back: bool) -> Result<(), Misuse> {
        let mut states: Vec<Entry> = match &self.kind {
            Kind::Boolean => [true, false].map(|one| Entry::Chosen(one.into())).into(),
            Kind::Choice(choices) => choices
                .iter()
                .map(|choice| Entry::Chosen(choice.value.clone()))
                .collect(),
            Kind::Const(value) => vec![Entry::Chosen(value.clone())],
            Kind::Object(_) | Kind::Map(_) | Kind::List(_) => vec![Entry::Open],
            Kind::Variant(several) => {
                let count = several.len();
                let is_simple = |body: &Field| !body.kind.is_container();
                if let Some(Some(body)) = self.chosen().and_then(|at| self.bodies.get_mut(at))
                    && is_simple(body)
                    && body.toggle(maker, is_back).is_ok()
                {
                    return Ok(());
                }
                match self.chosen().map_or(0, |at| at + 1) {
                    at if at < count => self.choose(maker, at),
                    _ if self.required => self.choose(maker, 0),
                    _ => self.entry = Entry::Absent,
                }
                return Ok(());
            }
            Kind::Text(_) | Kind::Number(_) | Kind::Raw => Vec::new(),
        };
        if self.nullable {
            states.push(Entry::Null);
        }
        if states.is_empty() {
            return Err(Misuse::Kind("it has to be typed"));
        }
        if !self.required {
            states.push(Entry::Absent);
        }
        let now = states.iter().position(|state| *state == self.entry);
        let next = match now {
            None if !is_back => 0,
            now => {
                let by = if is_back { states.len() - 1 } else { 1 };
                (now.unwrap_or(0) + by) % states.len()
            }
        };
        match states.swap_remove(next) {
            Entry::Open => self.open(maker),
            state => self.entry = state,
        }
        Ok(())
    }

    pub(crate) fn choose_variant(
        &mut self,
        maker: &mut Maker<'_>,
        at: usize,
    ) -> Result<(), Misuse> {
        let Kind::Variant(several) = &self.kind else {
            return Err(Misuse::Kind("there is nothing to choose between"));
        };
        if at >= several.len() {
            return Err(Misuse::Alternative(several.len()));
        }
        self.choose(maker, at);
        Ok(())
    }

    pub(crate) fn set_json(&mut self, text: &str) {
        self.entry = Entry::Json(Json::read(text));
    }

    /// Switches to editing the current value as JSON.
    pub(crate) fn turn_into_json(&mut self) {
        if matches!(self.entry, Entry::Json(_)) {
            return;
        }
        self.entry = Entry::Json(match self.value() {
            Some(value) => Json::of(&value),
            None => Json::read(""),
        });
    }

    /// Switches from JSON back to fields, if the kind has fields.
    pub(crate) fn turn_into_fields(&mut self, maker: &mut Maker<'_>) -> Result<(), Misuse> {
        let Entry::Json(json) = &self.entry else {
            return Ok(());
        };
        if json.text().trim().is_empty() {
            self.entry = Entry::Absent;
            return Ok(());
        }
        let value = json.value().cloned();
        let value: Value = value.map_err(|why| Misuse::NotJson(why.to_owned()))?;
        self.take(maker, &value);
        Ok(())
    }
}

fn chosen_by(choices: &[Choice], text: &str) -> Result<Value, Misuse> {
    let text = text.trim();
    let by_label = choices.iter().find(|choice| choice.label == text);
    let by_value = || {
        let is_it = |choice: &&Choice| crate::kind::plain(&choice.value) == text;
        choices.iter().find(is_it)
    };
    match by_label.or_else(by_value) {
        Some(choice) => Ok(choice.value.clone()),
        None => {
            let labels: Vec<_> = choices.iter().map(|choice| choice.label.as_str()).collect();
            Err(Misuse::Choice {
                text: text.to_owned(),
                choices: labels.join(", "),
            })
        }
    }
}
