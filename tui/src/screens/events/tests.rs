//! Events and what belongs to them, as they look and as they are changed.

use frontdesk_client::CallError;
use frontdesk_protocol::value::{Change, Patch};
use frontdesk_protocol::{ErrorCode, ToolError};
use insta::assert_snapshot;
use jiff::SignedDuration;

use crate::shell::Driver;
use crate::testing::{FakeHost, account, app, desk, event, guest_id};

const SIZES: [(&str, (u16, u16)); 2] = [("80x24", (80, 24)), ("120x40", (120, 40))];

async fn events(host: &FakeHost, size: (u16, u16)) -> Driver {
    let mut app = app(host, Some(account()), size);
    app.settle().await;
    app.key("e").expect("is a key");
    app.settle().await;
    app
}

async fn one(host: &FakeHost, size: (u16, u16)) -> Driver {
    let mut app = events(host, size).await;
    app.key("enter").expect("is a key");
    app.settle().await;
    app
}

async fn keys(app: &mut Driver, keys: &[&str]) {
    for key in keys {
        app.key(key).expect("is a key");
        app.settle().await;
    }
}

fn many(host: &FakeHost, number: usize) {
    let mut inner = host.lock();
    for at in 0..number {
        let mut event = event();
        event.id = frontdesk_protocol::id::EventId(uuid::Uuid::from_u128(0xe000 + at as u128));
        event.name = format!("Event {at:03}");
        event.location = None;
        let days = SignedDuration::from_hours(24 * (at as i64 + 1));
        event.start_at = event.start_at.map(|start| start - days);
        event.end_at = event.end_at.map(|end| end - days);
        inner.events.push(event);
    }
}

#[tokio::test]
async fn the_list() {
    for (name, size) in SIZES {
        let host = FakeHost::new();
        many(&host, 150);
        let mut app = events(&host, size).await;
        assert_snapshot!(format!("events_{name}"), app.screen());
        app.key("/").expect("is a key");
        app.type_text("event 14");
        app.advance(SignedDuration::from_millis(300)).await;
        assert_snapshot!(format!("events_search_{name}"), app.screen());
    }
}

#[tokio::test]
async fn the_host_searches_what_is_not_loaded() {
    let host = FakeHost::new();
    many(&host, 150);
    let mut app = events(&host, (80, 24)).await;
    app.key("/").expect("is a key");
    app.type_text("event 149");
    app.advance(SignedDuration::from_millis(300)).await;
    assert!(app.screen().contains("1 event"), "{}", app.screen());
    // Enter leaves the field, and opens only then.
    keys(&mut app, &["enter"]).await;
    assert!(app.screen().contains("› Home › Events"), "{}", app.screen());
    keys(&mut app, &["enter"]).await;
    assert!(
        app.screen().contains("Events › Event 149"),
        "{}",
        app.screen()
    );
    keys(&mut app, &["esc", "esc"]).await;
    app.advance(SignedDuration::from_millis(300)).await;
    assert!(app.screen().contains("100+ events"), "{}", app.screen());
}

#[tokio::test]
async fn the_next_page_comes_when_one_gets_there() {
    let host = FakeHost::new();
    many(&host, 150);
    let mut app = events(&host, (80, 24)).await;
    assert!(app.screen().contains("100+ events"));
    keys(&mut app, &["end"]).await;
    assert!(app.screen().contains("151 events"), "{}", app.screen());
    keys(&mut app, &["end"]).await;
    assert_eq!(app.selected().len(), 1);
    assert!(app.selected()[0].starts_with("Event 149"));
}

#[tokio::test]
async fn sorting_keeps_the_selection() {
    let host = FakeHost::new();
    many(&host, 20);
    let mut app = events(&host, (80, 24)).await;
    keys(&mut app, &["down", "down"]).await;
    let selected = app.selected();
    keys(&mut app, &["s", "S"]).await;
    assert!(app.screen().contains("by name ↓"), "{}", app.screen());
    assert_eq!(app.selected(), selected);
}

