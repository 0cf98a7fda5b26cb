//! The tools and records of a host as plain data, wherever it comes from.

use frontdesk_protocol::reference::Returned;
use frontdesk_protocol::resource::{self, Verb};
use frontdesk_protocol::{Declaration, Host};
use serde_json::Value;

/// A host.
pub(super) struct Description {
    pub(super) host: Host,
    /// All its tools, in listing order.
    pub(super) tools: Vec<Tool>,
    pub(super) kinds: Vec<Records>,
}

/// A tool with its schemas, which are expensive to generate.
pub(super) struct Tool {
    pub(super) tool: &'static Declaration,
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
        let tools = host.tools().map(|tool| Tool {
            tool,
            arguments: tool.arguments(),
            returned: tool.returns(),
        });
        Description {
            host,
            tools: tools.collect(),
            kinds: host.kinds().map(Records::of).collect(),
        }
    }

    pub(super) fn tool(&self, name: &str) -> Option<&Tool> {
        self.tools.iter().find(|tool| tool.tool.name == name)
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
            position: field(kind.fields.position),
            uses: uses.collect(),
        }
    }
}
