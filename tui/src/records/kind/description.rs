//! The tools and records of a host as plain data, wherever it comes from.

use frontdesk_protocol::reference::Returned;
use frontdesk_protocol::resource::{self, Verb};
use frontdesk_protocol::{Declaration, Host};
use serde_json::Value;

use crate::app::peer::Peer;

/// A host or a server.
pub(super) struct Description {
    pub(super) peer: Peer,
    /// All its tools, in listing order.
    pub(super) tools: Vec<Described>,
    pub(super) kinds: Vec<Records>,
}

/// A tool with its schemas, which are expensive to generate.
pub(super) struct Described {
    pub(super) name: String,
    /// The name for people.
    pub(super) title: String,
    pub(super) is_read_only: bool,
    /// The schema of its arguments, with the kinds of ids.
    pub(super) arguments: Value,
    /// The records in its result.
    pub(super) returned: Vec<Returned>,
}

/// A kind of record.
pub(super) struct Records {
    /// The key of one record: `business_unit`.
    pub(super) singular: String,
    /// The key of a list: `business_units`.
    pub(super) plural: String,
    pub(super) name: Option<String>,
    pub(super) state: Option<String>,
    pub(super) parent: Option<String>,
    pub(super) position: Option<String>,
    /// Its tools, in listing order.
    pub(super) uses: Vec<Use>,
}

/// A tool of a kind.
pub(super) struct Use {
    pub(super) verb: Verb,
    pub(super) tool: String,
    /// The argument for the id of the record.
    pub(super) id: String,
}

impl Description {
    /// What we declare of a host.
    pub(super) fn of(host: Host) -> Self {
        Description {
            peer: host.into(),
            tools: host.tools().map(Described::of).collect(),
            kinds: host.kinds().map(Records::of).collect(),
        }
    }

    pub(super) fn tool(&self, name: &str) -> Option<&Described> {
        self.tools.iter().find(|tool| tool.name == name)
    }
}

impl Described {
    fn of(tool: &Declaration) -> Self {
        Described {
            name: tool.name.to_owned(),
            title: tool.title(),
            is_read_only: tool.effect.read_only,
            arguments: tool.arguments(),
            returned: tool.returns(),
        }
    }
}

impl Records {
    fn of(kind: &resource::Kind) -> Self {
        let uses = kind.uses.iter().map(|one| Use {
            verb: one.verb,
            tool: one.tool.to_owned(),
            id: one.id.to_owned(),
        });
        let field = |name: Option<&str>| name.map(str::to_owned);
        Records {
            singular: kind.singular.to_owned(),
            plural: kind.plural.to_owned(),
            name: field(kind.fields.name),
            state: field(kind.fields.state),
            parent: field(kind.fields.parent),
            position: field(kind.fields.position),
            uses: uses.collect(),
        }
    }
}
