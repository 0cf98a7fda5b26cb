//! Programs: read and changed as a tree, drawn by dependencies, copied for a cohort, and the progress of
//! the members.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Colleague, Desk, School, row, selected};
use serde_json::{Value, json};

/// Creates a record with a tool of the Learn host.
pub(crate) fn add(by: &mut Colleague, tool: &str, arguments: Value) -> Value {
    by.make(Host::Learn, tool, arguments)
}

/// A school with the template Fellowship: the stages Arrival and Craft, the second after the first, with
/// three milestones, and a cohort.
pub(crate) fn fellowship() -> School {
    let school = School::new();
    let mut owner = school.colleague(Role::Owner);
    let program = add(
        &mut owner,
        "create_program",
        json!({ "name": "Fellowship" }),
    );
    let mut stages = Vec::new();
    for (at, title) in ["Arrival", "Craft"].into_iter().enumerate() {
        let stage = json!({ "program_id": program["id"], "title": title, "position": at + 1 });
        stages.push(add(&mut owner, "create_stage", stage));
    }
    for (stage, at, title) in [
        (0, 1, "Meet the house"),
        (0, 2, "Set up"),
        (1, 1, "Build it"),
    ] {
        let milestone = json!({
            "stage_id": stages[stage]["id"], "title": title, "position": at, "points": at,
        });
        add(&mut owner, "create_milestone", milestone);
    }
    let edge = json!({
        "program_id": program["id"], "node_kind": "stage",
        "predecessor_id": stages[0]["id"], "successor_id": stages[1]["id"],
    });
    add(&mut owner, "add_stage_dependency", edge);
    add(&mut owner, "create_cohort", json!({ "name": "Turma 8" }));
    school
}

/// Opens the list of a kind.
pub(crate) fn at_the(school: &School, role: Role, kind: &str) -> Desk {
    let mut t = school.desk(role).size(120, 40).at_home();
    t.go_to(kind);
    t
}

#[test]
fn a_program_is_a_tree_of_stages_and_milestones() {
    let school = fellowship();
    let mut t = at_the(&school, Role::Owner, "programs");
    t.expect_row(selected("Fellowship").with("◇ template"))
        .press("enter")
        .expect_rows([
            row("Arrival")
                .with("○ upcoming")
                .with("2 milestones, 3 points · before Craft"),
            row("Meet the house").with("1 point"),
            row("Set up").with("2 points"),
            row("Craft").with("! waits for Arrival"),
            row("Build it"),
        ]);
    t.text_snapshot("program");
    t.select("Arrival").press("left");
    t.expect_rows([selected("+ Arrival"), row("- Craft")]);
}

#[test]
fn a_stage_that_is_done_opens_the_next() {
    let school = fellowship();
    let mut t = at_the(&school, Role::Owner, "programs");
    t.press("enter").select("Arrival").press("=");
    t.expect_row(selected("○ upcoming (as it is)")).press("d");
    t.expect_toast("Set “Arrival” to done");
    t.expect_row(selected("Arrival").with("✓ done"))
        .expect_row(row("Craft").with("after Arrival"))
        .expect_no("waits for");
}

#[test]
fn a_milestone_is_added_moved_and_deleted_in_the_tree() {
    let school = fellowship();
    let mut t = at_the(&school, Role::Owner, "programs");
    t.press("enter").select("Build it").press("a");
    t.expect_path("Add milestone").expect_head("Craft · given");
    t.type_text("Show it").press("ctrl-s");
    t.expect_toast("Added milestone “Show it”")
        .expect_row(selected("Show it"));
    t.press("home").select("Meet the house");
    t.press("J").expect_toast("Moved “Meet the house”");
    t.expect_rows([row("Set up"), selected("Meet the house"), row("Craft")]);
    // It is the last one there.
    t.press("J")
        .expect_rows([row("Set up"), selected("Meet the house")]);
    t.press("d")
        .expect_title("Delete milestone “Meet the house”?")
        .press("y")
        .expect_toast("Deleted milestone “Meet the house”")
        .expect_rows([row("Set up"), selected("Craft")]);
}

