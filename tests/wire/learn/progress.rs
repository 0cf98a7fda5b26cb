//! Lessons that are viewed and completed, and how far members are.

use frontdesk_protocol::Role;
use frontdesk_tests::run;
use serde_json::{Value, json};

use super::{Admin, each, stage};

#[test]
fn a_lesson_keeps_the_first_time_it_was_viewed_and_completed() {
    run(async {
        let (organization, mut admin) = stage().await;
        let course = admin
            .make("create_course", json!({ "title": "Rust" }))
            .await;
        let lesson = |title: &str, status: &str| json!({ "course_id": course, "title": title, "status": status });
        let open = admin
            .make("create_lesson", lesson("Open", "published"))
            .await;
        let draft = admin.make("create_lesson", lesson("Draft", "draft")).await;
        let mut fellow = Admin(organization.sign_in(Role::Fellow).await);
        let seen = fellow
            .output("list_lessons", json!({ "course_id": course }))
            .await;
        assert_eq!(each(&seen, "lessons", "title"), ["Open"]);
        let unseen = fellow
            .call("mark_lesson_viewed", json!({ "lesson_id": draft }))
            .await;
        unseen.refuses("not_found", "lesson_id");
        let first = fellow
            .output("mark_lesson_viewed", json!({ "lesson_id": open }))
            .await;
        assert_eq!(first["lesson_progress"]["completed_at"], Value::Null);
        let done = fellow
            .output("mark_lesson_complete", json!({ "lesson_id": open }))
            .await;
        let again = fellow
            .output("mark_lesson_complete", json!({ "lesson_id": open }))
            .await;
        for kept in ["first_viewed_at", "completed_at"] {
            assert_eq!(
                done["lesson_progress"][kept],
                again["lesson_progress"][kept]
            );
        }
        let all = json!({ "lesson_ids": [draft, open] });
        let own = fellow.output("get_my_lesson_progress", all.clone()).await;
        assert_eq!(
            each(&own, "lesson_progress", "lesson_id"),
            [open.as_str().expect("an id")]
        );
        let others = admin.output("get_my_lesson_progress", all).await;
        assert_eq!(others["lesson_progress"], json!([]));
    });
}

#[test]
fn a_completed_lesson_completes_the_milestones_that_link_to_it() {
    run(async {
        let (organization, mut admin) = stage().await;
        let course = admin
            .make("create_course", json!({ "title": "Rust" }))
            .await;
        let lesson = json!({ "course_id": course, "title": "A", "status": "published" });
        let lesson = admin.make("create_lesson", lesson).await;
        let template = admin
            .make("create_program", json!({ "name": "Fellowship" }))
            .await;
        let stage = json!({ "program_id": template, "title": "A" });
        let stage = admin.make("create_stage", stage).await;
        for material in [lesson.clone(), Value::Null] {
            let mut milestone = json!({ "stage_id": stage, "title": "Demo" });
            if !material.is_null() {
                milestone["linked_material_id"] = material;
            }
            admin.make("create_milestone", milestone).await;
        }
        let cohort = admin.make("create_cohort", json!({ "name": "2026" })).await;
        organization.join_cohort(&cohort, organization.fellow).await;
        organization.join_cohort(&cohort, organization.member).await;
        let copy = json!({ "template_id": template, "cohort_id": cohort });
        let copied = admin.output("instantiate_program", copy).await;

        let mut fellow = Admin(organization.sign_in(Role::Fellow).await);
        fellow
            .output("mark_lesson_complete", json!({ "lesson_id": lesson }))
            .await;
        let of = json!({ "program_id": copied["program_id"] });
        let all = admin
            .output("get_program_member_progress", of.clone())
            .await;
        assert_eq!(each(&all, "progress", "member_name"), ["Fellow", "Member"]);
        assert_eq!(each(&all, "progress", "done"), ["1", "0"]);
        assert_eq!(each(&all, "progress", "percentage"), ["50", "0"]);
        let own = fellow.output("get_program_member_progress", of).await;
        assert_eq!(each(&own, "progress", "member_name"), ["Fellow"]);
    });
}
