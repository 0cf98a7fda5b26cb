//! The Learn host (specification, section 4.4): the rules beyond its tables.

mod levels;
mod people;
mod programs;
mod progress;
mod public;
mod slugs;
mod wiki;

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Caller, Organization};
use serde_json::Value;

/// An organisation, and its owner, who is a global admin.
pub(crate) fn stage() -> (Organization, Caller) {
    let organization = Organization::create();
    organization.level(Role::Owner, 80);
    let admin = organization.caller(Role::Owner, Host::Learn);
    (organization, admin)
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
