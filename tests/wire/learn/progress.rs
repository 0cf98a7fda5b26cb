//! Viewed and completed lessons, and the progress of members.

use frontdesk_protocol::id::MemberId;
use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Organization, world};
use serde_json::{Value, json};

use super::{each, stage};

#[test]
fn a_lesson_keeps_the_first_time_it_was_viewed_and_completed() {
    let (organization, mut admin) = stage();
    let course = admin.make("create_course", json!({ "title": "Rust" }));
    let lesson = |title: &str, status: &str| json!({ "course_id": course, "title": title, "status": status });
    let open = admin.make("create_lesson", lesson("Open", "published"));
    let draft = admin.make("create_lesson", lesson("Draft", "draft"));
    let mut fellow = organization.caller(Role::Fellow, Host::Learn);
    let seen = fellow.output("list_lessons", json!({ "course_id": course }));
    assert_eq!(each(&seen, "lessons", "title"), ["Open"]);
    let unseen = fellow.call("mark_lesson_viewed", json!({ "lesson_id": draft }));
    unseen.refuses("not_found", "lesson_id");
    let first = fellow.output("mark_lesson_viewed", json!({ "lesson_id": open }));
    assert_eq!(first["lesson_progress"]["completed_at"], Value::Null);
    let done = fellow.output("mark_lesson_complete", json!({ "lesson_id": open }));
    let again = fellow.output("mark_lesson_complete", json!({ "lesson_id": open }));
    for kept in ["first_viewed_at", "completed_at"] {
        assert_eq!(
            done["lesson_progress"][kept],
            again["lesson_progress"][kept]
        );
    }
    let all = json!({ "lesson_ids": [draft, open] });
    let own = fellow.output("get_my_lesson_progress", all.clone());
    assert_eq!(
        each(&own, "lesson_progress", "lesson_id"),
        [open.as_str().expect("an id")]
    );
    let others = admin.output("get_my_lesson_progress", all);
    assert_eq!(others["lesson_progress"], json!([]));
}

/// Links the profile of this role to the member.
fn link(organization: &Organization, role: Role, member: MemberId) {
    let sql = "update learn.profiles set member_id = $2 where id = $1";
    let user = organization.user(role).0;
    let owner = world().owner();
    let linked = owner.execute(sql, &[&user, &member.0]);
    assert_eq!(linked.expect("a profile"), 1);
}

#[test]
fn a_lesson_is_viewed_and_completed_each_at_its_time() {
    let (organization, mut admin) = stage();
    let course = admin.make("create_course", json!({ "title": "Rust" }));
    let mut lessons = Vec::new();
    for title in ["A", "B"] {
        let lesson = json!({ "course_id": course, "title": title, "status": "published" });
        lessons.push(json!({ "lesson_id": admin.make("create_lesson", lesson) }));
    }
    let mut fellow = organization.caller(Role::Fellow, Host::Learn);
    let viewed = fellow.output("mark_lesson_viewed", lessons[0].clone());
    let mut expected = viewed["lesson_progress"].clone();
    let completed = fellow.output("mark_lesson_complete", lessons[0].clone());
    let completed_at = completed["lesson_progress"]["completed_at"].clone();
    assert!(completed_at.is_string(), "{completed}");
    expected["completed_at"] = completed_at;
    assert_eq!(completed["lesson_progress"], expected);
    // A lesson that was only completed was not viewed.
    let completed = fellow.output("mark_lesson_complete", lessons[1].clone());
    assert_eq!(completed["lesson_progress"]["first_viewed_at"], Value::Null);
    assert_eq!(completed["lesson_progress"]["last_viewed_at"], Value::Null);
    let of = json!({ "course_id": course });
    let progress = fellow.output("get_my_course_progress", of);
    let progress = &progress["course_progress"];
    assert_eq!(
        (&progress["viewed"], &progress["completed"]),
        (&json!(1), &json!(2))
    );
    let viewed = fellow.output("mark_lesson_viewed", lessons[1].clone());
    let viewed = &viewed["lesson_progress"];
    assert!(viewed["first_viewed_at"].is_string(), "{viewed}");
    assert_eq!(viewed["first_viewed_at"], viewed["last_viewed_at"]);
    assert_eq!(
        viewed["completed_at"],
        completed["lesson_progress"]["completed_at"]
    );
}

