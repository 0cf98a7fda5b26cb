//! The Strategy host: a business unit's canvas has nine blocks.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::Organization;
use serde_json::json;

use crate::wire::events::pluck;

const BLOCKS: [&str; 9] = [
    "key_partners",
    "key_activities",
    "key_resources",
    "value_propositions",
    "customer_relationships",
    "channels",
    "customer_segments",
    "cost_structure",
    "revenue_streams",
];

#[test]
fn a_canvas_has_its_nine_blocks_from_the_start_and_no_other() {
    let organization = Organization::create();
    let mut owner = organization.caller(Role::Owner, Host::Strategy);
    let of = json!({ "business_unit_id": organization.business_unit });
    let canvas = owner.record("get_canvas", of.clone());
    assert_eq!(pluck(&canvas["blocks"], "block"), BLOCKS);
    assert_eq!(canvas["blocks"][0]["items"], json!([]));
    for (version, items) in [(0, json!(["Fairs", "Press"])), (1, json!(["Radio"]))] {
        let mut block = of.clone();
        block["block"] = json!("channels");
        block["version"] = json!(version);
        block["items"] = items.clone();
        let written = owner.record("set_canvas_block", block);
        assert_eq!(written["items"], items);
        assert_eq!(written["version"], version + 1);
    }
    let canvas = owner.record("get_canvas", of.clone());
    assert_eq!(pluck(&canvas["blocks"], "block"), BLOCKS);
    assert_eq!(canvas["blocks"][5]["items"], json!(["Radio"]));
    let mut tenth = of;
    tenth["block"] = json!("mood");
    tenth["version"] = json!(0);
    tenth["items"] = json!([]);
    let refused = owner.call("set_canvas_block", tenth);
    refused.refuses("invalid_argument", "block");
}

#[test]
fn personas_and_competitors_are_listed_by_name() {
    let organization = Organization::create();
    let mut staff = organization.caller(Role::Staff, Host::Strategy);
    for (create, list) in [
        ("create_persona", "list_personas"),
        ("create_competitor", "list_competitors"),
    ] {
        for name in ["Zeca", "Érica", "Ana"] {
            staff.output(create, json!({ "name": name }));
        }
        for (arguments, expected) in [
            (json!({}), &["Ana", "Érica", "Zeca"][..]),
            (json!({ "search": "ERI" }), &["Érica"]),
            (json!({ "limit": 1, "offset": 2 }), &["Zeca"]),
            (
                json!({ "business_unit_id": organization.business_unit }),
                &[],
            ),
        ] {
            let listed = staff.record(list, arguments.clone());
            assert_eq!(pluck(&listed, "name"), expected, "{list} {arguments}");
        }
    }
}

#[test]
fn a_block_is_changed_from_its_current_version() {
    let organization = Organization::create();
    let mut owner = organization.caller(Role::Owner, Host::Strategy);
    let mut finance = organization.caller(Role::Finance, Host::Strategy);
    let block = |version: u32, items: &[&str]| {
        json!({
            "business_unit_id": organization.business_unit, "block": "channels", "version": version, "items": items,
        })
    };
    owner.output("set_canvas_block", block(0, &["Fairs"]));
    let late = finance.call("set_canvas_block", block(0, &["Radio"]));
    let message = "the current version is 1: read the canvas again";
    late.refuses_with("conflict", "version", message);
    let of = json!({ "business_unit_id": organization.business_unit });
    let canvas = finance.record("get_canvas", of);
    assert_eq!(
        (
            &canvas["blocks"][5]["version"],
            &canvas["blocks"][5]["items"]
        ),
        (&json!(1), &json!(["Fairs"]))
    );
    let same = finance.record("set_canvas_block", block(1, &["Fairs"]));
    assert_eq!(same["version"], 1, "nothing changed");
    assert_eq!(
        finance.record("set_canvas_block", block(1, &["Radio"]))["version"],
        2
    );
}

#[test]
fn personas_and_competitors_are_deleted() {
    let organization = Organization::create();
    let mut staff = organization.caller(Role::Staff, Host::Strategy);
    for kind in ["persona", "competitor"] {
        let id = staff.make(&format!("create_{kind}"), json!({ "name": "Ana" }));
        let delete = format!("delete_{kind}");
        assert_eq!(staff.record(&delete, json!({ "id": id }))["name"], "Ana");
        let left = staff.record(&format!("list_{kind}s"), json!({}));
        assert_eq!(left, json!([]));
        staff
            .call(&delete, json!({ "id": id }))
            .refuses("not_found", "id");
    }
}
