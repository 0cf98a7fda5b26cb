//! The learn host: who writes what, and what others see; docs/access.md as tests.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Http, Organization, run};
use serde_json::{Value, json};

/// The records of an organisation that the cases refer to.
struct Stage {
    organization: Organization,
    course: Value,
    lesson: Value,
    program: Value,
    stage: Value,
    cohort: Value,
    article: Value,
}

async fn make(owner: &mut Http, tool: &str, arguments: Value) -> Value {
    let made = owner.call(Host::Learn, tool, arguments).await;
    let record = made
        .output()
        .as_object()
        .and_then(|output| output.values().next());
    record.expect("a record")["id"].clone()
}

impl Stage {
    async fn set() -> Stage {
        let organization = Organization::create().await;
        let mut owner = organization.sign_in(Role::Owner).await;
        let course = make(&mut owner, "create_course", json!({ "title": "A" })).await;
        let lesson = json!({ "course_id": course, "title": "A", "status": "published" });
        let lesson = make(&mut owner, "create_lesson", lesson).await;
        let program = make(&mut owner, "create_program", json!({ "name": "A" })).await;
        let stage = json!({ "program_id": program, "title": "A" });
        Stage {
            organization,
            stage: make(&mut owner, "create_stage", stage).await,
            cohort: make(&mut owner, "create_cohort", json!({ "name": "A" })).await,
            article: make(&mut owner, "create_wiki_article", json!({ "title": "A" })).await,
            course,
            lesson,
            program,
        }
    }
}

/// A write, and the roles at global level 0 that may make it.
type Case = (&'static str, fn(&Stage) -> Value, &'static [Role]);

const DESK: &[Role] = &[Role::Owner, Role::Admin, Role::Staff];
const OWNER: &[Role] = &[Role::Owner];
const PEOPLE: &[Role] = &[
    Role::Owner,
    Role::Admin,
    Role::Staff,
    Role::Teacher,
    Role::Finance,
    Role::Fellow,
];

const WRITES: &[Case] = &[
    ("create_member", |_| json!({ "name": "New" }), DESK),
    (
        "update_member",
        |s| json!({ "id": s.organization.fellow, "city": "Rio" }),
        DESK,
    ),
    (
        "delete_member",
        |s| json!({ "id": s.organization.fellow }),
        DESK,
    ),
    ("create_cohort", |_| json!({ "name": "New" }), OWNER),
    (
        "update_cohort",
        |s| json!({ "id": s.cohort, "year": 2027 }),
        OWNER,
    ),
    ("create_course", |_| json!({ "title": "New" }), OWNER),
    (
        "update_course",
        |s| json!({ "id": s.course, "title": "New" }),
        OWNER,
    ),
    (
        "set_course_tutor",
        |s| json!({ "course_id": s.course, "tutor_member_id": null }),
        OWNER,
    ),
    (
        "create_lesson",
        |s| json!({ "course_id": s.course, "title": "New" }),
        OWNER,
    ),
    (
        "update_lesson",
        |s| json!({ "id": s.lesson, "title": "New" }),
        OWNER,
    ),
    ("create_program", |_| json!({ "name": "New" }), OWNER),
    (
        "update_program",
        |s| json!({ "id": s.program, "name": "New" }),
        OWNER,
    ),
    (
        "instantiate_program",
        |s| json!({ "template_id": s.program, "cohort_id": s.cohort }),
        OWNER,
    ),
    (
        "create_stage",
        |s| json!({ "program_id": s.program, "title": "New" }),
        OWNER,
    ),
    (
        "update_stage",
        |s| json!({ "id": s.stage, "title": "New" }),
        OWNER,
    ),
    (
        "create_milestone",
        |s| json!({ "stage_id": s.stage, "title": "New" }),
        OWNER,
    ),
    (
        "upsert_tutor_profile",
        |s| json!({ "member_id": s.organization.member, "profile_data": {} }),
        OWNER,
    ),
    (
        "update_wiki_article",
        |s| json!({ "id": s.article, "title": "New" }),
        OWNER,
    ),
    (
        "publish_wiki_article",
        |s| json!({ "id": s.article }),
        OWNER,
    ),
    ("create_wiki_article", |_| json!({ "title": "New" }), PEOPLE),
    (
        "mark_lesson_complete",
        |s| json!({ "lesson_id": s.lesson }),
        PEOPLE,
    ),
    // Level 80 is asked for whatever the role.
    (
        "set_profile_fellow_slug",
        |s| json!({ "user_id": s.organization.user(Role::Fellow), "fellow_slug": "a" }),
        &[],
    ),
    ("delete_lesson", |s| json!({ "id": s.lesson }), OWNER),
    ("delete_course", |s| json!({ "id": s.course }), OWNER),
    ("delete_stage", |s| json!({ "id": s.stage }), OWNER),
    ("delete_program", |s| json!({ "id": s.program }), OWNER),
];

#[test]
fn each_role_writes_what_is_promised_and_is_refused_the_rest() {
    run(async {
        let stage = Stage::set().await;
        // The owner comes last, who deletes.
        for role in Role::ALL.into_iter().rev() {
            let mut caller = stage.organization.sign_in(role).await;
            for (tool, arguments, writers) in WRITES {
                let answer = caller.call(Host::Learn, tool, arguments(&stage)).await;
                match writers.contains(&role) {
                    true => drop(answer.output()),
                    // What is not seen is not found.
                    false => assert!(
                        ["forbidden", "not_found"].contains(&answer.refusal().as_str()),
                        "{tool} as {role:?}: {}",
                        answer.body
                    ),
                }
            }
        }
    });
}

#[test]
fn each_role_sees_what_is_promised() {
    run(async {
        let stage = Stage::set().await;
        let stranger = Organization::create().await;
        for (tool, arguments, list) in [
            ("list_cohorts", json!({}), "cohorts"),
            ("list_courses", json!({}), "courses"),
            (
                "list_lessons",
                json!({ "course_id": stage.course }),
                "lessons",
            ),
            ("list_programs", json!({}), "programs"),
            (
                "list_stages",
                json!({ "program_id": stage.program }),
                "stages",
            ),
            ("list_wiki_articles", json!({}), "wiki_articles"),
        ] {
            let seen = async |organization: &Organization, role| {
                let mut caller = organization.sign_in(role).await;
                let listed = caller.call(Host::Learn, tool, arguments.clone()).await;
                listed.output()[list].as_array().map(Vec::len)
            };
            for role in Role::ALL {
                let expected = usize::from(role != Role::Automation);
                let seen = seen(&stage.organization, role).await;
                assert_eq!(seen, Some(expected), "{tool} as {role:?}");
            }
            assert_eq!(seen(&stranger, Role::Owner).await, Some(0), "{tool}");
        }
    });
}
