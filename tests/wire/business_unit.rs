//! Section 4.5: the tools for business units, over the wire.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Answer, Http, Organization};
use serde_json::{Value, json};

use crate::wire::events::pluck;

/// An organisation, and a client with the role finance.
struct Office {
    organization: Organization,
    finance: Http,
}

impl Office {
    fn open() -> Office {
        let organization = Organization::create();
        Office {
            finance: organization.sign_in(Role::Finance),
            organization,
        }
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Answer {
        self.finance.call(Host::Work, tool, arguments)
    }

    /// Calls a tool that must succeed; returns its record.
    fn unit(&mut self, tool: &str, arguments: Value) -> Value {
        self.call(tool, arguments).output()["business_unit"].clone()
    }
}

#[test]
fn a_business_unit_is_added_changed_and_deleted() {
    let mut office = Office::open();
    let picture = "https://example.org/unit.png";
    let arguments =
        json!({ "name": "Ateliê", "profile_image_url": picture, "tags": ["new", "a \"b\", {c}"] });
    let added = office.unit("create_business_unit", arguments.clone());
    let id = added["id"].clone();
    let mut expected = arguments;
    expected["id"] = id.clone();
    assert_eq!(added, expected);

    let update = "update_business_unit";
    expected["name"] = json!("Atelier");
    let renamed = json!({ "id": id, "name": "Atelier" });
    assert_eq!(office.unit(update, renamed), expected);
    expected["tags"] = json!([]);
    expected["profile_image_url"] = Value::Null;
    let cleared = json!({ "id": id, "tags": null, "profile_image_url": null });
    assert_eq!(office.unit(update, cleared), expected);
    assert_eq!(office.unit(update, json!({ "id": id })), expected);
    let got = office.unit("get_business_unit", json!({ "id": id }));
    assert_eq!(got, expected);

    let delete = "delete_business_unit";
    assert_eq!(office.unit(delete, json!({ "id": id })), expected);
    let got = office.unit("get_business_unit", json!({ "id": id }));
    assert_eq!(got, Value::Null);
    let again = office.call(delete, json!({ "id": id }));
    again.refuses("not_found", "id");
}

#[test]
fn business_units_are_listed_by_name_and_found_by_name_and_tag() {
    let mut office = Office::open();
    for (name, tags) in [("Zeta", json!(["a", "b"])), ("Ética", json!(["b"]))] {
        let arguments = json!({ "name": name, "tags": tags });
        office.unit("create_business_unit", arguments);
    }
    // The organisation already has a unit named Unit.
    for (arguments, expected) in [
        (json!({}), &["Ética", "Unit", "Zeta"][..]),
        (json!({ "search": "ETI" }), &["Ética"]),
        (json!({ "tag": "b" }), &["Ética", "Zeta"]),
        (json!({ "tag": "B" }), &[]),
        (json!({ "tag": "b", "search": "z" }), &["Zeta"]),
        (json!({ "limit": 1, "offset": 1 }), &["Unit"]),
    ] {
        let listed = office.call("list_business_units", arguments.clone());
        let names = pluck(&listed.output()["business_units"], "name");
        assert_eq!(names, expected, "{arguments}");
    }
}

#[test]
fn a_business_unit_that_events_refer_to_is_not_deleted() {
    let mut office = Office::open();
    office.organization.event("Launch");
    let id = office.organization.business_unit;
    let refused = office.call("delete_business_unit", json!({ "id": id }));
    refused.refuses("conflict", "id");
    let message = refused.tool_error()["message"].clone();
    assert_eq!(message, "this business unit still has 1 event (“Launch”)");
    let got = office.unit("get_business_unit", json!({ "id": id }));
    assert_eq!(got["name"], "Unit");
}

#[test]
fn business_units_are_refused_to_other_roles() {
    let organization = Organization::create();
    let id = organization.business_unit;
    for role in [Role::Staff, Role::Teacher, Role::Automation, Role::Fellow] {
        let mut caller = organization.sign_in(role);
        for (tool, arguments) in [
            ("list_business_units", json!({})),
            ("get_business_unit", json!({ "id": id })),
            ("create_business_unit", json!({ "name": "New" })),
            (
                "update_business_unit",
                json!({ "id": id, "name": "Renamed" }),
            ),
            ("delete_business_unit", json!({ "id": id })),
        ] {
            let refused = caller.call(Host::Work, tool, arguments);
            assert_eq!(
                (refused.status.as_u16(), refused.refusal().as_str()),
                (403, "forbidden"),
                "{tool} as {role:?}: {}",
                refused.body
            );
        }
    }
}
