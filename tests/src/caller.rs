//! A signed-in caller of one host's tools.

use frontdesk_protocol::{Host, Role};
use serde_json::Value;

use crate::builder::Organization;
use crate::http::{Answer, Http};

/// A caller of one host.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The client.
    pub http: Http,
    /// The host that it calls.
    pub host: Host,
}

impl Organization {
    /// A caller of this host, signed in as this role.
    pub async fn caller(&self, role: Role, host: Host) -> Caller {
        let http = self.sign_in(role).await;
        Caller { http, host }
    }
}

impl Caller {
    /// Calls a tool.
    pub async fn call(&mut self, tool: &str, arguments: Value) -> Answer {
        self.http.call(self.host, tool, arguments).await
    }

    /// Calls a tool and returns its output.
    pub async fn output(&mut self, tool: &str, arguments: Value) -> Value {
        self.call(tool, arguments).await.output().clone()
    }

    /// Calls a tool and returns the record.
    ///
    /// # Panics
    ///
    /// If the output is not a record.
    pub async fn record(&mut self, tool: &str, arguments: Value) -> Value {
        let output = self.output(tool, arguments).await;
        let record = output.as_object().and_then(|output| output.values().next());
        record.expect("a record").clone()
    }

    /// Calls a tool and returns the id of the record.
    pub async fn make(&mut self, tool: &str, arguments: Value) -> Value {
        self.record(tool, arguments).await["id"].clone()
    }
}
