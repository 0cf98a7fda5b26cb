//! Somebody who is signed in and calls the tools of one host.

use frontdesk_protocol::{Host, Role};
use serde_json::Value;

use crate::builder::Organization;
use crate::http::{Answer, Http};

/// A caller of one host.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The client.
    pub http: Http,
    /// Whose tools it calls.
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

    /// What the tool returned.
    pub async fn output(&mut self, tool: &str, arguments: Value) -> Value {
        self.call(tool, arguments).await.output().clone()
    }

    /// The record that the tool returned.
    ///
    /// # Panics
    /// If it returned none.
    pub async fn record(&mut self, tool: &str, arguments: Value) -> Value {
        let output = self.output(tool, arguments).await;
        let record = output.as_object().and_then(|output| output.values().next());
        record.expect("a record").clone()
    }

    /// The id of the record that the tool returned.
    pub async fn make(&mut self, tool: &str, arguments: Value) -> Value {
        self.record(tool, arguments).await["id"].clone()
    }
}
