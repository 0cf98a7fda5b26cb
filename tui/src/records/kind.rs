//! Kinds of records of all hosts: their fields, and the tools that list, get, create, change and delete them.

mod derive;
mod description;

use std::sync::LazyLock;

use frontdesk_protocol::Host;
use serde_json::{Map, Value};

use description::Description;

use crate::app::peer::Peer;
use crate::fields::{Field, Is};

static ALL: LazyLock<Vec<Kind>> = LazyLock::new(|| derive::kinds(&Host::ALL.map(Description::of)));

/// A kind of record that a host lists.
#[derive(Debug)]
pub(crate) struct Kind {
    /// The peer that lists it.
    pub(crate) peer: Peer,
    /// The kind as named by arguments with its ids: `business_unit`.
    pub(crate) id: String,
    /// Singular: `business unit`.
    pub(crate) one: String,
    /// Plural: `business units`.
    pub(crate) many: String,
    /// The fields, in the order of the schema.
    pub(crate) fields: Vec<Field>,
    /// The field with one of a few words, by which people group the records.
    pub(crate) state: Option<String>,
    /// The argument for the record that it belongs to.
    pub(crate) parent: Option<String>,
    /// The field for its place among the records of the same parent.
    pub(crate) position: Option<String>,
    /// The tools that list it, the most general first; never empty.
    pub(crate) lists: Vec<ListTool>,
    pub(crate) get: Option<Taker>,
    /// Whether a single record contains records of other kinds.
    pub(crate) holds: bool,
    pub(crate) create: Option<Tool>,
    pub(crate) update: Option<Taker>,
    pub(crate) delete: Option<Taker>,
    /// All other tools that take its id.
    pub(crate) actions: Vec<Taker>,
}

/// A tool, as its peer describes it.
#[derive(Debug, Clone)]
pub(crate) struct Tool {
    pub(crate) peer: Peer,
    pub(crate) name: String,
    /// The name for people.
    pub(crate) title: String,
    pub(crate) is_read_only: bool,
    /// The names of its arguments.
    pub(crate) takes: Vec<String>,
    /// The arguments that are ids of a record.
    pub(crate) ids: Vec<IdArgument>,
}

/// A tool that lists records.
#[derive(Debug)]
pub(crate) struct ListTool {
    pub(crate) tool: Tool,
    /// The key of the records in its result.
    pub(crate) key: String,
    /// Arguments with few possible values.
    pub(crate) filters: Vec<Filter>,
    /// Other arguments that filter by the field of the same name.
    pub(crate) same: Vec<String>,
    /// The argument for a search text.
    pub(crate) search: Option<String>,
    /// Maximum page size; `None` without paging.
    pub(crate) most: Option<u64>,
}

/// An argument that is the id of a record.
#[derive(Debug, Clone)]
pub(crate) struct IdArgument {
    pub(crate) name: String,
    /// The kind of the record, as named by ids.
    pub(crate) kind: String,
    pub(crate) is_required: bool,
}

/// An argument with few possible values, used as a filter.
#[derive(Debug)]
pub(crate) struct Filter {
    pub(crate) name: String,
    pub(crate) values: Vec<Value>,
}

/// A tool that takes the id of a record.
#[derive(Debug, Clone)]
pub(crate) struct Taker {
    pub(crate) tool: Tool,
    /// The argument for the id.
    pub(crate) argument: String,
}

/// A list of one kind that can be restricted to a record of another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tab {
    pub(crate) kind: &'static Kind,
    pub(crate) list: &'static ListTool,
    pub(crate) argument: &'static IdArgument,
}

/// All kinds, by host.
pub(crate) fn all() -> &'static [Kind] {
    &ALL
}

/// The kind for ids of this name: the peer's own, otherwise that of the only other one that lists
/// it.
pub(crate) fn find(peer: impl Into<Peer>, id: &str) -> Option<&'static Kind> {
    let peer = peer.into();
    let mut named = all().iter().filter(|kind| kind.id == id);
    let own = named.clone().find(|kind| kind.peer == peer);
    own.or_else(|| named.next().filter(|_| named.next().is_none()))
}

/// The kind of the records in a field of this name, if the peer lists them under it.
pub(crate) fn inside(peer: impl Into<Peer>, field: &str) -> Option<&'static Kind> {
    let peer = peer.into();
    let mut kinds = all().iter().filter(|kind| kind.peer == peer);
    kinds.find(|kind| kind.list().key == field)
}

