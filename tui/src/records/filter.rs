//! Filters of a list: by arguments of its tool, by records reached through references, and by
//! predicates of its view.

mod saved;

use std::collections::{HashMap, HashSet};

use frontdesk_client::CallError;
use serde_json::{Map, Value};

use super::kind::{self, Kind, ListTool};
use super::record::Record;
use super::view::{IndirectFilter, OwnFilter, View};
use crate::app::cx::Cx;
use crate::app::effects::call::Answer;
use crate::app::owner::RequestId;
use crate::app::peer::Peer;
use crate::app::remote::Remote;
use crate::app::shared::{Session, Shared};
use crate::fields::cell::{self, value_words};
use crate::fields::title;
use crate::look::time;

/// Maximum number of offered values of a field.
const MOST: usize = 20;
/// Up to this many records are offered by name; with more, the user chooses from their list.
const FEW: usize = 4;

/// The active filters of a list.
#[derive(Debug, Clone, Default)]
pub(crate) struct Filters {
    arguments: Map<String, Value>,
    indirect: Option<Reached>,
    /// One at a time: they can exclude each other.
    own: Option<&'static OwnFilter>,
    /// The values of comparable fields in all records so far: once one is chosen, the others are no longer loaded.
    seen: HashMap<String, Vec<Value>>,
}

/// The filtering record, and the ids of the records in it.
#[derive(Debug, Clone)]
struct Reached {
    indirect: &'static IndirectFilter,
    id: String,
    held: Remote<HashSet<String>>,
}

/// A possible filter.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    /// Its text: "Status: done".
    pub(crate) words: String,
    by: By,
    /// Whether it is active.
    pub(crate) is_chosen: bool,
}

/// The criterion of a filter.
#[derive(Debug, Clone)]
enum By {
    /// The argument has this value.
    Value(String, Value),
    /// The argument is a record that the user chooses.
    Chosen(String, &'static Kind),
    /// A record reached through others.
    Indirect(&'static IndirectFilter, &'static Kind),
    /// A predicate of the view on the loaded records.
    Own(&'static OwnFilter),
}

impl Choice {
    /// The kind of record that the user must choose first.
    pub(crate) fn asks_for(&self) -> Option<&'static Kind> {
        match self.by {
            By::Value(..) | By::Own(_) => None,
            By::Chosen(_, kind) | By::Indirect(_, kind) => Some(kind).filter(|_| !self.is_chosen),
        }
    }
}

impl Filters {
    /// All filters: values of the tool's arguments, and values of comparable fields in the loaded
    /// records. For references to many records, one entry opens their list. Then the filters of the
    /// view, without arguments it handles itself.
    pub(crate) fn choices(
        &self,
        list: &ListTool,
        view: &'static View,
        has_more: bool,
        shared: &Shared,
    ) -> Vec<Choice> {
        let value = |name: &str, value: &Value| Choice {
            words: words(name, value, shared),
            by: By::Value(name.to_owned(), value.clone()),
            is_chosen: self.arguments.get(name) == Some(value),
        };
        let few = list.filters.iter();
        let few = few.filter(|filter| !view.covered.contains(&filter.name.as_str()));
        let few = few.flat_map(|filter| filter.values.iter().map(|one| (&filter.name, one)));
        let mut choices: Vec<Choice> = few.map(|(name, one)| value(name, one)).collect();
        let ways = view.indirect_filters.iter().filter_map(|indirect| {
            let kind = kind::find(&list.tool.peer, indirect.kind)?;
            let reached = self.indirect.as_ref();
            let reached = reached.filter(|reached| std::ptr::eq(reached.indirect, indirect));
            Some(Choice {
                words: match reached {
                    Some(reached) => reached.words(shared),
                    None => title(&kind.one),
                },
                by: By::Indirect(indirect, kind),
                is_chosen: reached.is_some(),
            })
        });
        choices.extend(ways);
        for name in &list.same {
            let chosen = self.arguments.get(name);
            let id = list.tool.ids.iter().find(|id| id.name == *name);
            let kind = id.and_then(|id| kind::find(&list.tool.peer, &id.kind));
            let kind = kind.filter(|kind| kind.list().owner().is_none());
            let mut seen: Vec<&Value> = self.seen.get(name).into_iter().flatten().collect();
            seen.extend(chosen.filter(|one| !seen.contains(one)));
            match kind.filter(|_| seen.len() > FEW || has_more) {
                Some(kind) => {
                    let few = Some(&seen).filter(|seen| seen.len() <= FEW);
                    let few = few.map_or_else(|| chosen.into_iter().collect(), Vec::clone);
                    choices.extend(few.into_iter().map(|one| value(name, one)));
                    choices.push(Choice {
                        words: title(name.strip_suffix("_id").unwrap_or(name)),
                        by: By::Chosen(name.clone(), kind),
                        is_chosen: false,
                    });
                }
                None => choices.extend(seen.into_iter().map(|one| value(name, one))),
            }
        }
        choices.extend(view.filters.iter().map(|narrow| Choice {
            words: title(narrow.0),
            by: By::Own(narrow),
            is_chosen: self.own.is_some_and(|own| own.0 == narrow.0),
        }));
        choices
    }

