//! Projects, epics and deliveries.

use frontdesk_tests::run;
use serde_json::{Value, json};

use super::{Caller, each, stage};

/// A project with an epic; both ids.
async fn epic(owner: &mut Caller) -> (Value, Value) {
    let project = owner
        .make("create_project", json!({ "name": "Museum" }))
        .await;
    let epic = json!({ "name": "Guide", "project_id": project });
    let epic = owner.make("create_epic", epic).await;
    (project, epic)
}

#[test]
fn a_project_is_not_deleted_while_it_has_epics_and_says_which() {
    run(async {
        let (_, mut owner) = stage().await;
        let (project, epic) = epic(&mut owner).await;
        for name in ["Archive", "Tickets", "B", "C", "D"] {
            let epic = json!({ "name": name, "project_id": project });
            owner.make("create_epic", epic).await;
        }
        let refused = owner.call("delete_project", json!({ "id": project })).await;
        refused.refuses("conflict", "id");
        assert_eq!(
            refused.tool_error()["message"],
            "this project has 6 epics (“Archive”, “B”, “C”, “D”, “Guide” and 1 more); nothing was deleted"
        );
        let kept = owner.output("get_project", json!({ "id": project })).await;
        assert_eq!(kept["project"]["epics"].as_array().map(Vec::len), Some(6));
        for id in each(&kept["project"], "epics", "id") {
            owner.output("delete_epic", json!({ "id": id })).await;
        }
        owner
            .output("delete_project", json!({ "id": project }))
            .await;
        let gone = owner.output("get_epic", json!({ "id": epic })).await;
        assert_eq!(gone["epic"], Value::Null);
    });
}

#[test]
fn an_epic_is_not_deleted_while_it_has_deliveries_or_tasks() {
    run(async {
        let (organization, mut owner) = stage().await;
        let (_, epic) = epic(&mut owner).await;
        let delivery = json!({ "name": "First", "epic_id": epic });
        let delivery = owner.make("create_delivery", delivery).await;
        let task = owner.task("Draw", json!(organization.member)).await;
        let change = json!({ "id": task["id"], "delivery_id": delivery });
        owner.output("update_task", change).await;
        let refused = owner.call("delete_epic", json!({ "id": epic })).await;
        refused.refuses("conflict", "id");
        assert_eq!(
            refused.tool_error()["message"],
            "this epic has 1 delivery (“First”) and 1 task (“Draw”); nothing was deleted"
        );
        // The delivery leaves its task with the epic.
        owner
            .output("delete_delivery", json!({ "id": delivery }))
            .await;
        let left = owner.output("get_epic", json!({ "id": epic })).await;
        assert_eq!(left["epic"]["deliveries"], json!([]));
        assert_eq!(each(&left["epic"], "tasks", "id"), [&task["id"]]);
        assert_eq!(each(&left["epic"], "tasks", "delivery_id"), [&Value::Null]);
        owner
            .call("delete_epic", json!({ "id": epic }))
            .await
            .refuses("conflict", "id");
        owner
            .output("delete_task", json!({ "id": task["id"] }))
            .await;
        owner.output("delete_epic", json!({ "id": epic })).await;
    });
}

#[test]
fn a_delivery_counts_its_tasks_until_an_update_says_how_many() {
    run(async {
        let (organization, mut owner) = stage().await;
        let (_, epic) = epic(&mut owner).await;
        let delivery = json!({ "name": "First", "epic_id": epic });
        let delivery = owner.make("create_delivery", delivery).await;
        for status in ["to_do", "done", "dev_completed"] {
            let task = owner.task(status, json!(organization.member)).await;
            let change = json!({ "id": task["id"], "delivery_id": delivery, "status": status });
            owner.output("update_task", change).await;
        }
        let counts = |delivery: &Value| {
            let count = |field: &str| delivery[field].as_u64();
            (count("number_of_tasks"), count("number_of_completed_tasks"))
        };
        let got = owner
            .record("get_delivery", json!({ "id": delivery }))
            .await;
        assert_eq!(counts(&got), (Some(3), Some(1)));
        assert_eq!(got["tasks"].as_array().map(Vec::len), Some(3));
        assert_eq!(got["epic"]["name"], "Guide");
        let set = json!({ "id": delivery, "number_of_tasks": 10 });
        let set = owner.record("update_delivery", set).await;
        assert_eq!(counts(&set), (Some(10), Some(1)));
        let followed = json!({ "id": delivery, "number_of_tasks": null });
        let followed = owner.record("update_delivery", followed).await;
        assert_eq!(counts(&followed), (Some(3), Some(1)));
    });
}

#[test]
fn a_delivery_takes_its_tasks_along_to_another_epic() {
    run(async {
        let (organization, mut owner) = stage().await;
        let (project, epic) = epic(&mut owner).await;
        let other = json!({ "name": "Archive", "project_id": project });
        let other = owner.make("create_epic", other).await;
        let delivery = json!({ "name": "First", "epic_id": epic });
        let delivery = owner.make("create_delivery", delivery).await;
        let task = json!({
            "name": "Draw", "stage_id": "design", "context": {},
            "owner_id": organization.member, "delivery_id": delivery,
        });
        let task = owner.record("create_task", task).await;
        assert_eq!(task["epic_id"], epic);
        // The epic of a task is its delivery's.
        for epic in [&other, &Value::Null] {
            let change = json!({ "id": task["id"], "epic_id": epic });
            let refused = owner.call("update_task", change).await;
            refused.refuses("invalid_argument", "epic_id");
        }
        let moved = json!({ "id": delivery, "epic_id": other });
        owner.output("update_delivery", moved).await;
        let moved = owner.record("get_task", json!({ "id": task["id"] })).await;
        assert_eq!(moved["epic_id"], other);
        assert_eq!(moved["epic"]["name"], "Archive");
        assert_eq!(moved["delivery"]["name"], "First");
    });
}

#[test]
fn a_delivery_is_found_in_its_notes_and_signs_of_patterns_are_letters() {
    run(async {
        let (_, mut owner) = stage().await;
        let (_, epic) = epic(&mut owner).await;
        for (name, notes) in [
            ("100% done", "Até março"),
            ("100 done", ""),
            ("a_b", ""),
            ("aXb", ""),
        ] {
            let delivery = json!({ "name": name, "notes": notes, "epic_id": epic });
            owner.make("create_delivery", delivery).await;
        }
        for (search, names) in [
            ("MARCO", json!(["100% done"])),
            ("100%", json!(["100% done"])),
            ("a_b", json!(["a_b"])),
        ] {
            let found = owner
                .output("list_deliveries", json!({ "search": search }))
                .await;
            assert_eq!(json!(each(&found, "deliveries", "name")), names, "{search}");
        }
    });
}

#[test]
fn what_no_delivery_can_be_is_refused_by_its_field() {
    run(async {
        let (_, mut owner) = stage().await;
        let (_, epic) = epic(&mut owner).await;
        owner
            .call("create_delivery", json!({ "name": "A" }))
            .await
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
            let refused = owner.call("create_delivery", delivery).await;
            refused.refuses("invalid_argument", field);
        }
        let listed = owner.output("list_deliveries", json!({})).await;
        assert_eq!(listed["deliveries"], json!([]));
        let priced = json!({ "name": "A", "epic_id": epic, "price": 0.29 });
        let priced = owner.record("create_delivery", priced).await;
        assert_eq!(priced["price"], 0.29);
    });
}
