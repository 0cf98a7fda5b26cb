//! Home: today's events, the user's tasks and programs, items that need attention, and the state of the hosts.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{LAUNCH, Mode, School, at, row, selected};
use serde_json::{Value, json};

use crate::flows::programs::add;

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
        selected("Paint the sign").with("10 Mar ! late"),
        row("Write the speech").with("20 Mar").with("◐ in progress"),
        row("Sweep the hall").with("○ to do"),
    ]);
    t.expect_no("Order coffee").expect_no("Meeting series");
    t.text_snapshot("home_fellow");
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
    t.expect_row(selected("Tools").with("next: Editors"));
    t.select("Fellowship")
        .expect_row(selected("Fellowship").with("next: Read").with("0 of 3"))
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
fn finance_sees_due_invoices_and_unreconciled_lines() {
    let school = School::launch();
    let mut owner = school.colleague(Role::Owner);
    let invoice = json!({
        "billed_to": "Ana", "description": "Spring term", "amount": 300, "due_on": "2025-03-10",
    });
    owner.make(Host::Staff, "create_invoice", invoice);
    let mut finance = school.colleague(Role::Finance);
    let bank = json!({ "code": "1000", "name": "Bank", "kind": "asset" });
    let bank = finance.make(Host::Financing, "create_account", bank);
    let lines = "date,description,amount\n2025-03-05,Rent,-12.50\n";
    let lines = json!({ "account_id": bank["id"], "content": lines });
    finance.make(Host::Financing, "ingest_statement", lines);
    let mut t = school.desk(Role::Finance).at_home();
    t.expect_row(row("Due invoices 1"))
        .expect_row(selected("Ana").with("10 Mar ! late").with("300.00"));
    t.expect_row(row("Unreconciled statement lines 1"))
        .expect_row(row("5 Mar").with("Rent").with("-12.50"));
    t.select("Rent").press("enter").expect_head("Rent");
}

#[test]
fn an_owner_sees_people_and_invitations() {
    let school = School::launch();
    let invited = json!({ "email": "zoe@example.org", "name": "Zoë Müller", "role": "teacher" });
    school.calls(Role::Owner, Host::Staff, [("invite_staff", invited)]);
    let mut t = school.desk(Role::Owner).at_home();
    t.expect_row(row("Open invitations 1"))
        .expect_row(row("Zoë Müller").with("teacher").with("until"));
    t.expect_row(row("Joined last"));
}

#[test]
fn a_fellow_sees_the_next_lesson_of_each_course() {
    let school = School::new();
    let mut owner = school.colleague(Role::Owner);
    let course = add(&mut owner, "create_course", json!({ "title": "Tools" }));
    for title in ["Editors", "Shells"] {
        let lesson = json!({ "course_id": course["id"], "title": title, "status": "published" });
        add(&mut owner, "create_lesson", lesson);
    }
    let mut t = school.desk(Role::Fellow).at_home();
    t.expect_row(selected("Tools").with("next: Editors").with("0 of 2"));
    t.press("enter").expect_head("Editors  lesson");
}

#[test]
fn the_second_page_lists_all_areas_and_kinds() {
    let school = School::new();
    let mut t = school.desk(Role::Fellow).at_home();
    t.press("tab").expect_path("› All areas");
    t.expect_row(selected("Learn").with("Members"))
        .expect_row(row("Courses"))
        .expect_no("Invoices");
    // A search keeps the place.
    t.select("Courses").press("/").type_text("quiz");
    t.expect_no("Courses").press("esc");
    t.expect_row(selected("Courses"))
        .press("enter")
        .expect_path("Home › Courses");
    t.press("esc").expect_row(row("Signed in as"));
}

#[test]
fn a_kind_opened_by_its_name_replaces_the_screen() {
    let school = School::new();
    let mut t = school.desk(Role::Owner).at_home();
    t.go_to("courses");
    t.expect_path("Home › Courses");
    t.go_to("cohorts");
    t.expect_path("Home › Cohorts").press("esc");
    t.expect_path("Home ");
    // A form is kept.
    t.go_to("cohorts").press("a");
    t.press("ctrl-k").enter("courses");
    t.expect_path("› Add cohort › Courses").press("esc");
    t.expect_path("› Add cohort");
}

#[test]
fn a_message_covers_nothing() {
    let school = School::new();
    let mut t = school.desk(Role::Owner).at_home();
    t.go_to("cohorts").press("a");
    t.type_text("Turma 9").press("ctrl-s");
    t.expect_toast("Added cohort “Turma 9”");
    let screen = t.screen();
    let lines: Vec<&str> = screen.lines().rev().take(3).collect();
    assert!(
        lines[1].starts_with(" ✓ Added cohort “Turma 9”"),
        "{screen}"
    );
    assert!(!lines[2].contains("Added"), "{screen}");
    t.seconds(20).expect_no("Added cohort");
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
    t.text_snapshot("home_without_work");

    t.network().set(Mode::Pass);
    t.seconds(4).expect_no("Hosts:").expect_no("✗");
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
    t.press("enter").expect_row(row("Retro").with("○ empty"));
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
        .expect_row(row(LAUNCH));
    t.expect_row(selected("Paint the sign").with("10 Mar ! late"));
    t.expect_no("Hosts:");
    t.snapshot_as_it_is("home_60x16");
    // The selection stays visible.
    t.select("Sweep the hall").select("Work");
}

#[test]
fn home_is_as_old_as_its_oldest_part() {
    let setup = School::launch().desk(Role::Staff).over_a_network();
    let mut t = setup.size(120, 40).at_home();
    // Nothing is renewed below the palette.
    t.expect("as of 09:45").press(":").seconds(60);
    t.network().set_for("list_events", Mode::Hold);
    t.press_at_once("esc r").settle_but(1);
    t.expect("⠋ as of 09:45");
    t.network().set_for("list_events", Mode::Pass);
    t.network().release();
    t.settle().expect("as of 09:46");
}
