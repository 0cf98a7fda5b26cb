//! The steps of a choice: the records that must be chosen first, then the wanted one.

use frontdesk_protocol::Host;
use serde_json::{Map, Value};

use super::call::{Call, Read};
use crate::app::effects::call::Method;
use crate::app::peer::Peer;
use crate::app::shared::Shared;
use crate::fields::names::names_of;
use crate::fields::{Field, Is};
use crate::records::found::Found;
use crate::records::kind::{self, Kind};

/// Ids that belong to records of other kinds.
const EITHER: [(&str, &[&str]); 3] = [
    ("node", &["stage", "milestone"]),
    ("material", &["lesson"]),
    ("student", &["member"]),
];

/// One step of a choice.
#[derive(Debug)]
pub(crate) struct Step {
    /// The kind in words: `guest`.
    pub(crate) one: String,
    pub(crate) supply: Supply,
    /// The known arguments of the call.
    pub(crate) given: Map<String, Value>,
    pub(crate) fills: Option<Fills>,
    pub(crate) chosen: Option<Found>,
    /// Which records these are, if not all that the caller sees.
    pub(crate) note: Option<String>,
}

/// The purpose of an earlier step.
#[derive(Debug, Clone)]
pub(crate) struct Fills {
    /// The step that needs the record.
    pub(crate) step: usize,
    /// The argument of its call.
    pub(crate) argument: String,
    /// The argument of the opener that has the same meaning.
    pub(crate) known_as: String,
}

