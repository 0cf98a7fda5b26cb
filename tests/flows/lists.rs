//! Lists as people handle them: the room of the facts, filters by a day, pasted lines, and the tab in the path.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Desk, Mode, School, row, selected};
use serde_json::json;

/// A school with two invoices, the first with a payment.
fn school() -> School {
    let school = School::new();
    let mut owner = school.colleague(Role::Owner);
    for (name, due) in [("Ana", "2025-04-01"), ("Zoë", "2025-06-01")] {
        let invoice =
            json!({ "billed_to": name, "description": "Term", "amount": 100, "due_on": due });
        owner.make(Host::Staff, "create_invoice", invoice);
    }
    school
}

fn at_invoices(school: &School, columns: u16, rows: u16) -> Desk {
    let mut t = school.desk(Role::Owner).size(columns, rows).at_home();
    t.go_to("invoices");
    t.expect("2 invoices");
    t
}

/// The column at which the box of the facts begins.
fn border(t: &mut Desk) -> Option<usize> {
    let screen = t.screen();
    let line = screen.lines().find(|line| line.contains("2 invoices"))?;
    let mut boxes = line.char_indices().filter(|(_, one)| *one == '╭');
    boxes.nth(1).map(|(at, _)| at)
}

#[test]
fn a_key_moves_the_border_between_a_list_and_its_facts() {
    let school = school();
    let mut t = at_invoices(&school, 140, 30);
    let before = border(&mut t).expect("facts");
    t.press("<");
    let more = border(&mut t).expect("facts");
    assert!(more < before, "{more} {before}");
    t.press("> >");
    let less = border(&mut t).expect("facts");
    assert!(less > before, "{less} {before}");
    // Hidden facts are shown first.
    t.press("V");
    assert_eq!(border(&mut t), None);
    t.press("<");
    assert_eq!(border(&mut t), Some(less));
}

#[test]
fn the_path_has_the_tab_of_a_record_unless_it_is_the_first() {
    let school = school();
    let mut t = at_invoices(&school, 100, 30);
    t.press("enter").expect_path("Invoices › ");
    let first = t.screen().lines().next().map(str::to_owned);
    assert!(first.is_some_and(|path| !path.contains("Payments")));
    for _ in 0..4 {
        if t.screen().contains("[Payments]") {
            break;
        }
        t.press("tab");
    }
    t.expect_path("› Payments");
}

#[test]
fn lines_pasted_into_a_search_are_joined_and_that_is_said() {
    let school = school();
    let mut t = at_invoices(&school, 100, 30);
    t.press("/").paste("Zoë\nMüller");
    t.expect("Zoë Müller")
        .expect_toast("The pasted lines are one line");
    let mut t = at_invoices(&school, 100, 30);
    t.press(":")
        .paste("my\nweek")
        .expect_toast("The pasted lines are one line");
}

#[test]
fn the_filter_menu_leads_to_the_days_in_one_step_and_keeps_the_other_filters() {
    let school = School::new();
    let mut owner = school.colleague(Role::Owner);
    for (title, day) in [("Kick-off", "10"), ("Retro", "11")] {
        let at = format!("2026-03-{day}T12:00:00Z");
        let meeting = json!({ "title": title, "meeting_date": at });
        owner.make(Host::Work, "create_meeting", meeting);
    }
    let mut t = school.desk(Role::Owner).at_home();
    t.go_to("agenda");
    t.press("f").select("Kind: meeting").press("enter");
    t.press("f").select("From, To…").press("enter");
    t.type_text("2026-03-10").press("ctrl-s");
    t.expect("[Kind: meeting]").expect("[From: ");
    t.expect_rows([selected("Kick-off"), row("Retro")]);
    t.press("f").select("From: ").press("enter");
    t.expect("[Kind: meeting]")
        .expect_no("[From: ")
        .expect_no("Kick-off");
}

#[test]
fn a_search_in_a_whole_list_asks_nobody_and_leaves_everything_as_it_was() {
    let school = school();
    let mut t = school.desk(Role::Owner).over_a_network().at_home();
    t.go_to("invoices").press("s S");
    t.select("Zoë").expect_title(" 2 invoices · by ");
    let asked = t.network().count_of("list_invoices");
    t.press("/").search("ana").expect_title(" 1 invoice ");
    t.expect_row(selected("Ana")).press("esc");
    t.expect_title(" 2 invoices · by ")
        .expect_row(selected("Zoë"));
    assert_eq!(t.network().count_of("list_invoices"), asked);
    // What no row has is looked for by the host.
    t.press("/").search("nobody").expect_no("Ana");
    assert_eq!(t.network().count_of("list_invoices"), asked + 1);
    t.press("esc").expect_row(selected("Zoë"));
}

#[test]
fn a_search_at_the_host_leaves_the_loaded_rows_as_they_were() {
    let school = School::new().with_crowd("Concert", 250);
    let mut t = school.desk(Role::Staff).over_a_network().at_home();
    t.select("Concert").press("o s").select("Guest 0042");
    t.expect_title(" 100 of 250 guests · by state ↑ ");
    t.press("/")
        .search("0207")
        .expect_row(selected("Guest 0207"));
    t.network().set_for("list_event_guests", Mode::Hold);
    t.press_at_once("esc").settle_but(0);
    t.expect_title(" 100 of 250 guests · by state ↑ ");
    t.expect_row(selected("Guest 0042"));
}
