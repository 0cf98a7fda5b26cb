//! Kinds of records, derived from the declarations of all hosts: their fields, and the tools that
//! list, get, create, change and delete them.

use std::sync::LazyLock;

use frontdesk_form::{Form, Path, kind::Kind as Input};
use frontdesk_protocol::reference::{Returned, is_amount, refers_to};
use frontdesk_protocol::{Declaration, Host};
use serde_json::Value;

/// Fields with the name of a record, the likeliest first.
const NAMES: [&str; 10] = [
    "name",
    "title",
    "label",
    "subject",
    "caption",
    "slug",
    "question",
    "description",
    "email",
    "url",
];

/// Words written in capitals.
const CAPITALS: [(&str, &str); 3] = [("url", "URL"), ("adr", "ADR"), ("adrs", "ADRs")];
/// The argument and field for the position of a record among others.
pub(crate) const POSITION: &str = "position";

/// Maximum page size to request.
const PAGE: u64 = 100;

static ALL: LazyLock<Vec<Kind>> = LazyLock::new(|| {
    let tools = Host::ALL.into_iter().flat_map(Host::tools);
    catalogue(&tools.map(Said::of).collect::<Vec<_>>())
});

/// A kind of record that a host lists.
#[derive(Debug)]
pub(crate) struct Kind {
    /// The host that lists it.
    pub(crate) host: Host,
    /// The kind as named by arguments with its ids: `business_unit`.
    pub(crate) id: String,
    /// Singular: `business unit`.
    pub(crate) one: String,
    /// Plural: `business units`.
    pub(crate) many: String,
    /// The fields, in the order of the schema.
    pub(crate) fields: Vec<Field>,
    /// The tools that list it, the most general first; never empty.
    pub(crate) lists: Vec<ListTool>,
    pub(crate) get: Option<Taker>,
    /// Whether a single record contains records of other kinds.
    pub(crate) holds: bool,
    pub(crate) create: Option<&'static Declaration>,
    pub(crate) update: Option<Taker>,
    pub(crate) delete: Option<Taker>,
    /// All other tools that take its id.
    pub(crate) actions: Vec<Taker>,
}

/// A tool that lists records.
#[derive(Debug)]
pub(crate) struct ListTool {
    pub(crate) tool: &'static Declaration,
    /// The names of all its arguments.
    pub(crate) takes: Vec<String>,
    /// The key of the records in its result.
    pub(crate) key: String,
    /// Arguments that are ids of other records: owners, if required.
    pub(crate) ids: Vec<IdArgument>,
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
#[derive(Debug)]
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
    pub(crate) tool: &'static Declaration,
    /// The argument for the id.
    pub(crate) argument: String,
    /// The names of all its arguments.
    pub(crate) takes: Vec<String>,
}

/// A field of a record.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    /// The label: `Due date`.
    pub(crate) title: String,
    pub(crate) is: Is,
}

/// The content of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Is {
    /// The record's own id.
    Id,
    /// The name of the record.
    Name,
    /// One of these words.
    State(Vec<String>),
    /// A timestamp.
    Time,
    /// A date.
    Day,
    /// The id of a record of this kind.
    Reference(String),
    /// Ids of records of this kind.
    References(String),
    /// A short text.
    Text,
    Number,
    /// Money.
    Amount,
    Flag,
    /// Text of several lines.
    Prose,
    /// Lists and free-form objects.
    Other,
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

/// The kind for ids of this name: the host's own, otherwise that of the only other host that lists
/// it.
pub(crate) fn find(host: Host, id: &str) -> Option<&'static Kind> {
    let mut named = all().iter().filter(|kind| kind.id == id);
    let own = named.clone().find(|kind| kind.host == host);
    own.or_else(|| named.next().filter(|_| named.next().is_none()))
}

/// The kind of the records in a field of this name, if the host lists them under it.
pub(crate) fn inside(host: Host, field: &str) -> Option<&'static Kind> {
    let mut kinds = all().iter().filter(|kind| kind.host == host);
    kinds.find(|kind| kind.list().key == field)
}

impl Kind {
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