#[test]
fn a_view_sets_no_time_back() {
    let (organization, mut admin) = stage();
    let course = admin.make("create_course", json!({ "title": "Rust" }));
    let lesson = json!({ "course_id": course, "title": "A", "status": "published" });
    let lesson = json!({ "lesson_id": admin.make("create_lesson", lesson) });
    let mut fellow = organization.caller(Role::Fellow, Host::Learn);
    fellow.output("mark_lesson_viewed", lesson.clone());
    // As if a later call had ended first.
    let sql = "update learn.lesson_progress set last_viewed_at = '2100-01-01T00:00:00Z' \
               where user_id = $1";
    let owner = world().owner();
    let user = organization.user(Role::Fellow).0;
    owner.execute(sql, &[&user]).expect("a later view");
    drop(owner);
    let viewed = fellow.output("mark_lesson_viewed", lesson);
    let last = viewed["lesson_progress"]["last_viewed_at"].as_str();
    assert!(
        last.is_some_and(|last| last.starts_with("2100-01-01")),
        "{viewed}"
    );
}

#[test]
fn a_milestone_that_links_to_a_completed_lesson_counts_whatever_came_first() {
    let (organization, mut admin) = stage();
    let course = admin.make("create_course", json!({ "title": "Rust" }));
    let lesson = json!({ "course_id": course, "title": "A", "status": "published" });
    let lesson = admin.make("create_lesson", lesson);
    organization.level(Role::Teacher, 0);
    for role in [Role::Fellow, Role::Teacher] {
        let mut caller = organization.caller(role, Host::Learn);
        caller.output("mark_lesson_complete", json!({ "lesson_id": lesson }));
    }
    let cohort = admin.make("create_cohort", json!({ "name": "2026" }));
    let program = json!({ "name": "A", "kind": "instance", "cohort_id": cohort });
    let program = admin.make("create_program", program);
    let stage = json!({ "program_id": program, "title": "A" });
    let stage = admin.make("create_stage", stage);
    let milestone = json!({ "stage_id": stage, "title": "Demo" });
    let milestone = admin.make("create_milestone", milestone);
    organization.join_cohort(&cohort, organization.fellow);
    let of = json!({ "cohort_id": cohort });
    let unlinked = admin.output("get_program_member_progress", of.clone());
    assert_eq!(each(&unlinked, "progress", "done"), ["0"]);

    // The milestone is linked after the lesson was completed.
    let to_lesson = json!({ "id": milestone, "linked_material_id": lesson });
    admin.output("update_milestone", to_lesson);
    let linked = admin.output("get_program_member_progress", of.clone());
    assert_eq!(each(&linked, "progress", "done"), ["1"]);
    // So is another one, from its beginning.
    let second = json!({ "stage_id": stage, "title": "More", "linked_material_id": lesson });
    admin.make("create_milestone", second);
    // A member joins, and gets the account that completed it.
    organization.join_cohort(&cohort, organization.member);
    let joined = admin.output("get_program_member_progress", of.clone());
    assert_eq!(each(&joined, "progress", "done"), ["2", "0"]);
    link(&organization, Role::Teacher, organization.member);
    let account = admin.output("get_program_member_progress", of);
    assert_eq!(each(&account, "progress", "done"), ["2", "2"]);
    assert_eq!(each(&account, "progress", "percentage"), ["100", "100"]);

    // And a member joins a second cohort that goes through the same lessons.
    let cohort = admin.make("create_cohort", json!({ "name": "2027" }));
    let template = admin.make("create_program", json!({ "name": "Template" }));
    let stage = json!({ "program_id": template, "title": "A" });
    let stage = admin.make("create_stage", stage);
    let milestone = json!({ "stage_id": stage, "title": "Demo", "linked_material_id": lesson });
    admin.make("create_milestone", milestone);
    let copy = json!({ "template_id": template, "cohort_id": cohort });
    admin.output("instantiate_program", copy);
    organization.join_cohort(&cohort, organization.fellow);
    let of = json!({ "cohort_id": cohort });
    let second = admin.output("get_program_member_progress", of);
    assert_eq!(each(&second, "progress", "done"), ["1"]);
}

