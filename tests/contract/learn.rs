//! The learn host's tools, each called at least once: what they answer is what is declared.

use std::collections::BTreeSet;

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Http, Organization, run};
use serde_json::{Value, json};

use crate::output::fits;

/// Calls tools of the learn host as the organisation's owner, and remembers which.
struct Caller {
    http: Http,
    called: BTreeSet<String>,
}

impl Caller {
    /// Calls a tool; its answer is as declared.
    async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.called.insert(tool.to_owned());
        let answer = self.http.call(Host::Learn, tool, arguments).await;
        fits(Host::Learn.tool(tool).expect("a tool"), &answer);
        answer.output().clone()
    }

    /// The same, of which only the id of the record counts.
    async fn make(&mut self, tool: &str, arguments: Value) -> Value {
        let output = self.call(tool, arguments).await;
        let record = output.as_object().and_then(|output| output.values().next());
        record.expect("a record")["id"].clone()
    }
}

#[test]
fn every_learn_tool_answers_with_what_it_declares() {
    run(async {
        let organization = Organization::create().await;
        organization.level(Role::Owner, 80).await;
        let mut t = Caller {
            http: organization.sign_in(Role::Owner).await,
            called: BTreeSet::new(),
        };
        people(&mut t, &organization).await;
        courses(&mut t, &organization).await;
        programs(&mut t).await;
        wiki(&mut t).await;
        let declared: BTreeSet<_> = Host::Learn
            .tools()
            .map(|tool| tool.name.to_owned())
            .collect();
        assert_eq!(t.called, declared);
    });
}

async fn people(t: &mut Caller, organization: &Organization) {
    let all = json!({
        "name": "Ana Souza", "personal_email": "ana@example.org", "corporate_email": "a@example.com",
        "phone": "+5511987654321", "city": "São Paulo", "state": "SP", "phase_id": "active", "tags": ["rust"],
    });
    let ana = t.make("create_member", all).await;
    t.call("create_member", json!({ "name": "Bea" })).await;
    t.call("list_members", json!({ "search": "souza" })).await;
    t.call("get_member", json!({ "id": ana })).await;
    let changed = t
        .call("update_member", json!({ "id": ana, "city": null }))
        .await;
    assert_eq!(changed["member"]["city"], Value::Null);
    t.call("lookup_member", json!({ "name": "ana" })).await;
    t.call("delete_member", json!({ "id": ana })).await;

    let me = organization.user(Role::Owner);
    t.call("list_profiles", json!({})).await;
    t.call("get_profile", json!({ "id": me })).await;
    t.call("update_profile", json!({ "name": "Olga" })).await;
    t.call(
        "set_profile_fellow_slug",
        json!({ "user_id": me, "fellow_slug": "olga" }),
    )
    .await;
    t.call("list_profile_fellow_slugs", json!({})).await;
    t.call(
        "upsert_tutor_profile",
        json!({ "member_id": organization.member, "profile_data": { "bio": "Teaches" } }),
    )
    .await;
}

async fn courses(t: &mut Caller, organization: &Organization) {
    let course = t
        .make("create_course", json!({ "title": "Rust", "position": 1 }))
        .await;
    t.call("list_courses", json!({})).await;
    t.call(
        "update_course",
        json!({ "id": course, "about": "Ownership", "thumbnail": "https://example.org/r.png" }),
    )
    .await;
    t.call(
        "set_course_tutor",
        json!({ "course_id": course, "tutor_member_id": organization.member }),
    )
    .await;
    let lesson = t
        .make(
            "create_lesson",
            json!({ "course_id": course, "title": "Borrowing", "duration": 600, "status": "published" }),
        )
        .await;
    let other = t
        .make(
            "create_lesson",
            json!({ "course_id": course, "title": "Lifetimes" }),
        )
        .await;
    t.call("list_lessons", json!({ "course_id": course })).await;
    t.call("get_lesson", json!({ "id": lesson })).await;
    t.call(
        "update_lesson",
        json!({ "id": lesson, "transcription": "Hello" }),
    )
    .await;
    let before = t
        .call("get_my_course_progress", json!({ "course_id": course }))
        .await;
    assert_eq!(before["course_progress"]["viewed"], 0);
    t.call("mark_lesson_viewed", json!({ "lesson_id": other }))
        .await;
    t.call("mark_lesson_complete", json!({ "lesson_id": lesson }))
        .await;
    t.call(
        "get_my_lesson_progress",
        json!({ "lesson_ids": [lesson, other] }),
    )
    .await;
    let after = t
        .call("get_my_course_progress", json!({ "course_id": course }))
        .await;
    assert_eq!(after["course_progress"]["percentage"], 50.0);
    assert_eq!(
        t.call("get_course", json!({ "id": course })).await["course"]["lesson_count"],
        2
    );
    t.call("delete_lesson", json!({ "id": other })).await;
    t.call("delete_course", json!({ "id": course })).await;
}