impl Kind {
    /// The host that lists it, if it is one of ours.
    pub(crate) fn host(&self) -> Option<Host> {
        self.peer.host()
    }

    /// The default list tool.
    pub(crate) fn list(&self) -> &ListTool {
        &self.lists[0]
    }

    /// The tools that take an id: update and delete first.
    pub(crate) fn takers(&self) -> impl Iterator<Item = &Taker> {
        let usual = [&self.update, &self.delete];
        usual.into_iter().flatten().chain(&self.actions)
    }

    /// The field of this name.
    pub(crate) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The state with its words.
    pub(crate) fn state_field(&self) -> Option<(&Field, &[String])> {
        let field = self.field(self.state.as_deref()?)?;
        match &field.is {
            Is::State(words) => Some((field, words)),
            _ => None,
        }
    }

    /// The state if it is yes or no, with the tool that sets nothing else.
    pub(crate) fn switch(&self) -> Option<(&Field, &Taker)> {
        let field = self.field(self.state.as_deref()?)?;
        let sets = |taker: &&Taker| taker.tool.takes.len() == 2 && taker.tool.takes(&field.name);
        let taker = self.actions.iter().find(sets)?;
        (field.is == Is::Flag).then_some((field, taker))
    }

    /// Whether the update tool takes this argument.
    pub(crate) fn changes(&self, argument: &str) -> bool {
        let update = self.update.as_ref();
        update.is_some_and(|update| update.tool.takes(argument))
    }

    /// The position of a record.
    pub(crate) fn place<'a>(&self, record: &'a Map<String, Value>) -> Option<&'a Value> {
        record.get(self.position.as_deref()?)
    }

    /// The position for a new record after all these, if records have positions.
    pub(crate) fn last_place<'a>(
        &self,
        places: impl Iterator<Item = &'a Value>,
    ) -> Option<(String, Value)> {
        let create = self.create.as_ref()?;
        let position = self.position.as_ref().filter(|one| create.takes(one))?;
        let last = places.filter_map(Value::as_f64);
        let last = last.fold(0.0, f64::max) as i64;
        Some((position.clone(), (last + 1).into()))
    }

    /// The position, if the update tool takes it.
    pub(crate) fn movable(&self) -> Option<&str> {
        let position = self.position.as_deref();
        position.filter(|position| self.changes(position))
    }

    /// The field with the name of a record.
    pub(crate) fn name_field(&self) -> Option<&Field> {
        self.fields.iter().find(|field| field.is == Is::Name)
    }

    /// The lists that take the id of such a record: first those that require it, then those that
    /// can filter by it.
    pub(crate) fn tabs(&'static self) -> Vec<Tab> {
        let lists = all()
            .iter()
            .flat_map(|kind| kind.lists.iter().map(move |list| (kind, list)));
        let tabs = lists.flat_map(|(kind, list)| {
            let arguments = list.tool.ids.iter();
            arguments.map(move |argument| Tab {
                kind,
                list,
                argument,
            })
        });
        let mut tabs: Vec<Tab> = tabs
            .filter(|tab| {
                let about = find(&tab.kind.peer, &tab.argument.kind);
                let needs = tab.list.tool.ids.iter().filter(|id| id.is_required);
                // A list that requires another id as well cannot be requested.
                let is_enough = needs.clone().all(|id| id.name == tab.argument.name);
                about.is_some_and(|about| std::ptr::eq(about, self)) && is_enough
            })
            .collect();
        tabs.sort_by_key(|tab| !tab.argument.is_required);
        tabs
    }
}

impl ListTool {
    /// The id of the owner, if there is one.
    pub(crate) fn owner(&self) -> Option<&IdArgument> {
        self.tool.ids.iter().find(|id| id.is_required)
    }
}

impl Tool {
    /// Whether it takes this argument.
    pub(crate) fn takes(&self, argument: &str) -> bool {
        self.takes.iter().any(|name| name == argument)
    }
}

#[cfg(test)]
mod tests {
    use frontdesk_protocol::resource::Verb;

    use super::derive::{ids, required};
    use super::*;