#[test]
fn a_completed_lesson_completes_the_milestones_that_link_to_it() {
    let (organization, mut admin) = stage();
    let course = admin.make("create_course", json!({ "title": "Rust" }));
    let lesson = json!({ "course_id": course, "title": "A", "status": "published" });
    let lesson = admin.make("create_lesson", lesson);
    let template = admin.make("create_program", json!({ "name": "Fellowship" }));
    let stage = json!({ "program_id": template, "title": "A" });
    let stage = admin.make("create_stage", stage);
    for material in [lesson.clone(), Value::Null] {
        let mut milestone = json!({ "stage_id": stage, "title": "Demo" });
        if !material.is_null() {
            milestone["linked_material_id"] = material;
        }
        admin.make("create_milestone", milestone);
    }
    let cohort = admin.make("create_cohort", json!({ "name": "2026" }));
    organization.join_cohort(&cohort, organization.fellow);
    organization.join_cohort(&cohort, organization.member);
    let copy = json!({ "template_id": template, "cohort_id": cohort });
    let copied = admin.output("instantiate_program", copy);

    // Both members have an account.
    organization.level(Role::Teacher, 0);
    link(&organization, Role::Teacher, organization.member);
    let mut fellow = organization.caller(Role::Fellow, Host::Learn);
    fellow.output("mark_lesson_complete", json!({ "lesson_id": lesson }));
    let of = json!({ "program_id": copied["program_id"] });
    let all = admin.output("get_program_member_progress", of.clone());
    assert_eq!(each(&all, "progress", "member_name"), ["Fellow", "Member"]);
    let users = [Role::Fellow, Role::Teacher].map(|role| json!(organization.user(role)));
    assert_eq!(all["progress"][0]["user_id"], users[0]);
    assert_eq!(all["progress"][1]["user_id"], users[1]);
    assert_eq!(each(&all, "progress", "done"), ["1", "0"]);
    assert_eq!(each(&all, "progress", "percentage"), ["50", "0"]);
    let one = json!({ "user_id": users[1] });
    let one = admin.output("get_program_member_progress", one);
    assert_eq!(each(&one, "progress", "member_name"), ["Member"]);
    let own = fellow.output("get_program_member_progress", of);
    assert_eq!(each(&own, "progress", "member_name"), ["Fellow"]);
}

#[test]
fn the_staff_complete_and_reopen_milestones_for_a_member() {
    let (organization, mut admin) = stage();
    let cohort = admin.make("create_cohort", json!({ "name": "2026" }));
    let program = json!({ "name": "A", "kind": "instance", "cohort_id": cohort });
    let program = admin.make("create_program", program);
    let stage = json!({ "program_id": program, "title": "A" });
    let stage = admin.make("create_stage", stage);
    let [first, _] = ["Demo", "Talk"].map(|title| {
        admin.make(
            "create_milestone",
            json!({ "stage_id": stage, "title": title }),
        )
    });
    organization.join_cohort(&cohort, organization.fellow);
    let mut staff = organization.caller(Role::Staff, Host::Learn);
    let set = |of: Value, is_completed: bool| {
        let mut set = json!({ "member_id": organization.fellow, "is_completed": is_completed });
        set.as_object_mut()
            .expect("an object")
            .extend(of.as_object().cloned().unwrap_or_default());
        set
    };
    let whole = json!({ "stage_id": stage });
    let done = staff.output("set_member_progress", set(whole.clone(), true));
    let progress = &done["member_progress"];
    assert_eq!(
        (&progress["done"], &progress["percentage"]),
        (&json!(2), &json!(100))
    );
    let one = json!({ "milestone_id": first });
    let reopened = staff.output("set_member_progress", set(one.clone(), false));
    assert_eq!(reopened["member_progress"]["done"], 1);
    // The list of students says the same.
    let mut office = organization.sign_in(Role::Staff);
    let listed = office.call(Host::Staff, "list_students", json!({ "cohort_id": cohort }));
    assert_eq!(listed.output()["students"][0]["done"], 1);
    // It is taken back as any change.
    let last = office.call(Host::Ops, "list_changes", json!({ "limit": 1 }));
    let last = json!({ "change_id": last.output()["changes"][0]["id"] });
    office.call(Host::Ops, "undo_change", last).output();
    let seen = admin.output(
        "get_program_member_progress",
        json!({ "cohort_id": cohort }),
    );
    assert_eq!(each(&seen, "progress", "done"), ["2"]);

    let mut other = set(one, true);
    other["member_id"] = json!(organization.member);
    staff
        .call("set_member_progress", other)
        .refuses("invalid_argument", "member_id");
    staff
        .call("set_member_progress", set(json!({}), true))
        .refuses("invalid_argument", "milestone_id");
    organization.level(Role::Teacher, 0);
    let mut teacher = organization.caller(Role::Teacher, Host::Learn);
    let refused = teacher.call("set_member_progress", set(whole, false));
    assert_eq!(refused.refusal(), "forbidden");
}
