//! Two callers at once at the Work host and others: numbers are unique, nothing refers to a deleted
//! record, and a list set by both is that of one of them.

use std::collections::BTreeSet;

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Caller, Organization, run};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::server::together::{held_by, race};

fn id(value: &Value) -> Uuid {
    serde_json::from_value(value.clone()).expect("an id")
}

/// An organisation, and its owner at a host.
async fn stage(host: Host) -> (Organization, Caller) {
    let organization = Organization::create().await;
    let owner = organization.caller(Role::Owner, host).await;
    (organization, owner)
}

fn task(organization: &Organization, name: &str) -> Value {
    json!({ "name": name, "stage_id": "spec", "context": {}, "owner_id": organization.member })
}

pub(crate) fn tasks_added_at_once_are_numbered_without_a_gap() {
    run(async {
        let (organization, owner) = stage(Host::Work).await;
        let added = (0..8).map(|at| {
            let (mut owner, task) = (owner.clone(), task(&organization, &at.to_string()));
            tokio::spawn(async move { owner.record("create_task", task).await })
        });
        let mut numbers = BTreeSet::new();
        for task in added.collect::<Vec<_>>() {
            let task = task.await.expect("a task");
            let (_, number) = task["identifier"]
                .as_str()
                .and_then(|identifier| identifier.split_once('-'))
                .expect("a prefix and a number");
            numbers.insert(number.parse::<u32>().expect("a number"));
        }
        assert_eq!(numbers, (1..=8).collect());
    });
}

pub(crate) fn of_a_deletion_of_an_epic_and_what_is_added_to_it_one_is_done() {
    run(async {
        let (organization, mut owner) = stage(Host::Work).await;
        for tool in ["create_delivery", "create_task"] {
            let epic = owner.make("create_epic", json!({ "name": "Guide" })).await;
            let mut added = match tool {
                "create_task" => task(&organization, "First"),
                _ => json!({ "name": "First" }),
            };
            added["epic_id"] = epic.clone();
            let callers = [owner.http.clone(), owner.http.clone()];
            let calls = [("delete_epic", json!({ "id": epic })), (tool, added)];
            let [done, refused] = race(Host::Work, "work.epics", id(&epic), callers, calls).await;
            let left = owner.output("get_epic", json!({ "id": epic })).await;
            match done.output().get("epic") {
                Some(_) => {
                    assert_eq!(left["epic"], Value::Null);
                    refused.refuses("not_found", "epic_id");
                }
                None => {
                    assert_ne!(left["epic"], Value::Null);
                    refused.refuses("conflict", "id");
                }
            }
        }
    });
}

pub(crate) fn of_two_who_set_the_tasks_of_a_plan_one_list_stays() {
    run(async {
        let (organization, mut owner) = stage(Host::Work).await;
        let mut tasks = Vec::new();
        for name in ["A", "B", "C"] {
            tasks.push(owner.make("create_task", task(&organization, name)).await);
        }
        owner.host = Host::Plans;
        let plan = owner.make("create_plan", json!({ "name": "March" })).await;
        let lists = [[&tasks[0], &tasks[1]], [&tasks[2], &tasks[1]]];
        let calls = lists.map(|list| {
            let list: Vec<_> = list.map(|id| json!({ "task_id": id })).into();
            ("set_plan_tasks", json!({ "slug": "march", "tasks": list }))
        });
        let callers = [owner.http.clone(), owner.http.clone()];
        for answer in race(Host::Plans, "plans.plans", id(&plan), callers, calls).await {
            answer.output();
        }
        let shown = owner.record("get_plan", json!({ "id": plan })).await;
        let shown: Vec<_> = shown["tasks"].as_array().expect("tasks").iter().collect();
        let shown: Vec<_> = shown.iter().map(|task| &task["id"]).collect();
        assert!(lists.iter().any(|list| shown == *list), "{shown:?}");
    });
}

pub(crate) fn of_two_who_set_the_slides_of_a_lesson_one_list_stays() {
    run(async {
        let (_, mut owner) = stage(Host::Studio).await;
        let lesson = json!({ "title": "Rust" });
        let lesson = owner.make("create_video_lesson", lesson).await;
        let lists = [["A", "B"], ["C", "D"]];
        let calls = lists.map(|list| {
            let slides = list.map(|title| json!({ "title": title }));
            let slides = json!({ "video_lesson_id": lesson, "slides": slides });
            ("set_slides", slides)
        });
        let callers = [owner.http.clone(), owner.http.clone()];
        let (table, row) = ("studio.video_lessons", id(&lesson));
        for answer in race(Host::Studio, table, row, callers, calls).await {
            answer.output();
        }
        let shown = json!({ "video_lesson_id": lesson });
        let shown = owner.output("list_slides", shown).await;
        let shown = shown["slides"].as_array().expect("slides").iter();
        let shown: Vec<_> = shown.map(|slide| &slide["title"]).collect();
        assert!(lists.iter().any(|list| shown == *list), "{shown:?}");
    });
}

pub(crate) fn of_two_who_say_whose_a_label_is_both_are_heard_and_it_is_there_once() {
    run(async {
        let (organization, owner) = stage(Host::Work).await;
        let calls = [0.25, 0.75].map(|confidence| {
            let alias = json!({
                "alias": "ana", "member_id": organization.member, "confidence": confidence,
            });
            ("create_member_label_alias", alias)
        });
        let callers = [owner.http.clone(), owner.http.clone()];
        let row = organization.member.0;
        let [one, other] = race(Host::Work, "learn.members", row, callers, calls).await;
        let alias =
            |answer: &frontdesk_tests::Answer| answer.output()["member_label_alias"]["id"].clone();
        assert_eq!(alias(&one), alias(&other));
    });
}

pub(crate) fn of_two_who_take_each_other_s_level_one_keeps_it() {
    run(async {
        let (organization, mut owner) = stage(Host::Ops).await;
        let admin = organization.caller(Role::Admin, Host::Ops).await;
        let users = [Role::Owner, Role::Admin].map(|role| organization.user(role).0);
        for role in [Role::Owner, Role::Admin] {
            organization.level(role, 80).await;
        }
        let take = |mut caller: Caller, from: Uuid| async move {
            let level = json!({ "id": from, "level": 0 });
            caller.call("set_account_level", level).await
        };
        owner.http.session(Host::Ops).await;
        let (one, other) = (take(owner.clone(), users[1]), take(admin, users[0]));
        // Each waits for the other's row: locking the own row first would deadlock.
        let lock = "(select count(*) from (select from learn.profiles where organization_id = $1 for share) p) p";
        let ended = held_by(lock, organization.id.0, one, other).await;
        let mut statuses = ended.map(|answer| answer.status.as_u16());
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 403]);
        let accounts = owner.output("list_accounts", json!({})).await;
        let accounts = accounts["accounts"].as_array().expect("accounts").iter();
        let levels = accounts.filter(|account| users.contains(&id(&account["id"])));
        let mut levels: Vec<_> = levels.map(|account| &account["level"]).collect();
        levels.sort_by_key(|level| level.as_i64());
        assert_eq!(levels, [0, 80]);
    });
}
