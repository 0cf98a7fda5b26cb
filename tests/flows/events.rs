//! The list of events, and one event with its tabs.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Desk, LAUNCH, School, at, row, selected};
use serde_json::json;

/// The list of a school's events: one of last year, one of today, one of next month.
fn three_events() -> Desk {
    let school = School::launch();
    school.add_event_at("Ärzteball", at("2024-11-09T22:00:00Z"));
    school.add_event_at("Graduation", at("2025-04-11T13:00:00Z"));
    let mut t = school.desk(Role::Staff).at_home();
    t.press("e");
    t
}

/// A school with this number of events.
fn events(number: i32) -> School {
    let school = School::new();
    school.change(
        "insert into events.events (organization_id, strategy_business_unit_id, name, start_at) \
         select $1, $2, 'Event ' || lpad(n::text, 3 + (n / 1000), '0'), timestamptz '2025-01-01' - n * interval '1 day' \
         from generate_series(1, $3) n",
        &[&school.organization.id.0, &school.organization.business_unit.0, &number],
    );
    school
}

#[test]
fn all_events_are_listed_the_latest_first() {
    let mut t = three_events();
    t.expect_title(" 3 events ").expect_rows([
        selected("Graduation")
            .with("Fri 11 Apr 10:00")
            .with("no guests"),
        row(LAUNCH).with("today 10:00–18:00").with("2 of 12"),
        row("Ärzteball").with("Sat 9 Nov 2024 19:00"),
    ]);
    t.text_snapshot("events");
    t.press("j")
        .expect_row(selected(LAUNCH))
        .expect_cursor("▸ Launch");
    t.press("/").expect_cursor("│/").press("esc");
    t.press("k").expect_cursor("▸ Graduation");
    t.press("G").expect_row(selected("Ärzteball"));
    t.press("g").expect_row(selected("Graduation"));
    t.press("esc").expect_row(row("Today and coming up"));
}

#[test]
fn events_are_found_without_their_accents_here_and_at_the_host() {
    let mut t = three_events();
    t.press("/").type_text("arz");
    t.expect_title(" 1 event ")
        .expect_row(selected("Ärzteball"));
    // An event that was created after the list was loaded is found at the host.
    t.database().with_event("Große Parade");
    t.press("esc").press("/").type_text("parade");
    t.expect_no("Große Parade")
        .search("")
        .expect_row(selected("Große Parade"));
    t.text_snapshot("events_search");
    t.press("enter").expect_row(selected("Große Parade"));
    t.press("esc").search("").expect_title(" 4 events ");
    t.press("/")
        .search("nothing at all")
        .expect_row(row("No match for “nothing at all”"));
}

#[test]
fn events_are_sorted_by_their_columns() {
    let mut t = three_events();
    t.press("s").expect_title("by event ↑");
    t.expect_rows([row("Ärzteball"), selected("Graduation"), row(LAUNCH)]);
    t.press("S").expect_title("by event ↓");
    t.expect_rows([row(LAUNCH), selected("Graduation"), row("Ärzteball")]);
    t.press("s").expect_title("by when ↑");
    t.expect_rows([row("Ärzteball"), row(LAUNCH), selected("Graduation")]);
    t.press("s").expect_title("by guests ↑");
    t.press("S").expect_row(row(LAUNCH).with("2 of 12"));
    t.press("s s").expect_no("↑");
    t.expect_rows([selected("Graduation"), row(LAUNCH), row("Ärzteball")]);
}

#[test]
fn further_pages_come_when_one_gets_there() {
    let mut t = events(230).desk(Role::Staff).at_home();
    t.press("e")
        .expect_title(" 100 of 230 events ")
        .expect_row(selected("Event 001"));
    for _ in 0..10 {
        t.press("pgdn");
    }
    t.expect_title(" 200 of 230 events ");
    t.press("end")
        .expect_row(selected("Event 230"))
        .expect_title(" 230 events ");
}

#[test]
fn the_last_of_many_pages_is_one_key_away() {
    let mut t = events(1_150).desk(Role::Staff).at_home();
    t.press("e").expect_title(" 100 of 1150 events ");
    t.press("G")
        .expect_row(selected("Event 1150"))
        .expect_title(" 1150 events ");
}

