//! Programs: read as a tree, worked on in it, seen as what depends on what, copied for a cohort, and how far
//! its members are.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::builder::PASSWORD;
use frontdesk_tests::desk::Stored;
use frontdesk_tests::{Desk, Http, Organization, desk, row, run, selected, world};
use serde_json::{Value, json};

use crate::launch::school;

/// Somebody else's program, signed in as this role.
pub(crate) async fn other(organization: &Organization, role: Role) -> Http {
    let email = Stored::of(organization).email(role).await;
    Http::sign_in(&world().url(), &email, PASSWORD).await
}

/// What a tool of the Learn host adds.
pub(crate) async fn add(owner: &mut Http, tool: &str, arguments: Value) -> Value {
    let answer = owner.call(Host::Learn, tool, arguments).await;
    let mut results = answer.output().as_object().into_iter().flatten();
    results
        .next()
        .map(|(_, one)| one.clone())
        .unwrap_or_default()
}

/// A school with the template Fellowship: the stages Arrival and Craft, the second after the first, with
/// three milestones, and a cohort.
async fn fellowship() -> Organization {
    let organization = school().await;
    let mut owner = other(&organization, Role::Owner).await;
    let program = add(
        &mut owner,
        "create_program",
        json!({ "name": "Fellowship" }),
    )
    .await;
    let mut stages = Vec::new();
    for (at, title) in ["Arrival", "Craft"].into_iter().enumerate() {
        let stage = json!({ "program_id": program["id"], "title": title, "position": at + 1 });
        stages.push(add(&mut owner, "create_stage", stage).await);
    }
    for (stage, at, title) in [
        (0, 1, "Meet the house"),
        (0, 2, "Set up"),
        (1, 1, "Build it"),
    ] {
        let milestone = json!({
            "stage_id": stages[stage]["id"], "title": title, "position": at, "points": at,
        });
        add(&mut owner, "create_milestone", milestone).await;
    }
    let edge = json!({
        "program_id": program["id"], "node_kind": "stage",
        "predecessor_id": stages[0]["id"], "successor_id": stages[1]["id"],
    });
    add(&mut owner, "add_stage_dependency", edge).await;
    add(&mut owner, "create_cohort", json!({ "name": "Turma 8" })).await;
    organization
}

/// At the list of a kind.
async fn at_the(organization: &Organization, role: Role, kind: &str) -> Desk {
    let t = desk(organization).signed_in_as(role).size(120, 40);
    let mut t = t.at_home().await;
    t.press(":")
        .await
        .type_text(kind)
        .await
        .press("enter")
        .await;
    t
}

#[test]
fn a_program_is_a_tree_of_stages_and_milestones() {
    run(async {
        let organization = fellowship().await;
        let mut t = at_the(&organization, Role::Owner, "programs").await;
        t.expect_row(selected("Fellowship").with("◇ template"))
            .press("enter")
            .await
            .expect_rows([
                row("Arrival")
                    .with("○ upcoming")
                    .with("2 milestones, 3 points · before Craft"),
                row("Meet the house").with("1 point"),
                row("Set up").with("2 points"),
                row("Craft").with("! waits for Arrival"),
                row("Build it"),
            ]);
        t.snapshot("program").await;
        t.select("Arrival").await.press("left").await;
        t.expect_rows([selected("+ Arrival"), row("- Craft")]);
    });
}

#[test]
fn a_stage_that_is_done_opens_the_next() {
    run(async {
        let organization = fellowship().await;
        let mut t = at_the(&organization, Role::Owner, "programs").await;
        t.press("enter")
            .await
            .select("Arrival")
            .await
            .press("s")
            .await;
        t.expect("○ upcoming (as it is)").press("d").await;
        t.expect_row(selected("Arrival").with("✓ done"))
            .expect_row(row("Craft").with("after Arrival"))
            .expect_no("waits for");
    });
}

