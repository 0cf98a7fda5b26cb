//! A caller of one host.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Answer, Http, Organization};
use serde_json::Value;

/// A signed-in caller of a host.
pub(crate) struct Caller {
    http: Http,
    host: Host,
}

impl Caller {
    /// The account of this role.
    pub(crate) async fn of(organization: &Organization, role: Role, host: Host) -> Caller {
        Caller {
            http: organization.sign_in(role).await,
            host,
        }
    }

    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> Answer {
        self.http.call(self.host, tool, arguments).await
    }

    /// The output of a tool that must succeed.
    pub(crate) async fn output(&mut self, tool: &str, arguments: Value) -> Value {
        self.call(tool, arguments).await.output().clone()
    }

    /// The record that the tool wrote or got, or the list that it got.
    pub(crate) async fn get(&mut self, tool: &str, arguments: Value) -> Value {
        let output = self.output(tool, arguments).await;
        let first = output.as_object().and_then(|output| output.values().next());
        first.expect("a result").clone()
    }

    /// The id of the record that the tool wrote.
    pub(crate) async fn make(&mut self, tool: &str, arguments: Value) -> Value {
        self.get(tool, arguments).await["id"].clone()
    }
}

/// Asserts that the tool refused with this code, named this argument, and said this.
#[track_caller]
pub(crate) fn says(answer: &Answer, code: &str, field: &str, message: &str) {
    answer.refuses(code, field);
    assert_eq!(answer.tool_error()["message"], message);
}