/// The source of a step's records.
#[derive(Debug, Clone)]
pub(crate) enum Supply {
    /// The list of a kind.
    Records(&'static Kind),
    /// The records in the answer to a call.
    Call(Box<Call>),
}

/// The known value of an argument.
pub(crate) type Entered<'a> = &'a dyn Fn(&str) -> Option<Value>;

impl Step {
    /// A step without known arguments.
    pub(crate) fn of(one: &str, supply: Supply) -> Self {
        Step {
            one: one.to_owned(),
            supply,
            given: Map::new(),
            fills: None,
            chosen: None,
            note: None,
        }
    }
}

/// The steps to a record of this kind.
pub(crate) fn steps(kind: &'static Kind, entered: Entered) -> Vec<Step> {
    let step = Step::of(&kind.one, Supply::Records(kind));
    let owner = kind.list().owner();
    let owner = owner.and_then(|id| Some((&id.name, kind::find(&kind.peer, &id.kind)?)));
    match owner {
        Some((argument, owner)) => after(owner, argument, argument, step, entered),
        None => vec![step],
    }
}

/// The steps to this one, which needs the id of an owner.
fn after(
    owner: &'static Kind,
    argument: &str,
    known_as: &str,
    mut step: Step,
    entered: Entered,
) -> Vec<Step> {
    let mut all = Vec::new();
    match entered(known_as) {
        Some(value) => drop(step.given.insert(argument.to_owned(), value)),
        None => {
            all = steps(owner, entered);
            let at = all.len();
            if let Some(last) = all.last_mut() {
                last.fills = Some(Fills {
                    step: at,
                    argument: argument.to_owned(),
                    known_as: known_as.to_owned(),
                });
            }
        }
    }
    all.push(step);
    all
}

/// The steps to a record whose id has this kind, for a tool of this host: from the list of the
/// kind, otherwise from records in which the caller sees it.
pub(crate) fn steps_to(
    host: Host,
    id: &str,
    shared: &Shared,
    entered: Entered,
) -> Option<Vec<Step>> {
    let either = EITHER.iter().find(|(either, _)| *either == id);
    let ids = either.map_or(std::slice::from_ref(&id), |(_, ids)| ids);
    let one = ids.join(" or ").replace('_', " ");
    if let [only] = ids
        && let Some(kind) = kind::find(host, only)
    {
        let is_offered = kind.list().tool.not_offered(shared).is_none();
        let seen = || seen(only, &kind.one, shared);
        return match (!is_offered).then(seen).flatten() {
            Some(mut step) => {
                let place = step.note.take().unwrap_or_default();
                step.note = Some(format!("{place} You cannot list {}.", kind.many));
                Some(vec![step])
            }
            None => Some(steps(kind, entered)),
        };
    }
    inside(host, id, ids, &one, entered).or_else(|| Some(vec![seen(id, &one, shared)?]))
}

/// The records of these kinds that are contained in another one.
fn inside(host: Host, id: &str, ids: &[&str], one: &str, entered: Entered) -> Option<Vec<Step>> {
    let mut kinds: Vec<(String, String)> = ids
        .iter()
        .map(|id| {
            let kind = kind::find(host, id);
            let key = kind.map_or(format!("{id}s"), |kind| kind.list().key.clone());
            (key, (*id).to_owned())
        })
        .collect();
    // The opener can know which of the kinds it is.
    if let Some(Value::String(only)) = entered(&format!("{id}_kind")) {
        kinds.retain(|(_, id)| *id == only);
    }
    let own = || kind::all().iter().filter(|kind| kind.peer == host.into());
    let call = |tool: &str, search: Option<String>| Call {
        peer: Peer::Host(host),
        tool: tool.to_owned(),
        method: Method::Tool,
        search,
        must_search: false,
        limit: None,
        read: Read::Inside(kinds.clone()),
    };
    let whole = own().find(|kind| {
        let contained = ids.iter().filter_map(|id| kind::find(host, id));
        let mut owners = contained.filter_map(|kind| kind.list().owner());
        kind.holds && owners.any(|owner| owner.kind == kind.id)
    });
    if let Some(whole) = whole
        && let Some(get) = &whole.get
    {
        let step = Step::of(one, Supply::Call(Box::new(call(&get.tool.name, None))));
        let known_as = format!("{}_id", whole.id);
        return Some(after(whole, &get.argument, &known_as, step, entered));
    }
    // Lists that include them on request.
    own().find_map(|kind| {
        let list = kind.list();
        let mut keys = kinds.iter().map(|(key, _)| format!("include_{key}"));
        let argument = keys.find(|key| list.tool.takes(key))?;
        let call = call(&list.tool.name, list.search.clone());
        let mut step = Step::of(one, Supply::Call(Box::new(call)));
        step.given.insert(argument, true.into());
        Some(vec![step])
    })
}

/// The records to which those of another kind refer by id and name: first a kind whose records always refer to one.
fn seen(id: &str, one: &str, shared: &Shared) -> Option<Step> {
    let (always, maybe): (Vec<_>, Vec<_>) = kind::all().iter().partition(|kind| {
        let create = kind.create.as_ref();
        create.is_some_and(|tool| tool.ids.iter().any(|one| one.kind == id && one.is_required))
    });
    always.into_iter().chain(maybe).find_map(|kind| {
        let list = kind.list();
        if list.owner().is_some() || list.tool.not_offered(shared).is_some() {
            return None;
        }
        let refers = |field: &&Field| field.is == Is::Reference(id.to_owned());
        let field = kind.fields.iter().find(refers)?;
        let [after_field, after_kind] = names_of(&field.name, id);
        let names = [after_field, after_kind, id.to_owned()];
        let name = names.iter().find(|name| kind.field(name).is_some())?;
        let call = Call {
            peer: kind.peer.clone(),
            tool: list.tool.name.clone(),
            method: Method::Tool,
            search: None,
            must_search: false,
            limit: list.most.map(|most| ("limit".to_owned(), most)),
            read: Read::Seen {
                key: list.key.clone(),
                id: field.name.clone(),
                name: name.clone(),
            },
        };
        Some(Step {
            note: Some(format!("Only those of {} that you see.", kind.many)),
            ..Step::of(one, Supply::Call(Box::new(call)))
        })
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::records::references::all_kinds;
    use crate::testing::{shared, tools};

    /// The steps as words: the kind of each, and the tool that supplies it.
    fn words(steps: Option<Vec<Step>>) -> Vec<String> {
        let steps = steps.expect("steps").into_iter();
        let words = steps.map(|step| match &step.supply {
            Supply::Records(kind) => format!("{}: {}", step.one, kind.list().tool.name),
            Supply::Call(call) => format!("{}: {} of {}", step.one, call.tool, call.peer.name()),
        });
        words.collect()
    }

    fn nothing(_: &str) -> Option<Value> {
        None
    }

    #[test]
    fn what_a_list_requires_is_chosen_first_unless_it_is_known() {
        let shared = shared();
        let of = |entered: Entered| words(steps_to(Host::Learn, "milestone", &shared, entered));
        assert_eq!(
            of(&nothing),
            [
                "program: list_programs",
                "stage: list_stages",
                "milestone: list_milestones"
            ]
        );
        let entered = |name: &str| (name == "program_id").then(|| json!("p"));
        let steps = steps_to(Host::Learn, "milestone", &shared, &entered).expect("steps");
        assert_eq!(steps[0].given["program_id"], "p");
        assert_eq!(steps.len(), 2);
    }

    #[test]
    fn records_of_other_hosts_and_inside_others_are_offered() {
        let shared = shared();
        let of = |host, id| words(steps_to(host, id, &shared, &nothing));
        assert_eq!(of(Host::Events, "member"), ["member: list_members"]);
        assert_eq!(
            of(Host::Learn, "node"),
            [
                "program: list_programs",
                "stage or milestone: get_program of learn"
            ]
        );
        assert_eq!(
            of(Host::Work, "occurrence"),
            ["occurrence: list_meeting_series of work"]
        );
    }

    #[test]
    fn who_cannot_list_the_records_is_offered_those_of_other_lists() {
        let mut shared = shared();
        let mut work = tools(Host::Work);
        work.retain(|tool| tool.name != "list_business_units");
        shared.tools.insert(Peer::Host(Host::Work), work);
        let steps = steps_to(Host::Events, "business_unit", &shared, &nothing).expect("steps");
        assert_eq!(
            steps[0].note.as_deref(),
            Some("Only those of events that you see. You cannot list business units.")
        );
        assert_eq!(words(Some(steps)), ["business unit: list_events of events"]);
    }

    #[test]
    fn every_id_in_every_form_can_be_chosen() {
        let shared = shared();
        let missing = Host::ALL
            .into_iter()
            .flat_map(Host::tools)
            .flat_map(|tool| {
                let mut ids = all_kinds(&tool.arguments());
                let host = tool.host;
                let shared = &shared;
                // A change can be of any record: the record's own screen asks for its changes.
                ids.retain(|id| id != "record" && steps_to(host, id, shared, &nothing).is_none());
                ids.into_iter().map(move |id| format!("{} {id}", tool.name))
            });
        assert_eq!(missing.collect::<Vec<_>>(), [""; 0]);
    }
}
