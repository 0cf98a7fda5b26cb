//! A search over all hosts.

use super::EVERYBODY;
use crate::host::Host;
use crate::tool::{tool, tools};
use crate::value::{Line, Name};
use crate::wire::Wire;

/// The most records of a kind that a search returns.
pub const MOST_OF_A_KIND: usize = 5;
/// The most records that a search returns.
pub const MOST_FOUND: usize = 30;

/// A record that a search has found.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Hit {
    #[wire(text)]
    pub host: Host,
    /// As the keys of results name it.
    pub kind: String,
    pub id: String,
    pub name: String,
    /// What tells it from others: a guest's event, an identifier, an e-mail address.
    pub context: Option<String>,
}

/// What a search has found.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Hits {
    /// Equal names first, then those that begin with the text.
    pub hits: Vec<Hit>,
    /// Whether more was found than is listed.
    pub has_more: bool,
}

tool! {
    /// Finds members, tasks, articles, invoices and others by name, identifier or e-mail address; guests of
    /// the events next to now.
    Search = "search" on Ops, READ, for EVERYBODY => Hits {
        req {
            text: Line,
        }
        opt {
            /// Any that can be searched, such as course.
            kind: Option<Name>,
        }
    }
}

tools![Search];