    /// The field for progress with its values, preferably one that can be changed.
    pub(crate) fn state_field(&self) -> Option<(&Field, &[String])> {
        let states = self.fields.iter().filter_map(|field| match &field.is {
            Is::State(words) => Some((field, words.as_slice())),
            _ => None,
        });
        let mut changed = states
            .clone()
            .filter(|(field, _)| self.changes(&field.name));
        changed.next().or_else(|| states.clone().next())
    }

    /// Whether the update tool takes this argument.
    pub(crate) fn changes(&self, argument: &str) -> bool {
        let update = self.update.as_ref();
        update.is_some_and(|update| update.takes.iter().any(|name| name == argument))
    }

    /// The position for a new record after all these, if records have positions.
    pub(crate) fn last_place<'a>(
        &self,
        places: impl Iterator<Item = &'a Value>,
    ) -> Option<(String, Value)> {
        let takes = self.create?.arguments();
        let last = places.filter_map(Value::as_f64);
        let last = last.fold(0.0, f64::max) as i64;
        let has_place = properties(&takes).any(|(name, _)| name == POSITION);
        has_place.then(|| (POSITION.to_owned(), (last + 1).into()))
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
            let arguments = list.ids.iter();
            arguments.map(move |argument| Tab {
                kind,
                list,
                argument,
            })
        });
        let mut tabs: Vec<Tab> = tabs
            .filter(|tab| {
                let about = find(tab.list.tool.host, &tab.argument.kind);
                let needs = tab.list.ids.iter().filter(|id| id.is_required);
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
        self.ids.iter().find(|id| id.is_required)
    }
}

/// A name as a label: `due_date` becomes "Due date".
pub(crate) fn title(name: &str) -> String {
    let words = name.split(['_', ' ']).map(|word| {
        let capitals = CAPITALS.iter().find(|(small, _)| *small == word);
        capitals.map_or(word, |(_, capitals)| capitals)
    });
    let words = words.collect::<Vec<_>>().join(" ");
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => words,
    }
}

/// A declaration with its schemas, which are expensive to generate.
struct Said {
    tool: &'static Declaration,
    arguments: Value,
    returned: Vec<Returned>,
}

impl Said {
    fn of(tool: &'static Declaration) -> Self {
        Said {
            tool,
            arguments: tool.arguments(),
            returned: tool.returns(),
        }
    }

    /// The kind of the first returned record.
    fn kind(&self) -> Option<&str> {
        Some(&self.returned.first()?.kind)
    }

    /// The list of records it returns.
    fn lists(&self) -> Option<&Returned> {
        let is_list = |one: &&Returned| one.is_list && self.tool.effect.read_only;
        self.returned.first().filter(is_list)
    }

    /// Whether it reads a single record of this kind.
    fn gets(&self, kind: &str) -> bool {
        let first = self.returned.first();
        self.tool.effect.read_only && first.is_some_and(|one| !one.is_list && one.kind == kind)
    }
}

fn catalogue(tools: &[Said]) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = Vec::new();
    for tool in tools {
        if let Some((list, returned)) = list_tool(tool).zip(tool.lists()) {
            let host = tool.tool.host;
            let many = returned.key.replace('_', " ");
            let there = kinds
                .iter_mut()
                .find(|kind| kind.host == host && kind.id == returned.kind && kind.many == many);
            match there {
                Some(kind) => kind.lists.push(list),
                None => kinds.push(Kind {
                    host,
                    id: returned.kind.clone(),
                    one: returned.singular.replace('_', " "),
                    many,
                    fields: fields(tools, tool, &returned.schema),
                    lists: vec![list],
                    get: None,
                    holds: false,
                    create: None,
                    update: None,
                    delete: None,
                    actions: Vec::new(),
                }),
            }
        }
    }
    for kind in &mut kinds {
        let host = kind.host;
        for tool in tools.iter().filter(|tool| tool.tool.host == host) {
            add_tool(kind, tool);
        }
        kind.lists
            .sort_by_key(|list| list.ids.iter().filter(|id| id.is_required).count());
    }
    let keys = kinds
        .iter()
        .map(|kind| (kind.host, kind.list().key.clone(), kind.id.clone()));
    let keys: Vec<Key> = keys.collect();
    for kind in &mut kinds {
        let more = more_fields(tools, kind, &keys);
        kind.fields.extend(more);
        let got = getter(tools, kind).and_then(|get| get.returned.first());
        kind.holds = got.is_some_and(|got| {
            let mut fields = properties(&got.schema);
            fields.any(|(name, schema)| is_held(kind, name, schema, &keys))
        });
    }
    kinds
}

