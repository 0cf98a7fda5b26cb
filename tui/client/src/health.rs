//! A host's word on itself.

use serde::Deserialize;
use serde_json::{Map, Value};

/// What `GET /health` says.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Health {
    /// `ok` where all is well.
    pub status: String,
    /// Whatever else the host says.
    #[serde(flatten)]
    pub details: Map<String, Value>,
}

impl Health {
    /// Whether all is well.
    pub fn is_ok(&self) -> bool {
        self.status == "ok"
    }
}