#[tokio::test]
async fn a_search_keeps_the_order_and_gives_back_what_it_left_out() {
    let host = FakeHost::new();
    many(&host, 12);
    let mut app = events(&host, (80, 24)).await;
    keys(&mut app, &["s", "S", "/"]).await;
    let names = |app: &mut Driver| -> Vec<String> {
        let screen = app.screen();
        let names = screen
            .lines()
            .filter_map(|line| line.find("Event 0").map(|at| &line[at..]));
        names.map(|name| name[..9].to_owned()).collect()
    };
    app.type_text("event 01");
    assert_eq!(names(&mut app), ["Event 011", "Event 010"]);
    assert!(app.selected()[0].starts_with("Event 011"));
    app.key("backspace").expect("is a key");
    let all = names(&mut app);
    assert_eq!(all.first().map(String::as_str), Some("Event 011"));
    assert_eq!(all.last().map(String::as_str), Some("Event 000"));
    assert_eq!(all.len(), 12);
    assert!(app.selected()[0].starts_with("Event 011"));
}

#[tokio::test]
async fn one_event_and_its_tabs() {
    for (name, size) in SIZES {
        let host = FakeHost::new();
        let mut app = one(&host, size).await;
        for tab in ["guests", "sessions", "tasks", "expenses", "photos"] {
            assert_snapshot!(format!("event_{tab}_{name}"), app.screen());
            keys(&mut app, &["tab"]).await;
        }
    }
}

#[tokio::test]
async fn one_guest() {
    for (name, size) in SIZES {
        let host = FakeHost::new();
        host.lock().guests[2]
            .tags
            .insert("diet".to_owned(), "vegetarian".into());
        let mut app = one(&host, size).await;
        keys(&mut app, &["/"]).await;
        app.type_text("joao");
        keys(&mut app, &["down", "enter", "enter"]).await;
        assert_snapshot!(format!("guest_{name}"), app.screen());
        keys(&mut app, &["c"]).await;
        assert!(
            app.screen().contains("✓ checked in at 09:45"),
            "{}",
            app.screen()
        );
        keys(&mut app, &["u"]).await;
        assert!(app.screen().contains("○ not here yet"), "{}", app.screen());
        assert_eq!(host.check_in_of(guest_id(3)), None);
    }
}

#[tokio::test]
async fn an_edit_sends_only_what_was_changed() {
    let host = FakeHost::new();
    let mut app = one(&host, (80, 24)).await;
    keys(&mut app, &["e"]).await;
    assert_snapshot!("edit_80x24", app.screen());
    keys(&mut app, &["tab"]).await;
    app.type_text(", second floor");
    keys(&mut app, &["ctrl-s"]).await;
    assert_eq!(app.toasts(), ["✓ Saved Summer Open Day"]);
    assert!(
        app.screen().contains("Main hall, second floor"),
        "{}",
        app.screen()
    );
    let inner = host.lock();
    let [update] = inner.updates.as_slice() else {
        panic!("one update, not {:?}", inner.updates);
    };
    assert_eq!(update.name, Change::Keep);
    assert_eq!(update.description, Patch::Keep);
    assert_eq!(update.start_at, Patch::Keep);
    assert!(
        matches!(&update.location, Patch::To(text) if text.as_str() == "Main hall, second floor")
    );
}

#[tokio::test]
async fn an_edit_without_a_change_sends_nothing() {
    let host = FakeHost::new();
    let mut app = one(&host, (80, 24)).await;
    keys(&mut app, &["e", "ctrl-s"]).await;
    assert_eq!(host.called("update_event"), 0);
    assert_eq!(app.toasts(), ["· Nothing was changed"]);
}

#[tokio::test]
async fn a_teacher_may_not_edit_and_loses_nothing() {
    for (name, size) in SIZES {
        let host = FakeHost::new();
        host.lock().refusal = Some(CallError::Forbidden(ToolError::new(
            ErrorCode::Forbidden,
            "a teacher does not change events",
        )));
        let mut app = one(&host, size).await;
        keys(&mut app, &["e"]).await;
        app.type_text(" 2026");
        keys(&mut app, &["ctrl-s"]).await;
        assert_snapshot!(format!("edit_forbidden_{name}"), app.screen());
        // Leaving asks first, since something was typed.
        keys(&mut app, &["esc"]).await;
        assert!(app.screen().contains("Throw away what you typed?"));
        keys(&mut app, &["n"]).await;
        assert!(app.screen().contains("Summer Open Day 2026"));
    }
}