/// The host that lists a kind, the key of its records in results, and the name of their ids.
type Key = (Host, String, String);

/// Whether a field contains records of a kind that the host lists.
fn is_held(kind: &Kind, name: &str, schema: &Value, keys: &[Key]) -> bool {
    let fields = schema.pointer("/items/properties");
    let id = fields.map(|fields| fields.get("id").and_then(refers_to));
    let mut keys = keys.iter();
    keys.any(|(host, key, of)| {
        *host == kind.host && key == name && id.is_none_or(|id| id == Some(of.as_str()))
    })
}

/// Fields that only a single record has, not a listed one.
fn more_fields(tools: &[Said], kind: &Kind, keys: &[Key]) -> Vec<Field> {
    let Some((get, got)) = getter(tools, kind).and_then(|get| Some((get, get.returned.first()?)))
    else {
        return Vec::new();
    };
    let mut more = fields(tools, get, &got.schema);
    more.retain(|field| {
        let held = got.schema.pointer(&format!("/properties/{}", field.name));
        let is_held = held.is_some_and(|schema| is_held(kind, &field.name, schema, keys));
        // An embedded record: its id field is already shown.
        let is_whole = kind.field(&format!("{}_id", field.name)).is_some();
        let is_told = kind.field(&field.name).is_some() || field.name == "missing";
        !(is_told || is_held || is_whole)
    });
    for field in more.iter_mut().filter(|field| field.is == Is::Name) {
        field.is = Is::Text;
    }
    more
}

/// The tool that gets a record of the kind.
fn getter<'a>(tools: &'a [Said], kind: &Kind) -> Option<&'a Said> {
    let get = kind.get.as_ref()?.tool;
    tools.iter().find(|said| std::ptr::eq(said.tool, get))
}

/// Adds a tool to this kind.
fn add_tool(kind: &mut Kind, said: &Said) {
    let tool = said.tool;
    let ids = ids(&said.arguments);
    // A created record can refer to another one of its kind.
    let is_new = !tool.effect.read_only && !tool.effect.idempotent && !tool.effect.destructive;
    let mut own = ids.iter().filter(|id| id.kind == kind.id);
    let own = own.find(|id| id.is_required || id.name == "id" || !is_new);
    let needs = required(&said.arguments).len();
    let is_only_need = own.is_some_and(|own| needs == usize::from(own.is_required));
    let returned = &said.returned;
    let returns_one = returned
        .iter()
        .any(|one| one.kind == kind.id && !one.is_list);
    if said.lists().is_some() {
        return;
    }
    let Some(own) = own else {
        // A tool that returns more than the record has another purpose.
        let is_create = !tool.effect.read_only && !tool.effect.idempotent && returns_one;
        if is_create
            && (kind.create.is_none() || returned_keys(kind.create) > returned_keys(Some(tool)))
        {
            kind.create = Some(tool);
        }
        return;
    };
    let taker = Taker {
        tool,
        argument: own.name.clone(),
        takes: properties(&said.arguments)
            .map(|(name, _)| name.clone())
            .collect(),
    };
    let takes_more = taker.takes.len() > 1;
    let effect = tool.effect;
    let is_of_another = returned.iter().any(|one| one.kind != kind.id);
    if effect.read_only && is_only_need && said.gets(&kind.id) {
        kind.get.get_or_insert(taker);
    } else if effect.destructive && own.is_required && is_only_need && kind.delete.is_none() {
        kind.delete = Some(taker);
    } else if !effect.read_only
        && !effect.destructive
        && (own.is_required || own.name == "id")
        && is_only_need
        && takes_more
        && returns_one
        && kind.update.is_none()
    {
        kind.update = Some(taker);
    } else if own.is_required || !is_of_another {
        kind.actions.push(taker);
    }
}