    /// Notes the values of comparable fields in loaded records.
    pub(crate) fn note(&mut self, list: &ListTool, records: &[Record]) {
        for name in &list.same {
            let seen = self.seen.entry(name.clone()).or_default();
            for one in records.iter().map(|record| record.get(name)) {
                let is_text = one.as_str().is_some_and(|text| !text.is_empty());
                if is_text && seen.len() < MOST && !seen.contains(one) {
                    seen.push(one.clone());
                }
            }
        }
    }

    /// Whether loaded records are hidden that the host has sent.
    pub(crate) fn hides(&self) -> bool {
        self.own.is_some() || self.indirect.is_some()
    }

    /// Toggles a filter.
    pub(crate) fn turn(&mut self, choice: &Choice) {
        match (&choice.by, choice.is_chosen) {
            (By::Value(name, _), true) => drop(self.arguments.shift_remove(name)),
            (By::Value(name, value), false) => {
                self.arguments.insert(name.clone(), value.clone());
            }
            (By::Indirect(..), true) => self.indirect = None,
            (By::Own(narrow), _) => self.turn_own(narrow),
            (By::Indirect(..) | By::Chosen(..), _) => {}
        }
    }

    /// Filters by the chosen record.
    pub(crate) fn choose(&mut self, choice: &Choice, record: &Record) {
        match &choice.by {
            By::Chosen(name, _) => {
                self.arguments.insert(name.clone(), record.id().into());
            }
            By::Indirect(indirect, _) => self.reach(indirect, record),
            By::Value(..) | By::Own(_) => {}
        }
    }

    /// Toggles a predicate of the view.
    pub(crate) fn turn_own(&mut self, narrow: &'static OwnFilter) {
        let was_on = self.own.is_some_and(|own| own.0 == narrow.0);
        self.own = (!was_on).then_some(narrow);
    }

    /// Replaces all arguments.
    pub(crate) fn set(&mut self, arguments: Map<String, Value>) {
        self.arguments = arguments;
    }

    /// Filters by a record of this kind, if the tool accepts its id or one of these ways leads to
    /// it.
    pub(crate) fn narrow_by(
        &mut self,
        list: &ListTool,
        indirect: &'static [IndirectFilter],
        kind: &Kind,
        record: &Record,
    ) {
        if let Some(id) = list.tool.ids.iter().find(|id| id.kind == kind.id) {
            self.arguments.insert(id.name.clone(), record.id().into());
        } else if let Some(indirect) = indirect.iter().find(|indirect| indirect.kind == kind.id) {
            self.reach(indirect, record);
        }
    }

    fn reach(&mut self, indirect: &'static IndirectFilter, record: &Record) {
        self.indirect = Some(Reached {
            indirect,
            id: record.id().to_owned(),
            held: Remote::Idle,
        });
    }

    /// Requests the contents of the filtering record.
    pub(crate) fn ask(&mut self, cx: &mut Cx, peer: &Peer) {
        let Some(reached) = &mut self.indirect else {
            return;
        };
        let get = kind::find(peer, reached.indirect.kind).and_then(|kind| kind.get.as_ref());
        if let (Some(get), Session::In(_)) = (get, &cx.shared.session) {
            let id = Map::from_iter([(get.argument.clone(), reached.id.clone().into())]);
            let request = cx.send(get.tool.reading(id));
            reached.held.begin(request);
        }
    }

    /// Handles the answer to that request.
    pub(crate) fn answered(&mut self, cx: &mut Cx, request: RequestId, answer: &Answer) -> bool {
        let reached = self.indirect.as_mut();
        let Some(reached) = reached.filter(|reached| reached.held.waits_for(request)) else {
            return false;
        };
        let result = answer.result.as_ref().map_err(Clone::clone);
        let result = result.map(|reply| {
            let mut results = reply.value.as_object().into_iter().flat_map(Map::values);
            let held = results.find_map(|one| one.get(reached.indirect.holds)?.as_array());
            let ids = held
                .into_iter()
                .flatten()
                .filter_map(|one| one["id"].as_str());
            ids.map(str::to_owned).collect()
        });
        reached.held.finish(request, cx.now(), result);
        true
    }

    /// Whether the record passes the local filters; the host applies the arguments.
    pub(crate) fn keeps(&self, record: &Record) -> bool {
        if self.own.is_some_and(|(_, is_one)| !is_one(record)) {
            return false;
        }
        let Some(reached) = &self.indirect else {
            return true;
        };
        let id = record.text(reached.indirect.field);
        let held = reached.held.value();
        held.zip(id).is_some_and(|(held, id)| held.contains(id))
    }

