//! The Engineering host: a document keeps its versions, and an update names the one that it is based on.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Caller, Organization, world};
use frontdesk_tests::contract::fits;
use serde_json::json;
use uuid::Uuid;

use crate::wire::events::pluck;

fn staff() -> (Organization, Caller) {
    let organization = Organization::create();
    let staff = organization.caller(Role::Staff, Host::Engineering);
    (organization, staff)
}

#[test]
fn an_update_of_a_document_is_based_on_its_latest_version() {
    let (organization, mut staff) = staff();
    let document = json!({ "kind": "document", "title": "Plan", "content": "One" });
    let id = staff.make("create_document", document);
    let second = json!({ "id": id, "version": 1, "content": "Two" });
    let written = staff.record("update_document", second);
    assert_eq!(
        (&written["version"], &written["title"]),
        (&json!(2), &json!("Plan"))
    );

    let mut fellow = organization.caller(Role::Fellow, Host::Engineering);
    for based_on in [1, 3] {
        let late = json!({ "id": id, "version": based_on, "content": "Mine" });
        let late = fellow.call("update_document", late);
        late.refuses_with(
            "conflict",
            "version",
            "the current version is 2: read the document again",
        );
    }
    let again = json!({ "id": id, "version": 2, "title": "The plan" });
    let written = fellow.record("update_document", again);
    assert_eq!(written["version"], 3);
    assert_eq!(
        written["updated_by"],
        json!(organization.user(Role::Fellow))
    );
}

#[test]
fn a_document_keeps_its_versions() {
    let (organization, mut staff) = staff();
    let document = json!({ "kind": "sheet", "title": "Costs", "content": "a,b" });
    let id = staff.make("create_document", document);
    let second = json!({ "id": id, "version": 1, "title": "All costs", "content": "a,b,c" });
    staff.output("update_document", second);
    // An update without a change adds no version.
    let same = json!({ "id": id, "version": 2, "title": "All costs" });
    assert_eq!(staff.record("update_document", same)["version"], 2);
    for (version, title, content) in [
        (json!(1), "Costs", "a,b"),
        (json!(2), "All costs", "a,b,c"),
        (json!(null), "All costs", "a,b,c"),
    ] {
        let got = json!({ "id": id, "version": version });
        let got = staff.record("get_document", got);
        assert_eq!(
            (&got["title"], &got["content"]),
            (&json!(title), &json!(content))
        );
        assert_eq!(got["updated_by"], json!(organization.user(Role::Staff)));
    }
    let none = staff.record("get_document", json!({ "id": id, "version": 3 }));
    assert_eq!(none, json!(null));
}

#[test]
fn a_run_that_has_ended_stays_as_it_ended() {
    let (organization, mut staff) = staff();
    let run = json!({ "title": "Sign-in", "spec": "# Sign in" });
    let run = staff.record("start_spec_run", run);
    assert_eq!(
        (&run["status"], &run["finished_at"]),
        (&json!("queued"), &json!(null))
    );
    let mut machine = organization.caller(Role::Automation, Host::Engineering);
    let id = &run["id"];
    machine.output("update_spec_run", json!({ "id": id, "status": "running" }));
    let ended = json!({ "id": id, "status": "failed", "result": "No disk" });
    let once = machine.record("update_spec_run", ended.clone());
    assert!(once["finished_at"].is_string());
    assert_eq!(machine.record("update_spec_run", ended), once, "said again");
    let again = machine.call("update_spec_run", json!({ "id": id, "status": "running" }));
    again.refuses_with(
        "conflict",
        "id",
        "this run has already ended: start another one",
    );
}

#[test]
fn a_task_of_the_work_host_is_assigned_by_everybody_but_machines() {
    let organization = Organization::create();
    let mut work = organization.caller(Role::Owner, Host::Work);
    let task = json!({
        "name": "Fix the door", "stage_id": "execution", "context": {}, "owner_id": organization.member,
    });
    let id = work.make("create_task", task);
    for role in Role::ALL {
        let to = match role {
            Role::Owner | Role::Staff => organization.member,
            _ => organization.fellow,
        };
        let mut caller = organization.caller(role, Host::Engineering);
        let answer = caller.call("assign_task", json!({ "id": id, "owner_id": to }));
        if role == Role::Automation {
            assert_eq!(answer.refusal(), "not_found");
            continue;
        }
        fits(
            Host::Engineering.tool("assign_task").expect("a tool"),
            &answer,
        );
        let told = work.record("get_task", json!({ "id": id }));
        assert_eq!(told["owner_id"], json!(to), "{role:?}");
    }
}

#[test]
fn pull_requests_are_listed_the_newest_first_and_found_by_state_and_title() {
    let organization = Organization::create();
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
        let quoted = |day: Option<&str>| day.map_or("null".to_owned(), |day| format!("'{day}'"));
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
            .batch_execute(&insert)
            .expect("a pull request");
    }
    for role in Role::ALL {
        let mut caller = organization.caller(role, Host::Engineering);
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
            let answer = caller.call("list_pull_requests", arguments.clone());
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
}

#[test]
fn the_texts_of_sheets_and_diagrams_are_checked() {
    let (_, mut staff) = staff();
    let uneven = json!({ "kind": "sheet", "title": "Costs", "content": "a,b\n1\n" });
    let refused = staff.call("create_document", uneven);
    let message = "line 2: must have as many fields as the first line, 2, not 1";
    refused.refuses_with("invalid_argument", "content", message);
    let diagram =
        json!({ "kind": "diagram", "title": "Flow", "content": "flowchart LR\n  a --> b" });
    let id = staff.make("create_document", diagram);
    let prose = json!({ "id": id, "version": 1, "content": "Guests arrive." });
    let refused = staff.call("update_document", prose);
    refused.refuses("invalid_argument", "content");
    let got = staff.record("get_document", json!({ "id": id }));
    assert_eq!(got["version"], 1, "nothing was written");
}
