//! The Skills host: what its tools promise beyond their tables.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Caller, Organization, run};
use serde_json::{Value, json};

fn skill(body: &str) -> Value {
    json!({ "slug": "greet", "title": "Greet", "description": "When a guest comes.", "body": body })
}

async fn teacher() -> Caller {
    let organization = Organization::create().await;
    organization.caller(Role::Teacher, Host::Skills).await
}

#[test]
fn another_text_is_a_new_version_and_the_same_text_none() {
    run(async {
        let mut teacher = teacher().await;
        for (body, version) in [
            ("Say hello.", 1),
            ("Say hello.", 1),
            ("Wave.", 2),
            ("Say hello.", 3),
        ] {
            let published = teacher.record("publish_skill", skill(body)).await;
            assert_eq!(published["version"], version, "{body}");
        }
    });
}

#[test]
fn versions_are_kept() {
    run(async {
        let mut teacher = teacher().await;
        let first = teacher.record("publish_skill", skill("Say hello.")).await;
        let mut other = skill("Wave.");
        other["title"] = json!("Greet warmly");
        teacher.output("publish_skill", other).await;
        let latest = teacher
            .record("get_skill", json!({ "slug": "greet" }))
            .await;
        assert_eq!(
            (&latest["version"], &latest["body"]),
            (&json!(2), &json!("Wave."))
        );
        let versions = latest["versions"].as_array().expect("versions");
        let versions: Vec<_> = versions.iter().map(|one| one["version"].clone()).collect();
        assert_eq!(versions, [2, 1]);
        let before = json!({ "id": first["id"], "version": 1 });
        let before = teacher.record("get_skill", before).await;
        assert_eq!(
            (&before["title"], &before["body"], &before["published_at"]),
            (
                &json!("Greet"),
                &json!("Say hello."),
                &first["published_at"]
            )
        );
        let none = json!({ "slug": "greet", "version": 3 });
        assert_eq!(
            teacher.output("get_skill", none).await["skill"],
            Value::Null
        );
    });
}

#[test]
fn a_retired_skill_is_listed_where_it_is_asked_for_and_comes_back_when_published() {
    run(async {
        let mut teacher = teacher().await;
        let id = teacher.make("publish_skill", skill("Say hello.")).await;
        let retired = teacher.record("retire_skill", json!({ "id": id })).await;
        assert_eq!(retired["status"], "retired");
        let listed = teacher.output("list_skills", json!({})).await;
        assert_eq!(listed["skills"], json!([]));
        let asked = teacher
            .output("list_skills", json!({ "status": "retired" }))
            .await;
        assert_eq!(asked["skills"], json!([retired]));
        let back = teacher.record("publish_skill", skill("Say hello.")).await;
        assert_eq!(
            (&back["status"], &back["version"]),
            (&json!("published"), &json!(1))
        );
    });
}

#[test]
fn a_skill_is_named_by_its_id_or_its_slug() {
    run(async {
        let mut teacher = teacher().await;
        let id = teacher.make("publish_skill", skill("Say hello.")).await;
        for arguments in [json!({}), json!({ "id": id, "slug": "greet" })] {
            teacher
                .call("get_skill", arguments)
                .await
                .refuses("invalid_argument", "id");
        }
    });
}
