//! Filling a form from JSON.

use frontdesk_protocol::exact;
use serde_json::Value;

use super::fit::{WRONG_KIND, misfit};
use super::make::Position;
use super::{Entry, Field, Json, Maker};
use crate::kind::{Additional, Kind};
use crate::path::Segment;

impl Field {
    /// Enters the value. A value that does not fit the kind is entered as JSON, so nothing is lost.
    pub(crate) fn take(&mut self, maker: &mut Maker<'_>, value: &Value) {
        let entry = match (&self.kind, value) {
            (Kind::Const(only), value) if only == value => Entry::Chosen(value.clone()),
            (_, Value::Null) => Entry::Null,
            (Kind::Number(_), Value::Number(number)) => Entry::Text(number.to_string()),
            (Kind::Number(_), value) if exact::digits(value).is_some() => {
                Entry::Text(exact::plain(value))
            }
            (Kind::Text(_), Value::String(text)) if exact::digits(value).is_none() => {
                Entry::Text(text.clone())
            }
            (Kind::Boolean, Value::Bool(_)) => Entry::Chosen(value.clone()),
            (Kind::Choice(choices), value) if choices.iter().any(|one| one.value == *value) => {
                Entry::Chosen(value.clone())
            }
            (Kind::Object(_) | Kind::Map(_), Value::Object(object)) => {
                return self.take_object(maker, object);
            }
            (Kind::List(_), Value::Array(values)) => return self.take_list(maker, values),
            (Kind::Variant(_), value) => return self.take_variant(maker, value),
            _ => Entry::Json(Json::of(value)),
        };
        self.entry = entry;
    }

    fn take_object(&mut self, maker: &mut Maker<'_>, object: &serde_json::Map<String, Value>) {
        self.open(maker);
        self.children.retain(|child| child.declared);
        for child in &mut self.children {
            match child.segment.as_ref() {
                Some(Segment::Key(key)) if object.contains_key(key) => {
                    child.take(maker, &object[key]);
                }
                _ => child.entry = Entry::Absent,
            }
        }
        let declared = self.children.len();
        for (key, value) in object {
            let is_there = |child: &Field| child.key() == Some(key);
            if !self.children[..declared].iter().any(is_there) {
                let mut child = self.free_child(maker, key);
                child.take(maker, value);
                self.children.push(child);
            }
        }
    }

    fn take_list(&mut self, maker: &mut Maker<'_>, values: &[Value]) {
        self.entry = Entry::Open;
        self.children.clear();
        for (at, value) in values.iter().enumerate() {
            let mut entry = self.list_entry(maker, at);
            entry.take(maker, value);
            self.children.push(entry);
        }
    }

    fn take_variant(&mut self, maker: &mut Maker<'_>, value: &Value) {
        let Kind::Variant(several) = &self.kind else {
            return;
        };
        let best = several
            .iter()
            .enumerate()
            .map(|(at, one)| (misfit(maker.document, &one.schema, value, 0), at))
            .min();
        match best {
            Some((misfit, at)) if misfit < WRONG_KIND => {
                self.choose(maker, at);
                if let Some(Some(body)) = self.bodies.get_mut(at) {
                    body.take(maker, value);
                }
            }
            _ => self.entry = Entry::Json(Json::of(value)),
        }
    }

    /// A field for a key that the object does not declare.
    pub(super) fn free_child(&self, maker: &mut Maker<'_>, key: &str) -> Field {
        let (values, required) = match &self.kind {
            Kind::Object(object) => (object.values.clone(), false),
            Kind::Map(map) => {
                let required = map.required.iter().any(|one| one == key);
                (map.values.clone(), required)
            }
            _ => {
                return maker.child(
                    self,
                    Segment::Key(key.to_owned()),
                    false,
                    &Value::Bool(true).into(),
                );
            }
        };
        maker.child(self, Segment::Key(key.to_owned()), required, &values)
    }

    /// A field for a list entry.
    pub(super) fn list_entry(&self, maker: &mut Maker<'_>, at: usize) -> Field {
        let item = match &self.kind {
            Kind::List(list) => list.item(at).clone(),
            _ => Value::Bool(true).into(),
        };
        maker.child(self, Segment::Index(at), true, &item)
    }

    /// Chooses an alternative and restores its previous entries.
    pub(super) fn choose(&mut self, maker: &mut Maker<'_>, at: usize) {
        let Kind::Variant(several) = &self.kind else {
            return;
        };
        let Some(alternative) = several.get(at) else {
            return;
        };
        if self.bodies.get(at).is_some_and(Option::is_none) {
            let position = Position {
                segment: self.segment.clone(),
                required: true,
                declared: self.declared,
                trail: &self.trail,
            };
            let mut body = maker.field(position, &alternative.schema);
            // A chosen alternative is opened even if it is recursive.
            if matches!(body.kind, Kind::Object(_)) && body.entry == Entry::Absent {
                body.open(maker);
            }
            self.bodies[at] = Some(body);
        }
        self.chosen = Some(at);
        self.entry = Entry::Open;
    }

    /// Whether another key can be added.
    pub(super) fn takes_keys(&self) -> bool {
        match &self.kind {
            Kind::Object(object) => object.additional != Additional::Refused,
            Kind::Map(_) => true,
            _ => false,
        }
    }
}
