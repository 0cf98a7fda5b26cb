//! Choosing records for fields with ids.

use std::collections::BTreeMap;

use frontdesk_client::server::About;
use frontdesk_form::{Entry, Field, Kind, Path, State};
use serde_json::Value;

use super::CallScreen;
use crate::app::cx::Cx;
use crate::app::effects::call::Method;
use crate::app::peer::Peer;
use crate::app::shared::Shared;
use crate::call_form::source::{self, getter, kind_by_name, lister};
use crate::records::chooser::call::{Call, Read};
use crate::records::chooser::{self, Chooser, Chosen, Step, Supply};
use crate::records::found::Found;
use crate::records::kind as kinds;
use crate::records::offered::want_offer;
use crate::records::references::{all_kinds, declared, declared_kind};

/// References in the form, and the names of their records.
#[derive(Debug, Default)]
pub(super) struct References {
    /// For a declared tool: its arguments, with the kinds of ids.
    declared: Option<Value>,
    /// The names of chosen and loaded records, by id as typed.
    pub(super) names: BTreeMap<String, String>,
}

impl CallScreen {
    /// Determines the references, and what other hosts that list their records offer.
    pub(super) fn find_references(&mut self, cx: &mut Cx) {
        self.references.declared = declared(&self.peer, &self.tool.name);
        if let (Peer::Host(own), Some(arguments)) = (&self.peer, &self.references.declared) {
            let kinds = all_kinds(arguments);
            let kinds = kinds.iter().filter_map(|id| kinds::find(*own, id));
            for kind in kinds.filter(|kind| kind.peer != self.peer) {
                want_offer(cx, &kind.peer);
            }
        }
    }

    /// The kind of record whose id the field or its entries hold.
    pub(super) fn kind(&self, shared: &Shared, path: &Path) -> Option<String> {
        match &self.references.declared {
            Some(arguments) => declared_kind(arguments, path),
            None if shared.settings.picks_by_name => kind_by_name(&self.tool.name, path),
            None => None,
        }
    }

    /// The steps to a record for the field.
    fn steps(&self, shared: &Shared, path: &Path) -> Option<Vec<Step>> {
        let field = self.form.field(path)?;
        let takes_ids = match field.leaf().kind() {
            Kind::Text(text) => !text.secret,
            Kind::Number(_) | Kind::List(_) => true,
            _ => false,
        };
        if !takes_ids || matches!(field.leaf().entry(), Entry::Json(_)) {
            return None;
        }
        if self.method != Method::Tool {
            return Some(vec![self.suggestions(shared, path)?]);
        }
        let kind = self.kind(shared, path)?;
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
        match &self.peer {
            Peer::Host(host) => chooser::steps_to(*host, &kind, shared, &entered),
            Peer::Server(_) => {
                let source = lister(shared.tools.get(&self.peer)?, &kind)?;
                Some(source::steps(&self.peer, source, &entered))
            }
        }
    }

    /// The server's suggestions for an argument of a prompt or a template.
    fn suggestions(&self, shared: &Shared, path: &Path) -> Option<Step> {
        let Peer::Server(server) = &self.peer else {
            return None;
        };
        let completes = shared.abouts.get(server).is_some_and(About::completes);
        let argument = path.last_key().filter(|_| completes)?.to_owned();
        let call = Call {
            peer: self.peer.clone(),
            tool: self.tool.name.clone(),
            search: Some(argument.clone()),
            must_search: false,
            limit: None,
            read: Read::List("value".to_owned()),
            method: Method::Complete(argument.clone()),
        };
        let mut given = self.arguments();
        given.remove(&argument);
        Some(Step {
            given,
            ..Step::of(&argument, Supply::Call(Box::new(call)))
        })
    }

    /// Whether records can be chosen for the field.
    pub(super) fn has_list(&self, shared: &Shared, path: &Path) -> bool {
        self.steps(shared, path).is_some()
    }

    /// The tool that gets one record of this kind, with its argument.
    pub(super) fn getter(&self, shared: &Shared, kind: &str) -> Option<(String, String)> {
        match &self.peer {
            Peer::Host(host) => {
                let kind = kinds::find(*host, kind).filter(|kind| kind.peer == self.peer)?;
                let get = kind.get.as_ref();
                let get = get.filter(|get| get.tool.not_offered(shared).is_none())?;
                Some((get.tool.name.clone(), get.argument.clone()))
            }
            Peer::Server(_) if shared.settings.picks_by_name => {
                getter(shared.tools.get(&self.peer)?, kind)
            }
            Peer::Server(_) => None,
        }
    }

    /// Why no record can be chosen for the focused field.
    pub(super) fn no_list(&self, shared: &Shared) -> Option<String> {
        if self.has_list(shared, &self.focus) {
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
        is_open && self.has_list(shared, &self.focus)
    }

    /// Opens the list of records for the focused field.
    pub(super) fn pick(&mut self, cx: &mut Cx) {
        let Some(steps) = self.steps(cx.shared, &self.focus) else {
            return;
        };
        let several = self.focused().filter(|field| is_list(field)).map(|field| {
            let ids = field.leaf().children().iter();
            ids.filter_map(Field::value).collect()
        });
        let path = self.focus.clone();
        let chooser = Chooser::new(steps, cx.shared, move |state, out, chosen| {
            state.act::<CallScreen>(out, |form, cx| form.picked(cx, &path, &chosen));
        });
        chooser.several(several).open(cx);
    }

    /// Enters the chosen record in its field.
    fn picked(&mut self, cx: &mut Cx, path: &Path, chosen: &Chosen) {
        for (argument, found) in &chosen.on_the_way {
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
        let found = &chosen.found;
        self.note(found);
        let result = match self.form.field(path).filter(|field| is_list(field)) {
            Some(field) => {
                let mut entries = field.leaf().children().iter();
                match entries.position(|entry| entry.value().as_ref() == Some(&found.id)) {
                    Some(at) => self.form.remove(&path.index(at)),
                    None => {
                        let added = self.form.add_item(path);
                        added.and_then(|path| self.form.set(&path, &found.id))
                    }
                }
            }
            None => self.form.set(path, &found.id),
        };
        self.edited(result);
        self.chosen(cx, path, found);
    }

    /// Stores the name of a record.
    pub(super) fn note(&mut self, found: &Found) {
        let id = found.id_text();
        if id != found.name {
            self.references.names.insert(id, found.name.clone());
        }
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
