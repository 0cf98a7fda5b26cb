//! The work host and the plans host (specification, sections 4.2 and 4.5): the rules beyond their tables.

mod calendar;
mod people;
mod plan;
mod planning;
mod task;
mod weekly;

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Caller, Organization};
use serde_json::{Value, json};

/// An organisation, and its owner at the work host.
pub(crate) fn stage() -> (Organization, Caller) {
    let organization = Organization::create();
    let owner = organization.caller(Role::Owner, Host::Work);
    (organization, owner)
}

/// A task of this member.
pub(crate) fn add_task(caller: &mut Caller, name: &str, owner: impl Into<Value>) -> Value {
    let task =
        json!({ "name": name, "stage_id": "execution", "context": {}, "owner_id": owner.into() });
    caller.record("create_task", task)
}

/// A field of the records of a list.
pub(crate) fn each<'a>(output: &'a Value, list: &str, field: &str) -> Vec<&'a Value> {
    let records = output[list].as_array().expect("records");
    records.iter().map(|record| &record[field]).collect()
}
