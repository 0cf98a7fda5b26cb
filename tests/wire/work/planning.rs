//! Projects, epics and deliveries.

use frontdesk_tests::blocking::Caller;
use serde_json::{Value, json};

use super::{add_task, each, stage};

/// A project with an epic; both ids.
fn epic(owner: &mut Caller) -> (Value, Value) {
    let project = owner.make("create_project", json!({ "name": "Museum" }));
    let epic = json!({ "name": "Guide", "project_id": project });
    let epic = owner.make("create_epic", epic);
    (project, epic)
}

#[test]
fn a_project_is_not_deleted_while_it_has_epics_and_says_which() {
    let (_, mut owner) = stage();
    let (project, epic) = epic(&mut owner);
    for name in ["Archive", "Tickets", "B", "C", "D"] {
        let epic = json!({ "name": name, "project_id": project });
        owner.make("create_epic", epic);
    }
    let refused = owner.call("delete_project", json!({ "id": project }));
    refused.refuses("conflict", "id");
    assert_eq!(
        refused.tool_error()["message"],
        "this project still has 6 epics (“Archive”, “B”, “C”, “D”, “Guide” and 1 more)"
    );
    let kept = owner.output("get_project", json!({ "id": project }));
    assert_eq!(kept["project"]["epics"].as_array().map(Vec::len), Some(6));
    for id in each(&kept["project"], "epics", "id") {
        owner.output("delete_epic", json!({ "id": id }));
    }
    owner.output("delete_project", json!({ "id": project }));
    let gone = owner.output("get_epic", json!({ "id": epic }));
    assert_eq!(gone["epic"], Value::Null);
}

#[test]
fn an_epic_is_not_deleted_while_it_has_deliveries_or_tasks() {
    let (organization, mut owner) = stage();
    let (_, epic) = epic(&mut owner);
    let delivery = json!({ "name": "First", "epic_id": epic });
    let delivery = owner.make("create_delivery", delivery);
    let task = add_task(&mut owner, "Draw", json!(organization.member));
    let change = json!({ "id": task["id"], "delivery_id": delivery });
    owner.output("update_task", change);
    let refused = owner.call("delete_epic", json!({ "id": epic }));
    refused.refuses("conflict", "id");
    assert_eq!(
        refused.tool_error()["message"],
        "this epic still has 1 delivery (“First”) and 1 task (“Draw”)"
    );
    // The delivery leaves its task with the epic.
    owner.output("delete_delivery", json!({ "id": delivery }));
    let left = owner.output("get_epic", json!({ "id": epic }));
    assert_eq!(left["epic"]["deliveries"], json!([]));
    assert_eq!(each(&left["epic"], "tasks", "id"), [&task["id"]]);
    assert_eq!(each(&left["epic"], "tasks", "delivery_id"), [&Value::Null]);
    owner
        .call("delete_epic", json!({ "id": epic }))
        .refuses("conflict", "id");
    owner.output("delete_task", json!({ "id": task["id"] }));
    owner.output("delete_epic", json!({ "id": epic }));
}

#[test]
fn a_delivery_counts_its_tasks_until_an_update_says_how_many() {
    let (organization, mut owner) = stage();
    let (_, epic) = epic(&mut owner);
    let delivery = json!({ "name": "First", "epic_id": epic });
    let delivery = owner.make("create_delivery", delivery);
    for status in ["to_do", "done", "dev_completed"] {
        let task = add_task(&mut owner, status, json!(organization.member));
        let change = json!({ "id": task["id"], "delivery_id": delivery, "status": status });
        owner.output("update_task", change);
    }
    let counts = |delivery: &Value| {
        let count = |field: &str| delivery[field].as_u64();
        (count("number_of_tasks"), count("number_of_completed_tasks"))
    };
    let got = owner.record("get_delivery", json!({ "id": delivery }));
    assert_eq!(counts(&got), (Some(3), Some(1)));
    assert_eq!(got["tasks"].as_array().map(Vec::len), Some(3));
    assert_eq!(got["epic"]["name"], "Guide");
    let set = json!({ "id": delivery, "number_of_tasks": 10 });
    let set = owner.record("update_delivery", set);
    assert_eq!(counts(&set), (Some(10), Some(1)));
    let followed = json!({ "id": delivery, "number_of_tasks": null });
    let followed = owner.record("update_delivery", followed);
    assert_eq!(counts(&followed), (Some(3), Some(1)));
}

#[test]
fn a_delivery_takes_its_tasks_along_to_another_epic() {
    let (organization, mut owner) = stage();
    let (project, epic) = epic(&mut owner);
    let other = json!({ "name": "Archive", "project_id": project });
    let other = owner.make("create_epic", other);
    let delivery = json!({ "name": "First", "epic_id": epic });
    let delivery = owner.make("create_delivery", delivery);
    let task = json!({
        "name": "Draw", "stage_id": "design", "context": {},
        "owner_id": organization.member, "delivery_id": delivery,
    });
    let task = owner.record("create_task", task);
    assert_eq!(task["epic_id"], epic);
    // A task has the epic of its delivery.
    for epic in [&other, &Value::Null] {
        let change = json!({ "id": task["id"], "epic_id": epic });
        let refused = owner.call("update_task", change);
        refused.refuses("invalid_argument", "epic_id");
    }
    let moved = json!({ "id": delivery, "epic_id": other });
    owner.output("update_delivery", moved);
    let moved = owner.record("get_task", json!({ "id": task["id"] }));
    assert_eq!(moved["epic_id"], other);
    assert_eq!(moved["epic"]["name"], "Archive");
    assert_eq!(moved["delivery"]["name"], "First");
}

#[test]
fn a_delivery_is_found_in_its_notes_and_signs_of_patterns_are_letters() {
    let (_, mut owner) = stage();
    let (_, epic) = epic(&mut owner);
    for (name, notes) in [
        ("100% done", "Até março"),
        ("100 done", ""),
        ("a_b", ""),
        ("aXb", ""),
    ] {
        let delivery = json!({ "name": name, "notes": notes, "epic_id": epic });
        owner.make("create_delivery", delivery);
    }
    for (search, names) in [
        ("MARCO", json!(["100% done"])),
        ("100%", json!(["100% done"])),
        ("a_b", json!(["a_b"])),
    ] {
        let found = owner.output("list_deliveries", json!({ "search": search }));
        assert_eq!(json!(each(&found, "deliveries", "name")), names, "{search}");
    }
}

#[test]
fn invalid_deliveries_are_refused_at_the_field() {
    let (_, mut owner) = stage();
    let (_, epic) = epic(&mut owner);
    owner
        .call("create_delivery", json!({ "name": "A" }))
        .refuses("invalid_argument", "epic_id");
    for (field, value) in [
        ("price", json!(-1)),
        ("price", json!(1.005)),
        ("price_per_point", json!(-0.01)),
        ("total_points", json!(-1)),
        ("status", json!("done")),
    ] {
        let mut delivery = json!({ "name": "A", "epic_id": epic });
        delivery[field] = value;
        let refused = owner.call("create_delivery", delivery);
        refused.refuses("invalid_argument", field);
    }
    let listed = owner.output("list_deliveries", json!({}));
    assert_eq!(listed["deliveries"], json!([]));
    let priced = json!({ "name": "A", "epic_id": epic, "price": 0.29 });
    let priced = owner.record("create_delivery", priced);
    assert_eq!(priced["price"], 0.29);
}