fn returned_keys(tool: Option<&Declaration>) -> usize {
    let schema = tool.map(Declaration::output_schema).unwrap_or_default();
    properties(&schema).count()
}

fn list_tool(said: &Said) -> Option<ListTool> {
    let listed = said.lists()?;
    let schema = &said.arguments;
    let ids = ids(schema);
    let mut needs = required(schema).into_iter();
    // A list with a required argument that must be typed is not offered.
    if !needs.all(|need| ids.iter().any(|id| id.name == need)) {
        return None;
    }
    let texts = properties(schema).filter(|(_, schema)| is_text(schema));
    let mut searches = texts.map(|(name, _)| name);
    let search = searches
        .clone()
        .find(|name| *name == "search")
        .or_else(|| searches.find(|name| name.ends_with("_contains")));
    let filters = properties(schema).filter_map(|(name, schema)| {
        Some(Filter {
            name: name.clone(),
            values: values(schema)?,
        })
    });
    let most = schema.pointer("/properties/limit/maximum");
    let most = most.and_then(Value::as_u64).map(|most| most.min(PAGE));
    let fields = &listed.schema;
    let same = properties(schema).filter(|(name, schema)| {
        let has_field = properties(fields).any(|(field, _)| field == *name);
        has_field && (is_text(schema) || refers_to(schema).is_some()) && search != Some(*name)
    });
    let required = required(schema);
    let same = same
        .map(|(name, _)| name)
        .filter(|name| !required.contains(&name.as_str()));
    Some(ListTool {
        same: same.cloned().collect(),
        tool: said.tool,
        takes: properties(schema).map(|(name, _)| name.clone()).collect(),
        key: listed.key.clone(),
        search: search.cloned(),
        filters: filters.collect(),
        most,
        ids,
    })
}

/// The arguments that are ids of a single record.
fn ids(schema: &Value) -> Vec<IdArgument> {
    let required = required(schema);
    let ids = properties(schema).filter_map(|(name, schema)| {
        let kind = refers_to(schema).filter(|_| schema.get("items").is_none())?;
        Some(IdArgument {
            name: name.clone(),
            kind: kind.to_owned(),
            is_required: required.contains(&name.as_str()),
        })
    });
    ids.collect()
}

fn required(schema: &Value) -> Vec<&str> {
    let required = schema.get("required").and_then(Value::as_array);
    required
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> + Clone {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.into_iter().flatten()
}

/// Whether the schema allows this type, besides null.
fn is(schema: &Value, kind: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(one)) => one == kind,
        Some(Value::Array(several)) => several.iter().any(|one| one == kind),
        _ => false,
    }
}

fn is_text(schema: &Value) -> bool {
    is(schema, "string") && schema.get("enum").is_none() && schema.get("format").is_none()
}

/// The possible values, if they are few.
fn values(schema: &Value) -> Option<Vec<Value>> {
    if let Some(Value::Array(words)) = schema.get("enum") {
        return Some(
            words
                .iter()
                .filter(|word| !word.is_null())
                .cloned()
                .collect(),
        );
    }
    is(schema, "boolean").then(|| vec![Value::Bool(true), Value::Bool(false)])
}

fn fields(tools: &[Said], reads: &Said, schema: &Value) -> Vec<Field> {
    // Result schemas have no length limits: the writing tools tell short from long texts.
    let writes = tools.iter().filter(|said| {
        let is_write = said.tool.host == reads.tool.host && !said.tool.effect.read_only;
        is_write && said.kind() == reads.kind()
    });
    let written: Vec<&Value> = writes.map(|said| &said.arguments).collect();
    let forms: Vec<Form> = written.iter().map(|schema| Form::new(schema)).collect();
    let is_prose = |name: &str| {
        let path = Path::root().key(name);
        let is_prose = |form: &Form| {
            let kind = form.field(&path).map(|field| field.leaf().kind());
            matches!(kind, Some(Input::Text(text)) if text.multiline)
        };
        forms.iter().any(is_prose)
    };
    let is_money = |name: &str| {
        let argument = |schema: &&Value| {
            schema
                .pointer(&format!("/properties/{name}"))
                .is_some_and(is_amount)
        };
        written.iter().any(argument)
    };
    let mut fields: Vec<Field> = properties(schema)
        .map(|(name, schema)| Field {
            title: field_title(name),
            is: match what(name, schema) {
                Is::Text if is_prose(name) => Is::Prose,
                Is::Number if is_money(name) => Is::Amount,
                is => is,
            },
            name: name.clone(),
        })
        .collect();
    let rank = |field: &Field| match field.is {
        Is::Text => {
            let exact = NAMES.iter().position(|name| *name == field.name);
            exact.or_else(|| field.name.ends_with("_name").then_some(NAMES.len()))
        }
        _ => None,
    };
    let named = (0..fields.len()).filter_map(|at| Some((rank(&fields[at])?, at)));
    if let Some((_, at)) = named.min() {
        fields[at].is = Is::Name;
    }
    fields
}

