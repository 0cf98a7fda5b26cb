//! The work host and the plans host (specification, section 4.5): what their tools promise beyond their tables.

mod people;
mod plan;
mod planning;
mod task;
mod weekly;

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Answer, Http, Organization};
use serde_json::{Value, json};

/// An organisation, and its owner at the work host.
pub(crate) async fn stage() -> (Organization, Caller) {
    let organization = Organization::create().await;
    let owner = Caller::of(&organization, Role::Owner).await;
    (organization, owner)
}

/// A caller of a host.
#[derive(Clone)]
pub(crate) struct Caller {
    http: Http,
    host: Host,
}

impl Caller {
    /// The account of this role, at the work host.
    pub(crate) async fn of(organization: &Organization, role: Role) -> Caller {
        Caller {
            http: organization.sign_in(role).await,
            host: Host::Work,
        }
    }

    /// The same caller at another host.
    pub(crate) fn at(&self, host: Host) -> Caller {
        Caller {
            http: self.http.clone(),
            host,
        }
    }

    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> Answer {
        self.http.call(self.host, tool, arguments).await
    }

    /// What the tool returned.
    pub(crate) async fn output(&mut self, tool: &str, arguments: Value) -> Value {
        self.call(tool, arguments).await.output().clone()
    }

    /// The record that the tool wrote.
    pub(crate) async fn record(&mut self, tool: &str, arguments: Value) -> Value {
        let output = self.output(tool, arguments).await;
        let record = output.as_object().and_then(|output| output.values().next());
        record.expect("a record").clone()
    }

    /// Its id.
    pub(crate) async fn make(&mut self, tool: &str, arguments: Value) -> Value {
        self.record(tool, arguments).await["id"].clone()
    }

    /// A task of this member.
    pub(crate) async fn task(&mut self, name: &str, owner: impl Into<Value>) -> Value {
        let task = json!({ "name": name, "stage_id": "execution", "context": {}, "owner_id": owner.into() });
        self.record("create_task", task).await
    }
}

/// A field of the records of a list.
pub(crate) fn each<'a>(output: &'a Value, list: &str, field: &str) -> Vec<&'a Value> {
    let records = output[list].as_array().expect("records");
    records.iter().map(|record| &record[field]).collect()
}
