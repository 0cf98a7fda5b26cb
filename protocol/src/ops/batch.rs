//! Several calls of one host as one.

use serde_json::{Map, Value};

use super::EVERYBODY;
use crate::host::Host;
use crate::tool::{tool, tools};
use crate::value::{Arguments, Flag, Name, UpTo};
use crate::wire::Wire;

/// The maximum number of calls in a batch.
pub const MOST_CALLS: usize = 500;
/// This many calls of a batch count as one against the rate limit of their host.
pub const CALLS_PER_CHARGE: usize = 100;

/// A call in a batch.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(strict, inline)]
pub struct BatchCall {
    pub tool: Name,
    /// Its arguments.
    #[wire(default)]
    pub arguments: Arguments,
}

/// The results of a batch.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct BatchResult {
    /// Whether nothing was written.
    pub dry_run: bool,
    /// The result of each call, in their order.
    pub results: Vec<Map<String, Value>>,
}

tool! {
    /// Calls tools of one host in one transaction, all or nothing. An error names the call; nothing is written then.
    RunBatch = "run_batch" on Ops, ANY, for EVERYBODY => BatchResult {
        req {
            host: Host,
            /// Made in this order.
            calls: UpTo<BatchCall, MOST_CALLS>,
        }
        opt {
            /// Make all calls and write nothing.
            dry_run: Flag<false>,
        }
    }
}

tools![RunBatch];