#[test]
fn a_milestone_is_added_moved_and_deleted_in_the_tree() {
    run(async {
        let organization = fellowship().await;
        let mut t = at_the(&organization, Role::Owner, "programs").await;
        t.press("enter")
            .await
            .select("Build it")
            .await
            .press("a")
            .await;
        t.expect("Add milestone").expect("Craft · given");
        t.type_text("Show it").await.press("ctrl-s").await;
        t.expect_toast("Added the milestone: Show it")
            .expect_row(selected("Show it"));
        t.press("home").await.select("Meet the house").await;
        t.press("J").await;
        t.expect_rows([row("Set up"), selected("Meet the house"), row("Craft")]);
        // It is the last one there.
        t.press("J")
            .await
            .expect_rows([row("Set up"), selected("Meet the house")]);
        t.press("d").await.press("ctrl-s").await;
        t.expect("Call delete_milestone?")
            .type_text("meet the house")
            .await
            .press("ctrl-y")
            .await
            .expect_toast("Delete milestone: done")
            .expect_rows([row("Set up"), selected("Craft")]);
    });
}

#[test]
fn what_depends_on_what_stands_from_left_to_right() {
    run(async {
        let organization = fellowship().await;
        let mut t = at_the(&organization, Role::Owner, "programs").await;
        t.press("enter").await.press("v").await;
        t.expect("2 stages, 1 dependency").expect("before Craft");
        t.press("right").await.expect("waits for Arrival");
        t.snapshot("program_levels").await;
        t.press("m").await.expect("Nothing depends on anything.");
    });
}

#[test]
fn a_template_is_copied_for_a_cohort_once_it_is_seen_what_is_copied() {
    run(async {
        let organization = fellowship().await;
        let mut t = at_the(&organization, Role::Owner, "programs").await;
        t.press("i").await.expect("Fellowship for which cohort?");
        t.expect_row(selected("Turma 8")).press("enter").await;
        t.expect("2 stages, 3 milestones and 1 dependency")
            .expect("y copies it");
        t.snapshot("program_copy").await;
        t.press("y").await;
        t.expect_toast("Fellowship was copied for Turma 8")
            .expect("◆ instance of Turma 8")
            .expect_row(row("Build it"));
        t.press("esc").await.press("i").await.press("enter").await;
        t.expect("Turma 8 has “Fellowship” already: nothing would be copied.");
        t.press("y").await.expect("◆ instance of Turma 8");
    });
}

#[test]
fn an_instance_is_not_copied() {
    run(async {
        let organization = fellowship().await;
        let mut t = at_the(&organization, Role::Owner, "programs").await;
        t.press("i enter y").await.expect_toast("was copied");
        assert!(
            t.cannot_run("program.instantiate")
                .contains("an instance already")
        );
    });
}

#[test]
fn each_member_of_a_cohort_has_a_bar() {
    run(async {
        let organization = fellowship().await;
        let mut owner = other(&organization, Role::Owner).await;
        let course = add(&mut owner, "create_course", json!({ "title": "Tools" })).await;
        let lesson = json!({
            "course_id": course["id"], "title": "Editors", "status": "published", "duration": 3900,
        });
        let lesson = add(&mut owner, "create_lesson", lesson).await;
        let cohort = add(&mut owner, "create_cohort", json!({ "name": "Turma 9" })).await;
        organization
            .join_cohort(&cohort["id"], organization.fellow)
            .await;
        let program = json!({ "name": "Short", "kind": "instance", "cohort_id": cohort["id"] });
        let program = add(&mut owner, "create_program", program).await;
        let stage = json!({ "program_id": program["id"], "title": "Only" });
        let stage = add(&mut owner, "create_stage", stage).await;
        for (title, material) in [("Read", &lesson["id"]), ("Write", &Value::Null)] {
            let milestone = json!({
                "stage_id": stage["id"], "title": title, "linked_material_id": material,
            });
            add(&mut owner, "create_milestone", milestone).await;
        }
        let mut fellow = other(&organization, Role::Fellow).await;
        add(
            &mut fellow,
            "mark_lesson_complete",
            json!({ "lesson_id": lesson["id"] }),
        )
        .await;

        let mut t = at_the(&organization, Role::Owner, "cohorts").await;
        t.select("Turma 9").await.press("enter").await;
        t.expect_row(selected("Fellow").with("█████░░░░░ 1 of 2 · 50 %"));
        // From there to the member.
        t.press("enter").await.expect("Fellow  member");
        t.expect("Cohorts and progress")
            .expect("Turma 9  █████░░░░░ 1 of 2 · 50 %");
    });
}
