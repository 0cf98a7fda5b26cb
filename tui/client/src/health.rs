//! The health of a host.

use serde::Deserialize;
use serde_json::{Map, Value};

/// The answer of `GET /health`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Health {
    /// `ok` if the host is healthy.
    pub status: String,
    /// Further fields of the answer.
    #[serde(flatten)]
    pub details: Map<String, Value>,
}

impl Health {
    /// Whether the host is healthy.
    pub fn is_ok(&self) -> bool {
        self.status == "ok"
    }
}