#[tokio::test]
async fn what_is_wrong_stands_at_its_field() {
    let host = FakeHost::new();
    let mut app = one(&host, (80, 24)).await;
    keys(&mut app, &["e", "tab", "tab"]).await;
    app.type_text("x");
    keys(&mut app, &["ctrl-s"]).await;
    assert_eq!(host.called("update_event"), 0);
    assert!(
        app.screen().contains("✗ write it like 2026-03-12 10:00"),
        "{}",
        app.screen()
    );
    keys(&mut app, &["backspace"]).await;
    host.lock().refusal = Some(CallError::Tool(ToolError::invalid(
        "end_at",
        "must not be before start_at",
    )));
    keys(&mut app, &["backtab"]).await;
    app.type_text("!");
    keys(&mut app, &["ctrl-s"]).await;
    assert_snapshot!("edit_wrong_field_80x24", app.screen());
}

#[tokio::test]
async fn a_write_without_an_answer_is_not_called_failed() {
    let host = FakeHost::new();
    host.lock().refusal = Some(CallError::OutcomeUnknown(
        "no answer within 10 s".to_owned(),
    ));
    let mut app = one(&host, (80, 24)).await;
    keys(&mut app, &["e"]).await;
    app.type_text("!");
    keys(&mut app, &["ctrl-s"]).await;
    let screen = app.screen();
    assert!(screen.contains("Not known whether it was done"), "{screen}");
    assert!(screen.contains("Look whether it was done"), "{screen}");
}

#[tokio::test]
async fn an_expired_sign_in_keeps_the_form() {
    let host = FakeHost::new();
    let mut app = one(&host, (80, 24)).await;
    keys(&mut app, &["e"]).await;
    app.type_text(" 2026");
    host.fail(CallError::SignedOut("the token has expired".to_owned()));
    keys(&mut app, &["ctrl-s"]).await;
    assert!(app.screen().contains("Sign in to Frontdesk"));
    host.recover();
    app.type_text("demo-password");
    keys(&mut app, &["enter"]).await;
    assert!(
        app.screen().contains("Summer Open Day 2026"),
        "{}",
        app.screen()
    );
    keys(&mut app, &["ctrl-s"]).await;
    assert_eq!(host.lock().events[0].name, "Summer Open Day 2026");
}

#[tokio::test]
async fn somebody_on_no_list_is_added_at_the_door() {
    for (name, size) in SIZES {
        let host = FakeHost::new();
        let mut app = desk(&host, size).await;
        app.type_text("Kim Passer-by");
        app.advance(SignedDuration::from_millis(300)).await;
        keys(&mut app, &["enter"]).await;
        assert_snapshot!(format!("nobody_{name}"), app.screen());
        keys(&mut app, &["ctrl-a"]).await;
        assert_snapshot!(format!("add_{name}"), app.screen());
        keys(&mut app, &["ctrl-s"]).await;
        let screen = app.screen();
        assert!(screen.contains("✓ CHECKED IN  Kim Passer-by"), "{screen}");
        assert!(screen.contains("3 of 13"), "{screen}");
        assert_eq!(host.called("deliver"), 1);
    }
}

#[tokio::test]
async fn the_search_is_clear_after_somebody_was_added() {
    let host = FakeHost::new();
    let mut app = desk(&host, (80, 24)).await;
    app.type_text("Kim");
    keys(&mut app, &["ctrl-a", "ctrl-s", "enter"]).await;
    assert_eq!(host.called("deliver"), 1);
}

#[tokio::test]
async fn lists_that_cannot_be_loaded_say_so() {
    let host = FakeHost::new();
    let mut app = app(&host, Some(account()), (80, 24));
    app.settle().await;
    host.fail(CallError::Forbidden(ToolError::new(
        ErrorCode::Forbidden,
        "an automation account does not see events",
    )));
    keys(&mut app, &["e"]).await;
    assert_snapshot!("events_forbidden_80x24", app.screen());
    host.fail(CallError::Host {
        status: 404,
        message: "not found".to_owned(),
    });
    keys(&mut app, &["r"]).await;
    assert_snapshot!("events_not_there_80x24", app.screen());
    host.recover();
    keys(&mut app, &["r"]).await;
    assert!(app.screen().contains("Summer Open Day"));
}
