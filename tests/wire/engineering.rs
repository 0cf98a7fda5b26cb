//! The Engineering host: a document keeps its versions, and an update names the one that it is based on.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::contract::fits;
use frontdesk_tests::{Organization, run, world};
use serde_json::json;
use uuid::Uuid;

use crate::caller::{Caller, says};
use crate::events::pluck;

async fn staff() -> (Organization, Caller) {
    let organization = Organization::create().await;
    let staff = Caller::of(&organization, Role::Staff, Host::Engineering).await;
    (organization, staff)
}

#[test]
fn an_update_of_a_document_is_based_on_its_latest_version() {
    run(async {
        let (organization, mut staff) = staff().await;
        let document = json!({ "kind": "document", "title": "Plan", "content": "One" });
        let id = staff.make("create_document", document).await;
        let second = json!({ "id": id, "version": 1, "content": "Two" });
        let written = staff.get("update_document", second).await;
        assert_eq!(
            (&written["version"], &written["title"]),
            (&json!(2), &json!("Plan"))
        );

        let mut fellow = Caller::of(&organization, Role::Fellow, Host::Engineering).await;
        for based_on in [1, 3] {
            let late = json!({ "id": id, "version": based_on, "content": "Mine" });
            let late = fellow.call("update_document", late).await;
            says(
                &late,
                "conflict",
                "version",
                "is 2 by now: read the document again",
            );
        }
        let again = json!({ "id": id, "version": 2, "title": "The plan" });
        let written = fellow.get("update_document", again).await;
        assert_eq!(written["version"], 3);
        assert_eq!(
            written["updated_by"],
            json!(organization.user(Role::Fellow))
        );
    });
}

#[test]
fn a_document_keeps_its_versions() {
    run(async {
        let (organization, mut staff) = staff().await;
        let document = json!({ "kind": "sheet", "title": "Costs", "content": "a,b" });
        let id = staff.make("create_document", document).await;
        let second = json!({ "id": id, "version": 1, "title": "All costs", "content": "a,b,c" });
        staff.output("update_document", second).await;
        // An update without a change adds no version.
        let same = json!({ "id": id, "version": 2, "title": "All costs" });
        assert_eq!(staff.get("update_document", same).await["version"], 2);
        for (version, title, content) in [
            (json!(1), "Costs", "a,b"),
            (json!(2), "All costs", "a,b,c"),
            (json!(null), "All costs", "a,b,c"),
        ] {
            let got = json!({ "id": id, "version": version });
            let got = staff.get("get_document", got).await;
            assert_eq!(
                (&got["title"], &got["content"]),
                (&json!(title), &json!(content))
            );
            assert_eq!(got["updated_by"], json!(organization.user(Role::Staff)));
        }
        let none = staff
            .get("get_document", json!({ "id": id, "version": 3 }))
            .await;
        assert_eq!(none, json!(null));
    });
}

#[test]
fn a_run_that_has_ended_stays_as_it_ended() {
    run(async {
        let (organization, mut staff) = staff().await;
        let run = json!({ "title": "Sign-in", "spec": "# Sign in" });
        let run = staff.get("start_spec_run", run).await;
        assert_eq!(
            (&run["status"], &run["finished_at"]),
            (&json!("queued"), &json!(null))
        );
        let mut machine = Caller::of(&organization, Role::Automation, Host::Engineering).await;
        let id = &run["id"];
        machine
            .output("update_spec_run", json!({ "id": id, "status": "running" }))
            .await;
        let ended = json!({ "id": id, "status": "failed", "result": "No disk" });
        let once = machine.get("update_spec_run", ended.clone()).await;
        assert!(once["finished_at"].is_string());
        assert_eq!(
            machine.get("update_spec_run", ended).await,
            once,
            "said again"
        );
        let again = machine
            .call("update_spec_run", json!({ "id": id, "status": "running" }))
            .await;
        says(
            &again,
            "conflict",
            "id",
            "has ended already: start another run",
        );
    });
}

#[test]
fn a_task_of_the_work_host_is_assigned_by_everybody_but_machines() {
    run(async {
        let organization = Organization::create().await;
        let mut work = Caller::of(&organization, Role::Owner, Host::Work).await;
        let task = json!({
            "name": "Fix the door", "stage_id": "execution", "context": {}, "owner_id": organization.member,
        });
        let id = work.make("create_task", task).await;
        for role in Role::ALL {
            let to = match role {
                Role::Owner | Role::Staff => organization.member,
                _ => organization.fellow,
            };
            let mut caller = Caller::of(&organization, role, Host::Engineering).await;
            let answer = caller
                .call("assign_task", json!({ "id": id, "owner_id": to }))
                .await;
            if role == Role::Automation {
                assert_eq!(answer.refusal(), "not_found");
                continue;
            }
            fits(
                Host::Engineering.tool("assign_task").expect("a tool"),
                &answer,
            );
            let told = work.get("get_task", json!({ "id": id })).await;
            assert_eq!(told["owner_id"], json!(to), "{role:?}");
        }
    });
}

#[test]
fn pull_requests_are_listed_the_newest_first_and_found_by_state_and_title() {
    run(async {
        let organization = Organization::create().await;
        for (number, title, at, merged, closed) in [
            (
                1,
                "Porta",
                "2026-03-01",
                Some("2026-03-02"),
                Some("2026-03-02"),
            ),
            (2, "Convidados", "2026-03-03", None, Some("2026-03-04")),
            (3, "Início", "2026-03-05", None, None),
        ] {
            let quoted =
                |day: Option<&str>| day.map_or("null".to_owned(), |day| format!("'{day}'"));
            let insert = format!(
                "insert into engineering.pull_requests \
                   (organization_id, repository, number, title, url, author_login, author_id, created_at, merged_at, closed_at) \
                 values ('{}', 'casa/site', {number}, '{title}', 'https://example.org/{number}', 'dandara', '{}', '{at}', {}, {})",
                organization.id,
                organization.fellow,
                quoted(merged),
                quoted(closed)
            );
            world()
                .owner()
                .await
                .batch_execute(&insert)
                .await
                .expect("a pull request");
        }
        for role in Role::ALL {
            let mut caller = Caller::of(&organization, role, Host::Engineering).await;
            for (arguments, expected) in [
                (json!({}), &["Início", "Convidados", "Porta"][..]),
                (
                    json!({ "state": "merged", "author_id": organization.fellow }),
                    &["Porta"],
                ),
                (
                    json!({ "state": "closed", "repository": "casa/site" }),
                    &["Convidados"],
                ),
                (json!({ "search": "INICIO", "state": "open" }), &["Início"]),
                (json!({ "author_id": Uuid::now_v7() }), &[]),
            ] {
                let answer = caller.call("list_pull_requests", arguments.clone()).await;
                fits(
                    Host::Engineering
                        .tool("list_pull_requests")
                        .expect("a tool"),
                    &answer,
                );
                let titles = pluck(&answer.output()["pull_requests"], "title");
                match role {
                    Role::Automation => assert_eq!(titles, [""; 0]),
                    _ => assert_eq!(titles, expected, "{role:?} {arguments}"),
                }
            }
        }
    });
}
