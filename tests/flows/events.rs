//! The list of events, and one event with what belongs to it.

use frontdesk_protocol::id::EventId;
use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Desk, Http, Organization, desk, row, run, selected, world};
use jiff::Timestamp;
use serde_json::json;

use crate::launch::{LAUNCH, at, event_today, launch, school};

/// An event that begins at this time.
async fn event_at(organization: &Organization, name: &str, start: Timestamp) -> EventId {
    let event = organization.event(name).await;
    world()
        .owner()
        .await
        .execute(
            "update events.events set start_at = $2 where id = $1",
            &[&event.0, &start],
        )
        .await
        .expect("a time");
    event
}

/// The list of a school's events: one of last year, one of today, one of next month.
async fn three_events() -> (Organization, Desk) {
    let (organization, _) = launch().await;
    event_at(&organization, "Ärzteball", at("2024-11-09T22:00:00Z")).await;
    event_at(&organization, "Graduation", at("2025-04-11T13:00:00Z")).await;
    let mut t = desk(&organization)
        .signed_in_as(Role::Staff)
        .at_home()
        .await;
    t.press("e").await;
    (organization, t)
}

#[test]
fn all_events_are_listed_the_latest_first() {
    run(async {
        let (_, mut t) = three_events().await;
        t.expect(" 3 events ").expect_rows([
            selected("Graduation")
                .with("Fri 11 Apr 10:00")
                .with("no guests"),
            row(LAUNCH).with("today 10:00–18:00").with("2 of 12"),
            row("Ärzteball").with("Sat 9 Nov 2024 19:00"),
        ]);
        t.snapshot("events").await;
        t.press("j")
            .await
            .expect_row(selected(LAUNCH))
            .press("k")
            .await;
        t.press("G").await.expect_row(selected("Ärzteball"));
        t.press("g").await.expect_row(selected("Graduation"));
        t.press("esc").await.expect("Today and coming up");
    });
}

#[test]
fn events_are_found_without_their_accents_here_and_at_the_host() {
    run(async {
        let (organization, mut t) = three_events().await;
        t.press("/").await.type_text("arz").await;
        t.expect(" 1 event ").expect_row(selected("Ärzteball"));
        // One that was made after the list was loaded is found at the host.
        event_today(&organization, "Große Parade").await;
        t.press("esc")
            .await
            .press("/")
            .await
            .type_text("parade")
            .await;
        t.expect_no("Große Parade")
            .search("")
            .await
            .expect_row(selected("Große Parade"));
        t.snapshot("events_search").await;
        t.press("enter").await.expect_row(selected("Große Parade"));
        t.press("esc").await.search("").await.expect(" 4 events ");
        t.press("/")
            .await
            .search("nothing at all")
            .await
            .expect("Nothing with “nothing at all”.");
    });
}

#[test]
fn events_are_sorted_by_their_columns() {
    run(async {
        let (_, mut t) = three_events().await;
        t.press("s").await.expect("by event ↑");
        t.expect_rows([row("Ärzteball"), selected("Graduation"), row(LAUNCH)]);
        t.press("S").await.expect("by event ↓");
        t.expect_rows([row(LAUNCH), selected("Graduation"), row("Ärzteball")]);
        t.press("s").await.expect("by when ↑");
        t.expect_rows([row("Ärzteball"), row(LAUNCH), selected("Graduation")]);
        t.press("s").await.expect("by guests ↑");
        t.press("S").await.expect_row(row(LAUNCH).with("2 of 12"));
        t.press("s s").await.expect_no("↑");
        t.expect_rows([selected("Graduation"), row(LAUNCH), row("Ärzteball")]);
    });
}

#[test]
fn further_pages_come_when_one_gets_there() {
    run(async {
        let organization = school().await;
        world()
            .owner()
            .await
            .execute(
                "insert into events.events (organization_id, strategy_business_unit_id, name, start_at) \
                 select $1, $2, 'Event ' || lpad(n::text, 3, '0'), timestamptz '2025-01-01' - n * interval '1 day' \
                 from generate_series(1, 230) n",
                &[&organization.id.0, &organization.business_unit.0],
            )
            .await
            .expect("events");
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at_home()
            .await;
        t.press("e")
            .await
            .expect(" 100+ events ")
            .expect_row(selected("Event 001"));
        t.press("end")
            .await
            .expect_row(selected("Event 100"))
            .expect(" 200+ events ");
        t.press("down")
            .await
            .expect_rows([row("Event 100"), selected("Event 101")]);
        t.press("end")
            .await
            .expect_row(selected("Event 200"))
            .expect(" 230 events ");
        t.press("end")
            .await
            .expect_row(selected("Event 230"))
            .expect(" 230 events ");
    });
}

