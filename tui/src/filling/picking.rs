//! Choosing records for fields with ids.

use std::collections::BTreeMap;

use frontdesk_form::{Entry, Field, Kind, Path, Segment, State};
use serde_json::Value;

use super::CallScreen;
use crate::app::cx::Cx;
use crate::app::effects::effect::Owner;
use crate::app::shared::Shared;
use crate::filling::found::Found;
use crate::filling::layers::picker::{Picked, Picker};
use crate::filling::source::{Source, declared, getter, kind_by_name, lister};

/// References in the form, and the names of their records.
#[derive(Debug, Default)]
pub(super) struct References {
    /// For a declared tool: its arguments, each with the kind of record.
    declared: Option<Vec<(String, String)>>,
    /// The offered tools that list these kinds.
    sources: BTreeMap<String, Option<Source>>,
    /// The tools that get one record of a kind, each with its argument.
    getters: BTreeMap<String, Option<(String, String)>>,
    /// The names of chosen and loaded records, by id as typed.
    pub(super) names: BTreeMap<String, String>,
}

impl CallScreen {
    /// Determines the references and the tools that list their records.
    pub(super) fn find_references(&mut self, shared: &Shared) {
        let references = declared(&self.peer, &self.tool.name);
        let tools = shared.tools.get(&self.peer).map_or(&[][..], Vec::as_slice);
        let sources = references.iter().flatten().map(|(_, kind)| {
            let source = lister(&self.peer, tools, kind, shared.picks_by_name);
            (kind.clone(), source)
        });
        let getters = references.iter().flatten().map(|(_, kind)| {
            let getter = getter(&self.peer, tools, kind, shared.picks_by_name);
            (kind.clone(), getter)
        });
        self.references.getters = getters.collect();
        self.references.sources = sources.collect();
        self.references.declared = references;
    }

    /// The kind of record whose id the field or its entries hold.
    pub(super) fn kind(&self, shared: &Shared, path: &Path) -> Option<String> {
        match &self.references.declared {
            Some(arguments) => {
                let Some(Segment::Key(argument)) = path.segments().first() else {
                    return None;
                };
                let kind = arguments.iter().find(|(name, _)| name == argument);
                kind.map(|(_, kind)| kind.clone())
            }
            None if shared.picks_by_name => kind_by_name(&self.tool.name, path),
            None => None,
        }
    }

    /// The tool that lists the records for the field.
    pub(super) fn source(&self, shared: &Shared, path: &Path) -> Option<Source> {
        let field = self.form.field(path)?;
        let takes_ids = match field.leaf().kind() {
            Kind::Text(text) => !text.secret,
            Kind::Number(_) | Kind::List(_) => true,
            _ => false,
        };
        if !takes_ids || matches!(field.leaf().entry(), Entry::Json(_)) {
            return None;
        }
        let kind = self.kind(shared, path)?;
        match self.references.sources.get(&kind) {
            Some(source) => source.clone(),
            None => {
                let tools = shared.tools.get(&self.peer)?;
                lister(&self.peer, tools, &kind, shared.picks_by_name)
            }
        }
    }

    /// The tool that gets one record of this kind, with its argument.
    pub(super) fn getter(&self, shared: &Shared, kind: &str) -> Option<(String, String)> {
        match self.references.getters.get(kind) {
            Some(getter) => getter.clone(),
            None => {
                let tools = shared.tools.get(&self.peer)?;
                getter(&self.peer, tools, kind, shared.picks_by_name)
            }
        }
    }

    /// Why no record can be chosen for the focused field.
    pub(super) fn no_list(&self, shared: &Shared) -> Option<String> {
        if self.source(shared, &self.focus).is_some() {
            return None;
        }
        let kind = self.kind(shared, &self.focus);
        Some(match kind {
            Some(kind) => format!("no tool lists these records ({})", kind.replace('_', " ")),
            None => "this field does not refer to a record".to_owned(),
        })
    }

    /// Whether enter opens the list: the field is empty.
    pub(super) fn wants_list(&self, shared: &Shared) -> bool {
        let is_open = self
            .focused()
            .is_some_and(|field| matches!(field.state(), State::Absent | State::Empty));
        is_open && self.source(shared, &self.focus).is_some()
    }

    /// Opens the list of records for the focused field.
    pub(super) fn pick(&mut self, cx: &mut Cx) {
        let Some(source) = self.source(cx.shared, &self.focus) else {
            return;
        };
        let several = self.focused().filter(|field| is_list(field)).map(|field| {
            let ids = field.leaf().children().iter();
            ids.filter_map(Field::value).collect()
        });
        let value = self.form.value();
        let entered = |argument: &str| {
            let entered = value.get(argument).filter(|value| match value {
                Value::String(text) => !text.is_empty(),
                value => value.is_number(),
            });
            let path = Path::root().key(argument);
            let is_wrong = self.errors.iter().any(|error| error.path == path);
            entered.filter(|_| !is_wrong).cloned()
        };
        let picker = Picker::new(
            self.peer.clone(),
            self.focus.clone(),
            several,
            source,
            entered,
        );
        picker.open(&mut cx.on_behalf(Owner::App));
    }

    /// Enters the chosen record in its field.
    pub(crate) fn picked(&mut self, cx: &mut Cx, picked: Picked) {
        for (argument, found) in &picked.on_the_way {
            let path = Path::root().key(argument.as_str());
            let is_open = self
                .form
                .field(&path)
                .is_some_and(|field| matches!(field.state(), State::Absent | State::Empty));
            if is_open {
                self.note(found);
                let result = self.form.set(&path, &found.id);
                self.edited(result);
            }
        }
        self.note(&picked.found);
        let list = self.form.field(&picked.path).filter(|field| is_list(field));
        let result = match list {
            Some(field) => {
                let mut entries = field.leaf().children().iter();
                match entries.position(|entry| entry.value().as_ref() == Some(&picked.found.id)) {
                    Some(at) => self.form.remove(&picked.path.index(at)),
                    None => {
                        let added = self.form.add_item(&picked.path);
                        added.and_then(|path| self.form.set(&path, &picked.found.id))
                    }
                }
            }
            None => self.form.set(&picked.path, &picked.found.id),
        };
        self.edited(result);
        self.chosen(cx, &picked.path, &picked.found);
    }

    /// Stores the name of a record.
    pub(super) fn note(&mut self, found: &Found) {
        self.references
            .names
            .insert(found.id_text(), found.name.clone());
    }

    /// The name of the record whose id the field holds, if known.
    pub(super) fn name_of<'a>(&'a self, shared: &'a Shared, field: &Field) -> Option<&'a str> {
        match field.leaf().entry() {
            Entry::Text(id) => {
                let chosen = self.references.names.get(id).map(String::as_str);
                chosen.or_else(|| shared.names.get(id))
            }
            _ => None,
        }
    }
}

fn is_list(field: &Field) -> bool {
    matches!(field.leaf().kind(), Kind::List(_))
}