async fn programs(t: &mut Caller) {
    let cohort = t
        .make(
            "create_cohort",
            json!({ "name": "Turma de Março", "year": 2026, "starts_on": "2026-03-02" }),
        )
        .await;
    t.call(
        "update_cohort",
        json!({ "id": cohort, "status": "graduated" }),
    )
    .await;
    t.call("list_cohorts", json!({})).await;
    let template = t
        .make("create_program", json!({ "name": "Fellowship" }))
        .await;
    t.call("list_programs", json!({ "kind": "template" })).await;
    t.call(
        "update_program",
        json!({ "id": template, "status": "upcoming" }),
    )
    .await;
    let mut stages = Vec::new();
    for position in [2, 1] {
        let stage = json!({ "program_id": template, "title": format!("Stage {position}"),
            "position": position, "color": "#1A2B3C" });
        stages.push(t.make("create_stage", stage).await);
    }
    t.call(
        "update_stage",
        json!({ "id": stages[0], "subtitle": "Later" }),
    )
    .await;
    let milestone = t
        .make(
            "create_milestone",
            json!({ "stage_id": stages[0], "title": "Demo", "points": 3 }),
        )
        .await;
    t.call(
        "update_milestone",
        json!({ "id": milestone, "description": "Shown" }),
    )
    .await;
    t.call("list_milestones", json!({ "stage_id": stages[0] }))
        .await;
    let edge = t
        .make(
            "add_stage_dependency",
            json!({ "program_id": template, "node_kind": "stage",
                "predecessor_id": stages[1], "successor_id": stages[0] }),
        )
        .await;
    t.call("list_stage_dependencies", json!({ "program_id": template }))
        .await;
    let listed = t
        .call("list_stages", json!({ "program_id": template }))
        .await;
    assert_eq!(listed["stages"][1]["gated_by"], json!([stages[1]]));
    let tree = t.call("get_program", json!({ "slug": "fellowship" })).await;
    assert_eq!(
        tree["program"]["stages"][1]["milestones"][0]["id"],
        milestone
    );
    let copied = t
        .call(
            "instantiate_program",
            json!({ "template_id": template, "cohort_id": cohort }),
        )
        .await;
    assert_eq!(copied["created"], true);
    t.call(
        "get_program_member_progress",
        json!({ "program_id": copied["program_id"] }),
    )
    .await;
    t.call("remove_stage_dependency", json!({ "id": edge }))
        .await;
    t.call("delete_milestone", json!({ "id": milestone })).await;
    t.call("delete_stage", json!({ "id": stages[1] })).await;
    t.call("delete_program", json!({ "id": template })).await;
}

async fn wiki(t: &mut Caller) {
    let article = t
        .make(
            "create_wiki_article",
            json!({ "title": "Début", "content": "# Hello", "tags": ["a"], "metadata": { "x": 1 } }),
        )
        .await;
    t.call("get_wiki_article", json!({ "slug": "debut" })).await;
    t.call(
        "update_wiki_article",
        json!({ "id": article, "metadata": { "y": 2 } }),
    )
    .await;
    t.call("publish_wiki_article", json!({ "id": article }))
        .await;
    t.call("list_wiki_articles", json!({ "tag": "a" })).await;
}
