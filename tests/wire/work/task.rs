//! Tasks.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::world;
use serde_json::{Value, json};

use super::{add_task, each, stage};

fn new() -> Value {
    json!({ "name": "Draw", "stage_id": "design", "context": { "why": "Asked for" } })
}

#[test]
fn a_task_is_its_callers_where_no_owner_is_given() {
    let (organization, mut owner) = stage();
    let mut fellow = organization.caller(Role::Fellow, Host::Work);
    let task = fellow.record("create_task", new());
    assert_eq!(task["owner_id"], json!(organization.fellow));
    assert_eq!(
        (&task["status"], &task["actor_slug"]),
        (&json!("to_do"), &Value::Null)
    );
    // The owner's account has no member.
    let refused = owner.call("create_task", new());
    refused.refuses("invalid_argument", "owner_id");
    let nobody = json!({ "id": task["id"], "owner_id": null });
    let refused = owner.call("update_task", nobody);
    refused.refuses("invalid_argument", "owner_id");
}

#[test]
fn a_task_needs_a_stage_and_a_context() {
    let (organization, mut owner) = stage();
    for field in ["stage_id", "context"] {
        let mut task = new();
        task["owner_id"] = json!(organization.member);
        task.as_object_mut().map(|task| task.remove(field));
        let refused = owner.call("create_task", task);
        refused.refuses("invalid_argument", field);
    }
}

#[test]
fn tasks_of_an_organisation_are_numbered_one_after_the_other() {
    let (organization, mut owner) = stage();
    let first = add_task(&mut owner, "First", json!(organization.member));
    // A task that is refused takes no number.
    let mut refused = new();
    refused["owner_id"] = json!(organization.member);
    refused["epic_id"] = json!(uuid::Uuid::now_v7());
    owner
        .call("create_task", refused)
        .refuses("not_found", "epic_id");
    let second = add_task(&mut owner, "Second", json!(organization.member));
    let number = |task: &Value| {
        let (prefix, number) = task["identifier"].as_str()?.rsplit_once('-')?;
        Some((prefix.to_owned(), number.to_owned()))
    };
    let (prefix, one) = number(&first).expect("an identifier");
    assert!(!prefix.is_empty() && prefix.chars().all(|c| c.is_ascii_uppercase()));
    assert_eq!(one, "1");
    assert_eq!(number(&second), Some((prefix.clone(), "2".to_owned())));
    let found = json!({ "search": format!("{}-2", prefix.to_lowercase()) });
    let found = owner.output("list_tasks", found);
    assert_eq!(each(&found, "tasks", "name"), ["Second"]);
}

#[test]
fn a_branch_is_called_after_its_task_in_ascii() {
    let (organization, mut owner) = stage();
    let long =
        "Ação: válida CPF/telefone, e mais uma porção de coisas que não cabem em um nome de ramo";
    for (name, slug) in [
        (
            long,
            "acao-valida-cpf-telefone-e-mais-uma-porcao-de-coisas-que-nao-cabem",
        ),
        ("展览", "task"),
    ] {
        let task = add_task(&mut owner, name, json!(organization.member));
        let branch = json!({ "id": task["id"] });
        let branch = owner.output("get_task_branch_name", branch);
        let branch = branch["branch_name"].as_str().expect("a name");
        let begins = format!(
            "feat/{}-",
            task["identifier"].as_str().expect("an identifier")
        );
        let rest = branch.strip_prefix(&begins).expect(branch);
        assert!(rest.starts_with(&slug[..slug.len().min(50)]), "{branch}");
        assert!(
            branch.len() <= 80 && branch.is_ascii() && !branch.ends_with('-'),
            "{branch}"
        );
    }
    let none = json!({ "id": uuid::Uuid::now_v7() });
    let refused = owner.call("get_task_branch_name", none);
    refused.refuses("not_found", "id");
}

#[test]
fn a_task_is_an_actors_only_if_there_is_such_an_actor() {
    let (organization, mut owner) = stage();
    let insert =
        "insert into work.actors (organization_id, slug, name) values ($1, 'reviewer', 'Reviewer')";
    let database = world().owner();
    let written = database.execute(insert, &[&organization.id.0]);
    written.expect("an actor");
    drop(database);
    let mut task = new();
    task["owner_id"] = json!(organization.member);
    task["actor_slug"] = json!("reviewer");
    let done = owner.record("create_task", task.clone());
    assert_eq!(done["actor_slug"], "reviewer");
    task["actor_slug"] = json!("nobody");
    let refused = owner.call("create_task", task);
    refused.refuses("not_found", "actor_slug");
    let listed = owner.output("list_tasks", json!({}));
    assert_eq!(each(&listed, "tasks", "id"), [&done["id"]]);
}

#[test]
fn criteria_are_replaced_as_a_whole() {
    let (organization, mut owner) = stage();
    let mut task = new();
    task["owner_id"] = json!(organization.member);
    task["acceptance_criteria"] = json!(["Works offline", "Is reviewed"]);
    let task = owner.record("create_task", task);
    let change = json!({ "id": task["id"], "acceptance_criteria": ["Is fast"] });
    let changed = owner.record("update_task", change);
    assert_eq!(changed["acceptance_criteria"], json!(["Is fast"]));
    assert_eq!(changed["context"], json!({ "why": "Asked for" }));
}

#[test]
fn lists_of_tasks_are_by_priority_and_carry_owner_status_and_date() {
    let (organization, mut owner) = stage();
    for (name, priority) in [
        ("Later", json!(3)),
        ("Whenever", Value::Null),
        ("First", json!(1)),
    ] {
        let task = add_task(&mut owner, name, json!(organization.member));
        let change = json!({
            "id": task["id"], "priority": priority, "estimated_date": "2026-03-05", "status": "blocked",
        });
        owner.output("update_task", change);
    }
    let listed = json!({ "owner_id": organization.member, "status": "blocked" });
    let listed = owner.output("list_tasks", listed);
    assert_eq!(
        each(&listed, "tasks", "name"),
        ["First", "Later", "Whenever"]
    );
    let first = &listed["tasks"][0];
    assert_eq!(first["owner_id"], json!(organization.member));
    assert_eq!(first["estimated_date"], "2026-03-05");
    assert_eq!(first["status"], "blocked");
}

#[test]
fn invalid_tasks_are_refused_at_the_field() {
    let (organization, mut owner) = stage();
    let many: Vec<_> = (0..10_000)
        .map(|n| format!("https://example.org/{n}"))
        .collect();
    for (field, value) in [
        ("name", json!(" ")),
        ("status", json!("doing")),
        ("stage_id", json!("backlog")),
        ("estimated_date", json!("2026-02-30")),
        ("estimated_date", json!("2026-02-03T10:00:00Z")),
        ("points", json!(-1)),
        ("attachments", json!(many)),
        ("attachments[1]", json!(["https://example.org/a", "a.png"])),
        ("acceptance_criteria[0]", json!([""])),
        ("context", json!("why")),
        ("context", json!({ "why": "x".repeat(65 * 1024) })),
        ("owner_id", json!("me")),
    ] {
        let mut task = new();
        task["owner_id"] = json!(organization.member);
        task[field.split('[').next().unwrap_or(field)] = value;
        let refused = owner.call("create_task", task);
        refused.refuses("invalid_argument", field);
    }
    let listed = owner.output("list_tasks", json!({}));
    assert_eq!(listed["tasks"], json!([]));
    let mut large = new();
    large["owner_id"] = json!(organization.member);
    large["context"] = json!({ "why": "x".repeat(60 * 1024) });
    owner.output("create_task", large);
}
