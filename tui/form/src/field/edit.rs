//! What a person does to a field.

use serde_json::Value;

use super::{Entry, Field, Json, Maker, number};
use crate::kind::{Choice, Kind};
use crate::path::Segment;

/// Why a field does not take what was done to it.
#[derive(Debug)]
pub(crate) enum Misuse {
    /// It is of another kind; what can be done instead.
    Kind(&'static str),
    /// The text is none of these choices.
    Choice { text: String, choices: String },
    /// There is no such field.
    Nothing,
    /// The key is there already.
    KeyTaken(String),
    /// It takes no keys but its own.
    NoMoreKeys,
    /// There are only so many alternatives.
    Alternative(usize),
    /// It is not JSON.
    NotJson(String),
}

impl Field {
    /// The field at these steps below this one. What is left out on the way is included.
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

    /// Whether there is, or would be, such a field in it. Of a variant for which nothing is chosen
    /// yet, the first alternative that has it is chosen.
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

    /// Does it to the field that takes what is done: the innermost body of a variant.
    fn on_leaf<R>(&mut self, act: impl FnOnce(&mut Field) -> R) -> R {
        let body = self.chosen().and_then(|at| self.bodies.get_mut(at));
        match body {
            Some(Some(body)) => body.on_leaf(act),
            _ => act(self),
        }
    }

    /// Takes what was typed, as its kind reads it.
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

