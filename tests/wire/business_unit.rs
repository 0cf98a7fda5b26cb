//! Section 4.5: the tools for business units, over the wire.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Answer, Http, Organization, run};
use serde_json::{Value, json};

use crate::events::pluck;

/// An organisation, and a client with the role finance.
struct Office {
    organization: Organization,
    finance: Http,
}

impl Office {
    async fn open() -> Office {
        let organization = Organization::create().await;
        Office {
            finance: organization.sign_in(Role::Finance).await,
            organization,
        }
    }

    async fn call(&mut self, tool: &str, arguments: Value) -> Answer {
        self.finance.call(Host::Work, tool, arguments).await
    }

    /// Calls a tool that must succeed; returns its record.
    async fn unit(&mut self, tool: &str, arguments: Value) -> Value {
        self.call(tool, arguments).await.output()["business_unit"].clone()
    }
}

#[test]
fn a_business_unit_is_added_changed_and_deleted() {
    run(async {
        let mut office = Office::open().await;
        let picture = "https://example.org/unit.png";
        let arguments = json!({ "name": "Ateliê", "profile_image_url": picture, "tags": ["new", "a \"b\", {c}"] });
        let added = office.unit("create_business_unit", arguments.clone()).await;
        let id = added["id"].clone();
        let mut expected = arguments;
        expected["id"] = id.clone();
        assert_eq!(added, expected);

        let update = "update_business_unit";
        expected["name"] = json!("Atelier");
        let renamed = json!({ "id": id, "name": "Atelier" });
        assert_eq!(office.unit(update, renamed).await, expected);
        expected["tags"] = json!([]);
        expected["profile_image_url"] = Value::Null;
        let cleared = json!({ "id": id, "tags": null, "profile_image_url": null });
        assert_eq!(office.unit(update, cleared).await, expected);
        assert_eq!(office.unit(update, json!({ "id": id })).await, expected);
        let got = office.unit("get_business_unit", json!({ "id": id })).await;
        assert_eq!(got, expected);

        let delete = "delete_business_unit";
        assert_eq!(office.unit(delete, json!({ "id": id })).await, expected);
        let got = office.unit("get_business_unit", json!({ "id": id })).await;
        assert_eq!(got, Value::Null);
        let again = office.call(delete, json!({ "id": id })).await;
        again.refuses("not_found", "id");
    });
}

#[test]
fn business_units_are_listed_by_name_and_found_by_name_and_tag() {
    run(async {
        let mut office = Office::open().await;
        for (name, tags) in [("Zeta", json!(["a", "b"])), ("Ética", json!(["b"]))] {
            let arguments = json!({ "name": name, "tags": tags });
            office.unit("create_business_unit", arguments).await;
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
            let listed = office.call("list_business_units", arguments.clone()).await;
            let names = pluck(&listed.output()["business_units"], "name");
            assert_eq!(names, expected, "{arguments}");
        }
    });
}

#[test]
fn a_business_unit_that_events_refer_to_is_not_deleted() {
    run(async {
        let mut office = Office::open().await;
        office.organization.event("Launch").await;
        let id = office.organization.business_unit;
        let refused = office
            .call("delete_business_unit", json!({ "id": id }))
            .await;
        refused.refuses("conflict", "id");
        let message = refused.tool_error()["message"].clone();
        assert_eq!(
            message,
            "events refer to this business unit; nothing was deleted"
        );
        let got = office.unit("get_business_unit", json!({ "id": id })).await;
        assert_eq!(got["name"], "Unit");
    });
}

#[test]
fn business_units_are_refused_to_other_roles() {
    run(async {
        let organization = Organization::create().await;
        let id = organization.business_unit;
        for role in [Role::Staff, Role::Teacher, Role::Automation, Role::Fellow] {
            let mut caller = organization.sign_in(role).await;
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
                let refused = caller.call(Host::Work, tool, arguments).await;
                assert_eq!(
                    (refused.status.as_u16(), refused.refusal().as_str()),
                    (403, "forbidden"),
                    "{tool} as {role:?}: {}",
                    refused.body
                );
            }
        }
    });
}