/// An event with something in every tab.
async fn full_event() -> (Organization, EventId) {
    let (organization, event) = launch().await;
    let email = frontdesk_tests::desk::Stored::of(&organization)
        .email(Role::Owner)
        .await;
    let mut owner = Http::sign_in(&world().url(), &email, frontdesk_tests::builder::PASSWORD).await;
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
                "member_ids": [organization.member],
            }),
        ),
    ];
    for (tool, arguments) in calls {
        owner.call(Host::Events, tool, arguments).await.output();
    }
    (organization, event)
}

#[test]
fn one_event_shows_what_belongs_to_it() {
    run(async {
        let (organization, _) = full_event().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at_home()
            .await;
        t.select(LAUNCH).await.press("o").await;
        t.expect("[Guests]").expect(" 12 guests ").expect("2 of 12");
        t.expect_row(row("João Silva").with("✓ in 09:41"));
        t.snapshot("event_guests").await;

        t.press("tab").await.expect("[Sessions]").expect_rows([
            selected("Opening").with("10:00–10:30").with("Stage"),
            row("Open end"),
        ]);
        t.snapshot("event_sessions").await;
        t.press("tab").await.expect("[Tasks]").expect_rows([
            selected("Order coffee").with("! late"),
            row("Print badges").with("done"),
        ]);
        t.expect("Enough for twelve.").snapshot("event_tasks").await;
        t.press("tab").await.expect("[Expenses]");
        t.expect_row(selected("Café Müller").with("1,200.50").with("1,350.00"));
        t.expect("over the estimate")
            .snapshot("event_expenses")
            .await;
        t.press("tab")
            .await
            .expect("[Photos]")
            .expect_row(selected("The stage").with("1"));
        t.snapshot("event_photos").await;
        t.press("tab")
            .await
            .expect("[Facts]")
            .expect("A new beginning.")
            .expect("Bring your own cup.");
        t.snapshot("event_facts").await;
        t.press("tab")
            .await
            .expect("[Guests]")
            .press("backtab")
            .await
            .expect("[Facts]");
    });
}

#[test]
fn the_tabs_that_one_may_not_see_are_empty() {
    run(async {
        let (organization, _) = full_event().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Fellow)
            .at_home()
            .await;
        t.select(LAUNCH)
            .await
            .press("o")
            .await
            .expect("There are no guests that you can see.");
        t.press("tab").await.expect_row(selected("Opening"));
        t.press("tab")
            .await
            .expect("There are no tasks that you can see.");
        t.press("tab")
            .await
            .expect("list_event_expenses is not offered to you (fellow)");
        t.press("tab").await.expect_row(selected("The stage"));
    });
}

#[test]
fn a_guest_is_looked_at_checked_in_and_taken_back() {
    run(async {
        let (organization, _) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at_home()
            .await;
        t.select(LAUNCH)
            .await
            .press("o")
            .await
            .press("/")
            .await
            .type_text("zoe")
            .await;
        t.press("enter enter")
            .await
            .expect("○ not yet")
            .snapshot("guest")
            .await;
        t.press("c").await.expect("✓ in ").expect_no("not yet");
        t.database().guest("Zoë Müller").await.is_checked_in();
        assert!(
            t.cannot_run("guest.check_in_this")
                .contains("they are in already")
        );
        t.press("u").await.expect("○ not yet");
        t.database().guest("Zoë Müller").await.is_not_checked_in();
        t.press("c")
            .await
            .press("esc")
            .await
            .expect_row(selected("Zoë Müller").with("✓ in"));
    });
}

#[test]
fn from_the_event_one_goes_to_its_desk_and_back() {
    run(async {
        let (organization, _) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at_home()
            .await;
        t.select(LAUNCH).await.press("o").await.press("c").await;
        t.expect("Type a name, or scan a code.");
        t.type_text("zoe")
            .await
            .press("enter")
            .await
            .expect_banner(&["CHECKED IN", "Zoë Müller"]);
        t.press("ctrl-q").await.expect("[Guests]").expect("3 of 12");
        t.expect_row(row("Zoë Müller").with("✓ in"));
        t.press("esc")
            .await
            .expect("Today and coming up")
            .expect_row(selected(LAUNCH).with("3 of 12"));
    });
}