    /// What was typed goes to the chosen alternative. Before one is chosen it goes to the first that
    /// has just this value, else to the first text, else to the first that can read it.
    fn type_into_variant(&mut self, maker: &mut Maker<'_>, text: &str) -> Result<(), Misuse> {
        if let Some(Some(body)) = self.chosen().and_then(|at| self.bodies.get_mut(at)) {
            return body.type_text(maker, text);
        }
        let (was_chosen, before) = (self.chosen, self.entry.clone());
        let is_value = |kind: &Kind| matches!(kind, Kind::Choice(_) | Kind::Const(_));
        let is_text = |kind: &Kind| matches!(kind, Kind::Text(_));
        let is_read = |kind: &Kind| match kind {
            Kind::Number(_) => number::read(text).is_some(),
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

    /// Leaves it out. Entries, keys and choices are forgotten.
    pub(crate) fn clear(&mut self) {
        self.entry = Entry::Absent;
        self.children.clear();
        self.bodies.iter_mut().for_each(|body| *body = None);
        self.chosen = None;
    }

    pub(crate) fn set_null(&mut self) {
        self.entry = Entry::Null;
    }

    /// The next of the things that it can be at the press of a key.
    pub(crate) fn toggle(&mut self, maker: &mut Maker<'_>) -> Result<(), Misuse> {
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
                    && body.toggle(maker).is_ok()
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
        let next = now.map_or(0, |now| (now + 1) % states.len());
        match states.swap_remove(next) {
            Entry::Open => self.open(maker),
            state => self.entry = state,
        }
        Ok(())
    }

    /// Includes it, empty or with what its fields have.
    pub(crate) fn include(&mut self, maker: &mut Maker<'_>) -> Result<(), Misuse> {
        self.container(maker, Kind::is_container)
            .ok_or(Misuse::Kind("only lists and objects are included empty"))
    }

    /// The segment of a new entry at the end of the list.
    pub(crate) fn add_item(&mut self, maker: &mut Maker<'_>) -> Result<Segment, Misuse> {
        self.container(maker, |kind| matches!(kind, Kind::List(_)))
            .ok_or(Misuse::Kind("entries are added to lists"))?;
        Ok(self.on_leaf(|list| {
            let at = list.children.len();
            let entry = list.list_entry(maker, at);
            list.children.push(entry);
            Segment::Index(at)
        }))
    }

    /// The segment of a new key.
    pub(crate) fn add_key(&mut self, maker: &mut Maker<'_>, key: &str) -> Result<Segment, Misuse> {
        self.container(maker, |kind| matches!(kind, Kind::Map(_) | Kind::Object(_)))
            .ok_or(Misuse::Kind("keys are added to objects"))?;
        self.on_leaf(|object| {
            if !object.takes_keys() {
                return Err(Misuse::NoMoreKeys);
            }
            if object.children.iter().any(|child| child.key() == Some(key)) {
                return Err(Misuse::KeyTaken(key.to_owned()));
            }
            let child = object.free_child(maker, key);
            object.children.push(child);
            Ok(Segment::Key(key.to_owned()))
        })
    }

    /// Includes the container that it is, or that its first fitting alternative is.
    fn container(&mut self, maker: &mut Maker<'_>, fits: fn(&Kind) -> bool) -> Option<()> {
        if matches!(self.entry, Entry::Json(_)) {
            return None;
        }
        if let Kind::Variant(several) = &self.kind {
            let count = several.len();
            if self.chosen().is_none() {
                let (was_chosen, before) = (self.chosen, self.entry.clone());
                for at in 0..count {
                    self.choose(maker, at);
                    if let Some(Some(body)) = self.bodies.get_mut(at)
                        && body.container(maker, fits).is_some()
                    {
                        return Some(());
                    }
                }
                (self.chosen, self.entry) = (was_chosen, before);
                return None;
            }
            let body = self.chosen.and_then(|at| self.bodies.get_mut(at));
            return body?.as_mut()?.container(maker, fits);
        }
        if !fits(&self.kind) {
            return None;
        }
        if self.entry != Entry::Open {
            self.open(maker);
        }
        Some(())
    }

    /// Takes an entry or a free key away.
    pub(crate) fn remove(&mut self, step: &Segment) -> Result<(), Misuse> {
        self.on_leaf(|leaf| {
            let is_it = |child: &Field| child.segment.as_ref() == Some(step);
            let at = leaf.children.iter().position(is_it);
            let at = at.ok_or(Misuse::Nothing)?;
            if leaf.children[at].declared {
                return Err(Misuse::Kind(
                    "it belongs to the tool and can only be left out",
                ));
            }
            leaf.children.remove(at);
            leaf.renumber();
            Ok(())
        })
    }

    /// Moves an entry of the list to another place.
    pub(crate) fn move_item(&mut self, from: usize, to: usize) -> Result<(), Misuse> {
        self.on_leaf(|leaf| {
            let is_list = matches!(leaf.kind, Kind::List(_));
            if !is_list || from >= leaf.children.len() || to >= leaf.children.len() {
                return Err(Misuse::Nothing);
            }
            let entry = leaf.children.remove(from);
            leaf.children.insert(to, entry);
            leaf.renumber();
            Ok(())
        })
    }

    fn renumber(&mut self) {
        if !matches!(self.kind, Kind::List(_)) {
            return;
        }
        for (at, child) in self.children.iter_mut().enumerate() {
            child.place_at(at);
        }
    }

    fn place_at(&mut self, at: usize) {
        let was_counted = match &self.segment {
            Some(Segment::Index(before)) => self.label == (before + 1).to_string(),
            _ => false,
        };
        if was_counted {
            self.label = (at + 1).to_string();
        }
        self.segment = Some(Segment::Index(at));
        for body in self.bodies.iter_mut().flatten() {
            body.place_at(at);
        }
    }

    /// Gives a free key another name.
    pub(crate) fn rename_key(&mut self, from: &str, to: &str) -> Result<(), Misuse> {
        self.on_leaf(|leaf| {
            if from != to && leaf.children.iter().any(|child| child.key() == Some(to)) {
                return Err(Misuse::KeyTaken(to.to_owned()));
            }
            let mut children = leaf.children.iter_mut();
            match children.find(|child| child.key() == Some(from)) {
                None => Err(Misuse::Nothing),
                Some(child) if child.declared => Err(Misuse::Kind("its name belongs to the tool")),
                Some(child) => {
                    child.rename(to);
                    Ok(())
                }
            }
        })
    }

    fn rename(&mut self, key: &str) {
        let segment = Segment::Key(key.to_owned());
        if Some(&self.label) == self.key().map(super::in_words).as_ref() {
            self.label = super::in_words(key);
        }
        self.segment = Some(segment);
        for body in self.bodies.iter_mut().flatten() {
            body.rename(key);
        }
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

    /// Shows what it has as JSON, to be edited so.
    pub(crate) fn turn_into_json(&mut self) {
        if matches!(self.entry, Entry::Json(_)) {
            return;
        }
        self.entry = Entry::Json(match self.value() {
            Some(value) => Json::of(&value),
            None => Json::read(""),
        });
    }

    /// Makes fields of the JSON again, where its kind has fields for it.
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