    /// Whether the contents of the filtering record are being loaded.
    pub(crate) fn is_asking(&self) -> bool {
        self.indirect
            .as_ref()
            .is_some_and(|reached| reached.held.is_loading())
    }

    /// Why they could not be loaded.
    pub(crate) fn error(&self) -> Option<&CallError> {
        self.indirect.as_ref()?.held.error()
    }

    /// Removes all filters. Returns whether there were any.
    pub(crate) fn clear(&mut self) -> bool {
        let was_narrowed = !self.is_empty();
        *self = Filters {
            seen: std::mem::take(&mut self.seen),
            ..Filters::default()
        };
        was_narrowed
    }

    /// The arguments for the host.
    pub(crate) fn arguments(&self) -> &Map<String, Value> {
        &self.arguments
    }

    /// The texts of the active filters.
    pub(crate) fn chips(&self, shared: &Shared) -> Vec<String> {
        let indirect = self.indirect.iter().map(|reached| reached.words(shared));
        let arguments = self.arguments.iter();
        let arguments = arguments.map(|(name, value)| words(name, value, shared));
        let own = self.own.iter().map(|(words, _)| (*words).to_owned());
        indirect.chain(arguments).chain(own).collect()
    }

    /// Whether no filter is active.
    pub(crate) fn is_empty(&self) -> bool {
        self.arguments.is_empty() && self.indirect.is_none() && self.own.is_none()
    }
}

impl Reached {
    /// "Project: Plataforma".
    fn words(&self, shared: &Shared) -> String {
        let name = cell::name(&self.id, shared).text;
        format!("{}: {name}", title(self.indirect.kind))
    }
}

/// The text of a filter: "Status: done".
pub(crate) fn words(argument: &str, value: &Value, shared: &Shared) -> String {
    let name = argument.strip_suffix("_id").unwrap_or(argument);
    let is_id = name != argument;
    let value = match value {
        Value::String(id) if is_id => cell::name(id, shared).text,
        Value::String(text) => match text.parse() {
            Ok(at) => time::field(at, &shared.locale),
            Err(_) => value_words(value),
        },
        value => value_words(value),
    };
    format!("{}: {value}", title(name))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::records::kind;
    use crate::testing::shared;

    #[test]
    fn a_list_is_narrowed_by_the_words_of_its_schema_and_the_values_of_its_records() {
        let task = kind::all()
            .iter()
            .find(|kind| kind.id == "task")
            .expect("a kind");
        let mut shared = shared();
        shared.names.note("m1", "Ana Souza");
        let records = [
            json!({ "id": "a", "assignee_id": "m1" }),
            json!({ "id": "b" }),
        ];
        let records: Vec<Record> = records.iter().filter_map(Record::new).collect();
        let view = View::of(task, &shared);
        let mut filters = Filters::default();
        filters.note(task.list(), &records);
        let choices = filters.choices(task.list(), view, false, &shared);
        let words: Vec<&str> = choices.iter().map(|choice| choice.words.as_str()).collect();
        assert_eq!(
            words,
            [
                "Status: to do",
                "Status: in progress",
                "Status: done",
                "Assignee: Ana Souza"
            ]
        );
        filters.turn(&choices[2]);
        assert_eq!(filters.chips(&shared), ["Status: done"]);
        assert_eq!(filters.arguments()["status"], "done");
        // Toggling again removes it.
        let choices = filters.choices(task.list(), view, false, &shared);
        filters.turn(&choices[2]);
        assert!(filters.is_empty());
    }

    #[test]
    fn the_other_values_stay_on_offer_once_one_is_chosen() {
        let kind = |id: &str| kind::all().iter().find(|kind| kind.id == id);
        let guest = kind("guest").expect("a kind");
        let shared = shared();
        let records = [
            json!({ "id": "a", "role": "guest" }),
            json!({ "id": "b", "role": "speaker" }),
        ];
        let records: Vec<Record> = records.iter().filter_map(Record::new).collect();
        let view = View::of(guest, &shared);
        let mut filters = Filters::default();
        filters.note(guest.list(), &records);
        let words = |filters: &Filters, has_more| -> Vec<String> {
            let choices = filters.choices(guest.list(), view, has_more, &shared);
            choices.into_iter().map(|choice| choice.words).collect()
        };
        let all = words(&filters, false);
        assert!(all.contains(&"Role: speaker".to_owned()), "{all:?}");
        let choices = filters.choices(guest.list(), view, false, &shared);
        let role = choices.iter().find(|choice| choice.words == "Role: guest");
        filters.turn(role.expect("a role"));
        // The host sends only those now.
        filters.note(guest.list(), &records[..1]);
        assert_eq!(words(&filters, false), all);
        // Of a list that is partly loaded, others may not have been seen.
        assert!(words(&filters, true).contains(&"Member".to_owned()));
    }
}