/// A school whose event has something in every tab.
fn full_event() -> School {
    let school = School::launch();
    let (event, member) = (school.event_id(LAUNCH), school.organization.member);
    let calls = [
        (
            "update_event",
            json!({ "id": event, "description": "A new beginning.\nBring your own cup." }),
        ),
        (
            "create_event_session",
            json!({
                "event_id": event, "title": "Opening", "location": "Stage",
                "start_time": "2025-03-12T13:00:00Z", "end_time": "2025-03-12T13:30:00Z", "order": 1,
            }),
        ),
        (
            "create_event_session",
            json!({ "event_id": event, "title": "Open end", "order": 2 }),
        ),
        (
            "create_event_task",
            json!({
                "event_id": event, "title": "Print badges", "status": "done", "due_date": "2025-03-11",
            }),
        ),
        (
            "create_event_task",
            json!({
                "event_id": event, "title": "Order coffee", "description": "Enough for twelve.",
                "due_date": "2025-03-10",
            }),
        ),
        (
            "create_event_expense",
            json!({
                "event_id": event, "vendor_name": "Café Müller", "vendor_category": "catering",
                "vendor_email": "orders@example.org", "amount_estimated": 1200.5, "amount_paid": 1350,
            }),
        ),
        (
            "create_event_expense",
            json!({
                "event_id": event, "vendor_name": "Print & Sons", "amount_estimated": 80, "amount_paid": 0,
            }),
        ),
        (
            "add_event_photo",
            json!({
                "event_id": event, "url": "https://example.org/stage.jpg", "caption": "The stage",
                "member_ids": [member],
            }),
        ),
    ];
    school.calls(Role::Owner, Host::Events, calls);
    school
}

#[test]
fn one_event_shows_what_belongs_to_it() {
    let mut t = full_event().desk(Role::Staff).at_home();
    t.select(LAUNCH).press("o");
    t.expect_head("[Guests]")
        .expect_title(" 12 guests ")
        .expect_head("2 of 12");
    t.expect_row(row("João Silva").with("✓ in 09:41"));
    t.text_snapshot("event_guests");

    t.press("tab").expect_head("[Sessions]").expect_rows([
        selected("Opening").with("10:00–10:30").with("Stage"),
        row("Open end"),
    ]);
    t.text_snapshot("event_sessions");
    t.press("tab").expect_head("[Tasks]").expect_rows([
        selected("Order coffee").with("! late"),
        row("Print badges").with("done"),
    ]);
    t.expect_row(row("Enough for twelve."))
        .text_snapshot("event_tasks");
    t.press("tab").expect_head("[Expenses]");
    t.expect_row(selected("Café Müller").with("1,200.50").with("1,350.00"));
    t.expect_row(row("over the estimate"))
        .text_snapshot("event_expenses");
    t.press("tab")
        .expect_head("[Photos]")
        .expect_row(selected("The stage").with("1"));
    t.text_snapshot("event_photos");
    t.press("tab")
        .expect_head("[Facts]")
        .expect_row(row("A new beginning."))
        .expect_row(row("Bring your own cup."));
    t.text_snapshot("event_facts");
    t.press("tab tab tab").expect_head("[Changes]");
    t.press("tab")
        .expect_head("[Guests]")
        .press("backtab")
        .expect_head("[Changes]");
}

#[test]
fn the_tabs_that_one_may_not_see_are_empty() {
    let mut t = full_event().desk(Role::Fellow).at_home();
    t.select(LAUNCH).press("o").expect_row(row("No guests yet"));
    t.press("tab").expect_row(selected("Opening"));
    t.press("tab").expect_row(row("No tasks yet"));
    t.press("tab")
        .expect_row(row("list_event_expenses is not offered to you (fellow)"));
    t.press("tab").expect_row(selected("The stage"));
}

#[test]
fn a_guest_is_looked_at_checked_in_and_taken_back() {
    let mut t = School::launch().desk(Role::Staff).at_home();
    t.select(LAUNCH).press("o").press("/").type_text("zoe");
    t.press("enter enter")
        .expect_row(row("○ not yet"))
        .text_snapshot("guest");
    t.press("c").expect_row(row("✓ in ")).expect_no("not yet");
    t.database().guest("Zoë Müller").is_checked_in();
    assert!(
        t.cannot_run("guest.check_in_this")
            .contains("already checked in")
    );
    t.press("u").expect_row(row("○ not yet"));
    t.database().guest("Zoë Müller").is_not_checked_in();
    t.press("c")
        .press("esc")
        .expect_row(selected("Zoë Müller").with("✓ in"));
}

#[test]
fn from_the_event_one_goes_to_its_desk_and_back() {
    let mut t = School::launch().desk(Role::Staff).at_home();
    t.select(LAUNCH).press("o").press("c");
    t.expect_row(row("Type a name, or scan a code."));
    t.enter("zoe").expect_banner(&["CHECKED IN", "Zoë Müller"]);
    t.press("ctrl-q")
        .expect_head("[Guests]")
        .expect_head("3 of 12");
    t.expect_row(row("Zoë Müller").with("✓ in"));
    t.press("esc")
        .expect_row(row("Today and coming up"))
        .expect_row(selected(LAUNCH).with("3 of 12"));
}

#[test]
fn a_fellow_reads_about_themselves_instead_of_counters() {
    let school = full_event();
    let mut t = school.desk(Role::Fellow).at_home();
    t.expect_row(selected(LAUNCH)).expect_no("no guests");
    school.add_fellow(LAUNCH);
    t.press("r")
        .expect_row(selected(LAUNCH).with("you are invited"));
    t.press("o").expect_row(row("you are invited"));
}
