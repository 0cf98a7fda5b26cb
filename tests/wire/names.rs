//! What results have beside ids: the names of people and units, and the times of changes; and why there is no result.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Caller, Organization};
use serde_json::{Value, json};

/// A task of the fellow.
fn task(staff: &mut Caller, organization: &Organization) -> Value {
    staff.record(
        "create_task",
        json!({ "name": "Book", "stage_id": "spec", "context": {}, "owner_id": organization.fellow }),
    )
}

#[test]
fn ids_of_people_come_with_the_names_that_their_reader_can_see() {
    let organization = Organization::create();
    let mut staff = organization.caller(Role::Staff, Host::Work);
    let others = json!({
        "name": "Clean", "stage_id": "spec", "context": {}, "owner_id": organization.member,
    });
    staff.record("create_task", others);
    let own = task(&mut staff, &organization);
    let owners = |caller: &mut Caller| -> Vec<Value> {
        let listed = caller.output("list_tasks", json!({}));
        let tasks = listed["tasks"].as_array().cloned().unwrap_or_default();
        tasks
            .iter()
            .map(|task| task["owner_name"].clone())
            .collect()
    };
    let seen = owners(&mut staff);
    assert!(seen.iter().all(Value::is_string), "{seen:?}");
    assert!(seen.contains(&own["owner_name"]), "{seen:?}");
    // A fellow sees no member but their own.
    let mut fellow = organization.caller(Role::Fellow, Host::Work);
    let seen = owners(&mut fellow);
    assert_eq!(seen, [Value::Null, own["owner_name"].clone()]);
}

#[test]
fn accounts_and_units_come_with_their_names() {
    let organization = Organization::create();
    // Gives the account a profile.
    organization.level(Role::Teacher, 0);
    let mut teacher = organization.caller(Role::Teacher, Host::Engineering);
    let run = teacher.record(
        "start_spec_run",
        json!({ "title": "Page", "spec": "# Page" }),
    );
    let mut learn = teacher.at(Host::Learn);
    let profile = learn.record(
        "get_profile",
        json!({ "id": organization.user(Role::Teacher) }),
    );
    assert!(profile["name"].is_string(), "{profile}");
    assert_eq!(run["started_by_name"], profile["name"]);

    let mut owner = organization.caller(Role::Owner, Host::Work);
    let project = json!({ "name": "Site", "business_unit_id": organization.business_unit });
    let project = owner.record("create_project", project);
    let unit = owner.record(
        "get_business_unit",
        json!({ "id": organization.business_unit }),
    );
    assert_eq!(project["business_unit_name"], unit["name"]);
}

#[test]
fn a_change_has_its_time_and_an_undo_takes_it_back() {
    let organization = Organization::create();
    let mut staff = organization.caller(Role::Staff, Host::Work);
    let epic = staff.record("create_epic", json!({ "name": "Launch" }));
    let id = &epic["id"];
    let same = staff.record("update_epic", json!({ "id": id, "name": "Launch" }));
    assert_eq!(same["updated_at"], epic["updated_at"], "nothing changed");
    let changed = staff.record("update_epic", json!({ "id": id, "name": "Launch day" }));
    assert!(
        changed["updated_at"].as_str() > epic["updated_at"].as_str(),
        "{changed}"
    );
    let mut platform = staff.at(Host::Ops);
    let changes = platform.output("list_changes", json!({ "limit": 1 }));
    platform.output(
        "undo_change",
        json!({ "change_id": changes["changes"][0]["id"] }),
    );
    let undone = staff.record("get_epic", json!({ "id": id }));
    assert_eq!(undone["updated_at"], epic["updated_at"]);
}

#[test]
fn a_record_that_is_not_found_is_explained() {
    let organization = Organization::create();
    let mut staff = organization.caller(Role::Staff, Host::Work);
    let task = task(&mut staff, &organization);
    let note = |caller: &mut Caller, tool: &str, arguments: Value| -> String {
        let answer = caller.output(tool, arguments);
        answer["note"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(
        note(&mut staff, "get_epic", json!({ "id": task["id"] })),
        "id is the id of another kind of record: task instead of epic"
    );
    assert_eq!(
        note(
            &mut staff,
            "get_epic",
            json!({ "id": uuid::Uuid::now_v7() })
        ),
        "no epic that you can see has this id"
    );
    // A foreign task is no more known than one that does not exist.
    let mut stranger = Organization::create().caller(Role::Owner, Host::Work);
    assert_eq!(
        note(&mut stranger, "get_epic", json!({ "id": task["id"] })),
        "no epic that you can see has this id"
    );
    let mut plans = staff.at(Host::Plans);
    assert_eq!(
        note(&mut plans, "get_plan", json!({ "slug": "none" })),
        "no plan that you can see has this slug"
    );
    assert_eq!(
        note(&mut staff, "get_task", json!({ "id": task["id"] })),
        ""
    );
}

#[test]
fn a_refusal_names_the_roles_that_can() {
    let organization = Organization::create();
    let mut teacher = organization.caller(Role::Teacher, Host::Work);
    let refused = teacher.call("create_epic", json!({ "name": "Launch" }));
    let text = refused.body.to_string();
    assert!(
        text.contains("roles that can: owner, admin, staff; yours is teacher"),
        "{text}"
    );
}