    fn kind(id: &str) -> &'static Kind {
        let mut found = all().iter().filter(|kind| kind.id == id);
        found.next().expect("a kind")
    }

    #[test]
    fn the_declarations_say_what_can_be_done_with_a_record() {
        let guest = kind("guest");
        assert_eq!(
            (guest.one.as_str(), guest.many.as_str()),
            ("guest", "guests")
        );
        assert_eq!(guest.list().tool.name, "list_event_guests");
        assert_eq!(
            guest.list().owner().map(|id| id.name.as_str()),
            Some("event_id")
        );
        assert_eq!(guest.list().search.as_deref(), Some("search"));
        assert_eq!(guest.list().same, ["role", "member_id"]);
        let name = |taker: &Option<Taker>| taker.as_ref().map(|taker| taker.tool.name.clone());
        assert_eq!(name(&guest.get).as_deref(), Some("get_event_guest"));
        let create = guest.create.as_ref().map(|tool| tool.name.as_str());
        assert_eq!(create, Some("create_event_guest"));
        assert_eq!(name(&guest.update).as_deref(), Some("update_event_guest"));
        assert_eq!(name(&guest.delete), None);
        assert_eq!(guest.parent.as_deref(), Some("event_id"));
        let actions: Vec<_> = guest
            .actions
            .iter()
            .map(|taker| taker.tool.name.as_str())
            .collect();
        assert_eq!(
            actions,
            ["check_in_guest", "resolve_chat_id", "record_movement"]
        );
    }

    #[test]
    fn a_series_is_removed_and_has_a_name_of_its_own() {
        let series = kind("meeting");
        assert_eq!(
            (series.one.as_str(), series.many.as_str()),
            ("series", "series")
        );
        assert_eq!(series.list().search.as_deref(), Some("title_contains"));
        let delete = series.delete.as_ref().map(|taker| taker.tool.name.as_str());
        assert_eq!(delete, Some("remove_meeting_series"));
        let actions: Vec<_> = series
            .actions
            .iter()
            .map(|taker| taker.tool.name.as_str())
            .collect();
        assert_eq!(
            actions,
            [
                "add_meeting_occurrences",
                "update_meeting",
                "merge_meetings",
                "set_meeting_recurrence_time",
                "set_meeting_template"
            ]
        );
    }

    #[test]
    fn what_a_field_holds_is_read_from_all_that_is_known_of_it() {
        let is = |id: &str, field: &str| kind(id).field(field).map(|field| field.is.clone());
        assert_eq!(is("task", "id"), Some(Is::Id));
        assert_eq!(is("task", "title"), Some(Is::Name));
        assert_eq!(is("task", "description"), Some(Is::Prose));
        assert_eq!(
            is("task", "assignee_id"),
            Some(Is::Reference("member".to_owned()))
        );
        let words = ["todo", "in_progress", "done"].map(str::to_owned);
        assert_eq!(is("task", "status"), Some(Is::State(words.to_vec())));
        assert_eq!(is("task", "due_date"), Some(Is::Day));
        assert_eq!(is("expense", "vendor_name"), Some(Is::Name));
        assert_eq!(is("expense", "amount_paid"), Some(Is::Amount));
        assert_eq!(is("photo", "caption"), Some(Is::Name));
        assert_eq!(
            is("session", "guest_ids"),
            Some(Is::References("guest".to_owned()))
        );
        assert_eq!(is("guest", "check_in_at"), Some(Is::Time));
        assert_eq!(is("guest", "tags"), Some(Is::Other));
    }

    #[test]
    fn an_event_has_a_tab_for_each_list_that_takes_its_id() {
        let tabs = kind("event").tabs();
        let many: Vec<_> = tabs.iter().map(|tab| tab.kind.many.as_str()).collect();
        let own = ["sessions", "guests", "tasks", "expenses", "photos"];
        assert_eq!(many, [&own[..], &["places", "movements"]].concat());
    }

    #[test]
    fn every_list_of_every_host_is_a_kind() {
        for host in Host::ALL {
            let uses = host.kinds().flat_map(|kind| kind.uses);
            for one in uses.filter(|one| one.verb == Verb::List) {
                let is_listed = all()
                    .iter()
                    .flat_map(|kind| &kind.lists)
                    .any(|list| list.tool.peer == host.into() && list.tool.name == one.tool);
                let arguments = host.tool(one.tool).expect("a tool").arguments();
                let ids = ids(&arguments);
                let needs_words = required(&arguments)
                    .iter()
                    .any(|need| !ids.iter().any(|id| id.name == *need));
                assert!(is_listed || needs_words, "{one:?}");
            }
        }
    }
}
