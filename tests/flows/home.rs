//! Home: today's events, the user's tasks and programs, items that need attention, and the state of the hosts.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{LAUNCH, Mode, School, at, row, selected};
use serde_json::{Value, json};

use crate::programs::add;

/// Tasks of the fellow: name, status and due date.
const TASKS: [(&str, &str, Option<&str>); 4] = [
    ("Sweep the hall", "to_do", None),
    ("Write the speech", "in_progress", Some("2025-03-20")),
    ("Paint the sign", "blocked", Some("2025-03-10")),
    ("Order coffee", "done", Some("2025-03-01")),
];

/// A school with the launch and these tasks.
pub(crate) fn with_tasks() -> School {
    let school = School::launch();
    let fellow = school.organization.fellow;
    let tasks = TASKS.map(|(name, status, due)| {
        let task = json!({
            "name": name, "stage_id": "execution", "context": {}, "owner_id": fellow,
            "status": status, "estimated_date": due,
        });
        ("create_task", task)
    });
    school.calls(Role::Owner, Host::Work, tasks);
    school
}

#[test]
fn late_tasks_come_first() {
    let school = with_tasks();
    let mut t = school.desk(Role::Fellow).at_home();
    t.expect_row(row("My open tasks 3, 1 late")).expect_rows([
        row("Paint the sign").with("10 Mar ! late"),
        row("Write the speech").with("20 Mar").with("… in progress"),
        row("Sweep the hall").with("○ to do"),
    ]);
    t.expect_no("Order coffee").expect_no("Meeting series");
    t.snapshot("home_fellow");
    t.select("Sweep the hall").press("enter");
    t.expect_head("Sweep the hall  task");
}

#[test]
fn a_fellow_sees_the_own_programs_and_the_next_milestone() {
    let school = School::new();
    let mut owner = school.colleague(Role::Owner);
    let course = add(&mut owner, "create_course", json!({ "title": "Tools" }));
    let lesson = json!({ "course_id": course["id"], "title": "Editors", "status": "published" });
    let lesson = add(&mut owner, "create_lesson", lesson);
    let cohort = add(&mut owner, "create_cohort", json!({ "name": "Turma 9" }));
    let others = add(&mut owner, "create_cohort", json!({ "name": "Others" }));
    let residency = json!({ "name": "Residency", "kind": "instance", "cohort_id": others["id"] });
    add(&mut owner, "create_program", residency);
    let program = json!({ "name": "Fellowship", "kind": "instance", "cohort_id": cohort["id"] });
    let program = add(&mut owner, "create_program", program);
    let stages = [("Arrival", 1), ("Craft", 2)].map(|(title, position)| {
        let stage = json!({ "program_id": program["id"], "title": title, "position": position });
        add(&mut owner, "create_stage", stage)
    });
    let milestones = [
        (&stages[0], "Read", 1, &lesson["id"]),
        (&stages[0], "Meet the house", 2, &Value::Null),
        (&stages[1], "Build it", 1, &Value::Null),
    ];
    let milestones = milestones.map(|(stage, title, position, material)| {
        let milestone = json!({
            "stage_id": stage["id"], "title": title, "position": position,
            "linked_material_id": material,
        });
        add(&mut owner, "create_milestone", milestone)
    });
    school.join(&cohort["id"]);
    let mut t = school.desk(Role::Fellow).at_home();
    t.expect_row(selected("Fellowship").with("next: Read").with("0 of 3"))
        .expect_no("Residency");

    let complete = json!({ "lesson_id": lesson["id"] });
    let mut fellow = school.colleague(Role::Fellow);
    add(&mut fellow, "mark_lesson_complete", complete);
    t.press("r");
    t.expect_row(
        selected("Fellowship")
            .with("next: Meet the house")
            .with("1 of 3"),
    );
    for milestone in &milestones[1..] {
        let done = json!({ "id": milestone["id"], "status": "done" });
        add(&mut owner, "update_milestone", done);
    }
    t.press("r")
        .expect_row(selected("Fellowship").with("no milestone is left"));
    t.press("enter")
        .expect_row(row("Arrival").with("2 milestones"));
}

#[test]
fn a_host_that_is_away_takes_its_own_part_with_it_until_it_is_back() {
    let school = School::launch();
    school.add_series("Retro");
    let mut t = school.desk(Role::Staff).over_a_network().at_home();
    t.expect_row(row("Retro").with("○ empty"));
    for request in ["/work/health", "get_weekly_updates", "list_meeting_series"] {
        t.network()
            .set_for(request, Mode::status(503, "away for maintenance"));
    }
    t.press("r")
        .expect_row(row("✓ 14 ok"))
        .expect_row(row("✗ away: Work"));
    t.expect_row(row("need attention 1 ✗ Host failed (as of 09:45)"));
    t.expect_row(row("My open tasks ✗ Host failed"));
    t.expect_row(row("Retro").with("○ empty"))
        .expect_row(selected(LAUNCH).with("2 of 12"));
    t.snapshot("home_without_work");

    t.network().set(Mode::Pass);
    t.seconds(4).expect_row(row("✓ 15 ok")).expect_no("✗");
    t.expect_row(row("Retro")).expect_row(row("no open tasks"));
}

#[test]
fn home_is_renewed_by_itself() {
    let school = School::launch();
    let mut t = school.desk(Role::Staff).at_home();
    t.expect_row(selected(LAUNCH).with("2 of 12"))
        .expect_row(row("as of 09:45"));
    school.another_desk_checks_in("Zoë Müller", at("2025-03-12T12:44:00Z"));
    t.seconds(29).expect_row(selected(LAUNCH).with("2 of 12"));
    t.seconds(1).expect_row(selected(LAUNCH).with("3 of 12"));
    t.seconds(30).expect_row(row("as of 09:46"));
}

#[test]
fn the_desk_is_one_key_away_whatever_else_there_is() {
    let school = School::launch();
    school.add_series("Retro");
    let mut t = school.desk(Role::Staff).at_home();
    t.press("enter")
        .expect_title("Find a guest")
        .press("ctrl-q");
    t.select("Retro").press("c").expect_title("Find a guest");
    t.press("ctrl-q").expect_row(selected("Retro"));
    t.press("enter").expect_row(row("Retro  ○ empty"));
}

#[test]
fn on_a_small_screen_each_part_has_its_share() {
    let school = with_tasks();
    for name in [
        "Breakfast",
        "Dinner",
        "Lunch",
        "Supper",
        "Tea",
        "Walk",
        "Wine",
        "Work",
    ] {
        school.with_event(name);
    }
    let mut t = school.desk(Role::Fellow).size(60, 16).at_home();
    t.expect_row(row("Today and coming up 9"))
        .expect_row(selected(LAUNCH));
    t.expect_row(row("Paint the sign").with("10 Mar ! late"));
    t.expect_row(row("Hosts: ✓ 15 ok"));
    t.snapshot_as_it_is("home_60x16");
    // The selection stays visible.
    t.select("Work").select("Sweep the hall");
}