#[test]
fn dependencies_are_drawn_from_left_to_right() {
    let school = fellowship();
    let mut t = at_the(&school, Role::Owner, "programs");
    t.press("enter").press("v");
    t.expect_title("2 stages, 1 dependency")
        .expect_row(row("before Craft"));
    t.press("right").expect_row(row("waits for Arrival"));
    t.text_snapshot("program_levels");
    t.press("tab").expect_row(row("No dependencies."));
}

#[test]
fn a_template_is_copied_for_a_cohort_after_a_preview() {
    let school = fellowship();
    let mut t = at_the(&school, Role::Owner, "programs");
    t.press("i").expect_title("Fellowship for which cohort?");
    t.expect_row(selected("Turma 8")).press("enter");
    t.expect_head("2 stages, 3 milestones and 1 dependency")
        .expect_head("y create it");
    t.text_snapshot("program_copy");
    t.press("y");
    t.expect_toast("Instantiated Fellowship for Turma 8")
        .expect_path("Fellowship · Turma 8")
        .expect_head("◆ instance of Turma 8")
        .expect_row(row("Build it"));
    t.press("esc").press("i").press("enter");
    t.expect_head("Turma 8 already has “Fellowship · Turma 8”: nothing would be created.");
    t.press("y").expect_head("◆ instance of Turma 8");
}

#[test]
fn an_instance_is_not_copied() {
    let school = fellowship();
    let mut t = at_the(&school, Role::Owner, "programs");
    t.press("i enter y").expect_toast("Instantiated");
    assert!(
        t.cannot_run("program.instantiate")
            .contains("this is an instance")
    );
}

#[test]
fn each_member_of_a_cohort_has_a_bar() {
    let school = fellowship();
    let mut owner = school.colleague(Role::Owner);
    let course = add(&mut owner, "create_course", json!({ "title": "Tools" }));
    let lesson = json!({
        "course_id": course["id"], "title": "Editors", "status": "published", "duration": 3900,
    });
    let lesson = add(&mut owner, "create_lesson", lesson);
    let cohort = add(&mut owner, "create_cohort", json!({ "name": "Turma 9" }));
    school.join(&cohort["id"]);
    let program = json!({ "name": "Short", "kind": "instance", "cohort_id": cohort["id"] });
    let program = add(&mut owner, "create_program", program);
    let stage = json!({ "program_id": program["id"], "title": "Only" });
    let stage = add(&mut owner, "create_stage", stage);
    for (title, material) in [("Read", &lesson["id"]), ("Write", &Value::Null)] {
        let milestone = json!({
            "stage_id": stage["id"], "title": title, "linked_material_id": material,
        });
        add(&mut owner, "create_milestone", milestone);
    }
    let complete = json!({ "lesson_id": lesson["id"] });
    add(
        &mut school.colleague(Role::Fellow),
        "mark_lesson_complete",
        complete,
    );

    let mut t = at_the(&school, Role::Owner, "cohorts");
    t.select("Turma 9").press("enter");
    t.expect_row(selected("Fellow").with("█████░░░░░ 1 of 2 · 50 %"));
    // Enter opens the member.
    t.press("enter").expect_head("Fellow  member");
    t.expect_row(row("Cohorts and progress"))
        .expect_row(row("Turma 9  █████░░░░░ 1 of 2 · 50 %"));
}

#[test]
fn the_root_of_a_tree_is_open_already() {
    let mut t = at_the(&fellowship(), Role::Owner, "programs");
    t.press("enter").expect_row(selected("Fellowship"));
    t.press("enter").expect_toast("This record is open already");
    // The footer of another tab shows no keys of the tree.
    t.expect_keys("K move").press("tab");
    assert!(!t.screen().contains("K move"), "{}", t.screen());
}