/// The label of a field: `is_active` becomes "Active", `guest_ids` becomes "Guests".
fn field_title(name: &str) -> String {
    let name = name.strip_prefix("is_").unwrap_or(name);
    let one = name.strip_suffix("_id").or(name.strip_suffix("_at"));
    match (one, name.strip_suffix("_ids")) {
        (None, Some(several)) => title(&format!("{several}s")),
        (one, _) => title(one.unwrap_or(name)),
    }
}

fn what(name: &str, schema: &Value) -> Is {
    let format = schema.get("format").and_then(Value::as_str);
    let refers = refers_to(schema).map(str::to_owned);
    match refers {
        Some(_) if name == "id" => return Is::Id,
        Some(kind) if is(schema, "array") => return Is::References(kind),
        Some(kind) => return Is::Reference(kind),
        None => {}
    }
    if let Some(Value::Array(words)) = schema.get("enum") {
        let words = words.iter().filter_map(Value::as_str);
        return Is::State(words.map(str::to_owned).collect());
    }
    match format {
        Some("date-time") => Is::Time,
        Some("date") => Is::Day,
        _ if is(schema, "string") => Is::Text,
        _ if is(schema, "boolean") => Is::Flag,
        _ if is(schema, "integer") || is(schema, "number") => Is::Number,
        _ => Is::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(id: &str) -> &'static Kind {
        let mut found = all().iter().filter(|kind| kind.id == id);
        found.next().expect("a kind")
    }

    fn name(tool: Option<&Declaration>) -> &str {
        tool.map_or("none", |tool| tool.name)
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
        let taker = |taker: &Option<Taker>| taker.as_ref().map_or("none", |taker| taker.tool.name);
        assert_eq!(taker(&guest.get), "get_event_guest");
        assert_eq!(name(guest.create), "create_event_guest");
        assert_eq!(taker(&guest.update), "update_event_guest");
        assert_eq!(taker(&guest.delete), "none");
        let actions: Vec<_> = guest.actions.iter().map(|taker| taker.tool.name).collect();
        assert_eq!(actions, ["check_in_guest", "resolve_chat_id"]);
    }

    #[test]
    fn a_series_is_removed_and_has_a_name_of_its_own() {
        let series = kind("meeting");
        assert_eq!(
            (series.one.as_str(), series.many.as_str()),
            ("series", "series")
        );
        assert_eq!(series.list().search.as_deref(), Some("title_contains"));
        let delete = series.delete.as_ref().map(|taker| taker.tool.name);
        assert_eq!(delete, Some("remove_meeting_series"));
        let actions: Vec<_> = series.actions.iter().map(|taker| taker.tool.name).collect();
        assert_eq!(
            actions,
            [
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
        assert_eq!(many, ["sessions", "guests", "tasks", "expenses", "photos"]);
    }

    #[test]
    fn every_list_of_every_host_is_a_kind() {
        for tool in Host::ALL.into_iter().flat_map(Host::tools) {
            let Some(id) = tool.lists() else { continue };
            let is_listed = all().iter().any(|kind| {
                kind.id == id && kind.lists.iter().any(|list| list.tool.name == tool.name)
            });
            let needs_words = required(&tool.arguments())
                .iter()
                .any(|need| !ids(&tool.arguments()).iter().any(|id| id.name == *need));
            assert!(is_listed || needs_words, "{tool:?}");
        }
    }
}
