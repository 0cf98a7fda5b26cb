//! The Skills host: the rules beyond its tables.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Caller, Organization};
use serde_json::{Value, json};

fn skill(body: &str) -> Value {
    json!({ "slug": "greet", "title": "Greet", "description": "When a guest comes.", "body": body })
}

fn teacher() -> Caller {
    let organization = Organization::create();
    organization.caller(Role::Teacher, Host::Skills)
}

#[test]
fn another_text_is_a_new_version_and_the_same_text_none() {
    let mut teacher = teacher();
    for (body, version) in [
        ("Say hello.", 1),
        ("Say hello.", 1),
        ("Wave.", 2),
        ("Say hello.", 3),
    ] {
        let published = teacher.record("publish_skill", skill(body));
        assert_eq!(published["version"], version, "{body}");
    }
}

#[test]
fn versions_are_kept() {
    let mut teacher = teacher();
    let first = teacher.record("publish_skill", skill("Say hello."));
    let mut other = skill("Wave.");
    other["title"] = json!("Greet warmly");
    teacher.output("publish_skill", other);
    let latest = teacher.record("get_skill", json!({ "slug": "greet" }));
    assert_eq!(
        (&latest["version"], &latest["body"]),
        (&json!(2), &json!("Wave."))
    );
    let versions = latest["versions"].as_array().expect("versions");
    let versions: Vec<_> = versions.iter().map(|one| one["version"].clone()).collect();
    assert_eq!(versions, [2, 1]);
    let before = json!({ "id": first["id"], "version": 1 });
    let before = teacher.record("get_skill", before);
    assert_eq!(
        (&before["title"], &before["body"], &before["published_at"]),
        (
            &json!("Greet"),
            &json!("Say hello."),
            &first["published_at"]
        )
    );
    let none = json!({ "slug": "greet", "version": 3 });
    assert_eq!(teacher.output("get_skill", none)["skill"], Value::Null);
}

#[test]
fn a_retired_skill_is_listed_where_it_is_asked_for_and_comes_back_when_published() {
    let mut teacher = teacher();
    let id = teacher.make("publish_skill", skill("Say hello."));
    let retired = teacher.record("retire_skill", json!({ "id": id }));
    assert_eq!(retired["status"], "retired");
    let listed = teacher.output("list_skills", json!({}));
    assert_eq!(listed["skills"], json!([]));
    let asked = teacher.output("list_skills", json!({ "status": "retired" }));
    assert_eq!(asked["skills"], json!([retired]));
    let back = teacher.record("publish_skill", skill("Say hello."));
    assert_eq!(
        (&back["status"], &back["version"]),
        (&json!("published"), &json!(1))
    );
}

#[test]
fn a_skill_is_named_by_its_id_or_its_slug() {
    let mut teacher = teacher();
    let id = teacher.make("publish_skill", skill("Say hello."));
    for arguments in [json!({}), json!({ "id": id, "slug": "greet" })] {
        teacher
            .call("get_skill", arguments)
            .refuses("invalid_argument", "id");
    }
}
