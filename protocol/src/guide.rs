//! What a caller has to know about a host in addition to the entries of its tools.

use std::collections::BTreeSet;

use crate::host::Host;
use crate::resource::Verb;
use crate::role::Role;
use crate::tool::Declaration;
use crate::wire::Wire;

/// A tool of a host.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Wire)]
pub struct ToolName {
    pub host: Host,
    pub tool: String,
}

/// The tool that lists the ids of a kind of record.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Wire)]
pub struct IdSource {
    /// The kind of record.
    pub kind: String,
    // Without the list of hosts, which agents would pay for twice.
    #[wire(text)]
    pub host: Host,
    pub tool: String,
}

/// The tools of a host that a role is offered.
fn offered(host: Host, role: Role) -> impl Iterator<Item = &'static Declaration> {
    host.tools()
        .filter(move |tool| tool.audience.contains(role))
}

/// Whether what the tool changes cannot be undone.
pub fn is_lasting(tool: &Declaration) -> bool {
    tool.effect.lasting || !tool.effect.read_only && lasting(tool).is_some()
}

/// Why what a tool adds cannot be undone, if its kind of record says so.
pub fn lasting(tool: &Declaration) -> Option<&'static str> {
    let mut kinds = tool.host.kinds();
    kinds.find_map(|kind| {
        let is_used = kind.uses.iter().any(|one| one.tool == tool.name);
        kind.lasting.filter(|_| is_used)
    })
}

/// The tools of the host whose changes cannot be undone, as far as the role is offered them.
pub fn irreversible(host: Host, role: Role) -> impl Iterator<Item = ToolName> {
    let tools = offered(host, role).filter(|tool| is_lasting(tool));
    tools.map(move |tool| ToolName {
        host,
        tool: tool.name.to_owned(),
    })
}

/// The tools of other hosts that list ids for the arguments of this host, as far as the role is offered them.
pub fn sources(host: Host, role: Role) -> Vec<IdSource> {
    let own: BTreeSet<String> = offered(host, role).filter_map(Declaration::lists).collect();
    let taken = offered(host, role).flat_map(Declaration::references);
    let taken: BTreeSet<String> = taken.map(|(_, kind)| kind).collect();
    let foreign = taken.difference(&own);
    foreign
        .filter_map(|kind| {
            let others = Host::ALL.into_iter().filter(|other| *other != host);
            let lists = others.flat_map(|other| {
                let verbs = other.kinds().flat_map(|kind| kind.uses);
                let lists = verbs.filter(|one| one.verb == Verb::List);
                lists.filter_map(move |one| other.tool(one.tool))
            });
            let mut lists = lists.filter(|tool| tool.audience.contains(role));
            let tool = lists.find(|tool| tool.lists().as_ref() == Some(kind))?;
            Some(IdSource {
                kind: kind.clone(),
                host: tool.host,
                tool: tool.name.to_owned(),
            })
        })
        .collect()
}
