//! The Learn host (specification, section 4.4): the rules beyond its tables.

mod levels;
mod people;
mod programs;
mod progress;
mod public;
mod slugs;
mod wiki;

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Answer, Http, Organization};
use serde_json::Value;

/// An organisation, and its owner, who is a global admin.
pub(crate) async fn stage() -> (Organization, Admin) {
    let organization = Organization::create().await;
    organization.level(Role::Owner, 80).await;
    let admin = Admin(organization.sign_in(Role::Owner).await);
    (organization, admin)
}

/// A caller of the learn host.
#[derive(Clone)]
pub(crate) struct Admin(pub(crate) Http);

impl Admin {
    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> Answer {
        self.0.call(Host::Learn, tool, arguments).await
    }

    /// The tool's output.
    pub(crate) async fn output(&mut self, tool: &str, arguments: Value) -> Value {
        self.call(tool, arguments).await.output().clone()
    }

    /// The id of the record that the tool wrote.
    pub(crate) async fn make(&mut self, tool: &str, arguments: Value) -> Value {
        let output = self.output(tool, arguments).await;
        let record = output.as_object().and_then(|output| output.values().next());
        record.expect("a record")["id"].clone()
    }
}

/// The texts of a field of the records of a list.
pub(crate) fn each(output: &Value, list: &str, field: &str) -> Vec<String> {
    let records = output[list].as_array().expect("records");
    let texts = records.iter().map(|record| match &record[field] {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    });
    texts.collect()
}
