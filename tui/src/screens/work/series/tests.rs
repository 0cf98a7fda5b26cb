//! Series of meetings, as they look and as they are changed.

use frontdesk_client::{Account, CallError};
use frontdesk_protocol::work::meeting::Template;
use frontdesk_protocol::{Role, ToolError};
use insta::assert_snapshot;
use jiff::SignedDuration;

use crate::shell::Driver;
use crate::testing::{FakeHost, account, app, series, series_id};

const SIZES: [(&str, (u16, u16)); 2] = [("80x24", (80, 24)), ("120x40", (120, 40))];

fn with_role(role: Role) -> Account {
    Account {
        role: Some(role),
        ..account()
    }
}

async fn as_role(host: &FakeHost, role: Role, size: (u16, u16)) -> Driver {
    host.lock().account = with_role(role);
    let mut app = app(host, Some(with_role(role)), size);
    app.settle().await;
    keys(&mut app, "m").await;
    app
}

async fn list(host: &FakeHost, size: (u16, u16)) -> Driver {
    as_role(host, Role::Owner, size).await
}

async fn one(host: &FakeHost, size: (u16, u16)) -> Driver {
    let mut app = list(host, size).await;
    keys(&mut app, "enter").await;
    app
}

async fn keys(app: &mut Driver, keys: &str) {
    for key in keys.split(' ') {
        app.key(key).expect("is a key");
        app.settle().await;
    }
}

fn sees(app: &mut Driver, text: &str) {
    let screen = app.screen();
    assert!(screen.contains(text), "not on the screen: {text}\n{screen}");
}

fn sees_no(app: &mut Driver, text: &str) {
    let screen = app.screen();
    assert!(!screen.contains(text), "on the screen: {text}\n{screen}");
}

#[tokio::test]
async fn a_filter_that_finds_nothing_says_so() {
    let host = FakeHost::new();
    let mut app = list(&host, (80, 24)).await;
    keys(&mut app, "f tab").await;
    app.type_text("nowhere");
    keys(&mut app, "enter").await;
    sees(&mut app, "No series is like that. F shows all.");
    keys(&mut app, "F /").await;
    app.type_text("retro");
    app.advance(SignedDuration::from_millis(300)).await;
    sees(&mut app, " 1 series ");
    keys(&mut app, "enter f").await;
    // What is searched stands in the panel, too.
    let screen = app.screen();
    let field = screen.lines().find(|line| line.contains("Title contains"));
    assert!(field.is_some_and(|line| line.contains("retro")), "{screen}");
}

#[tokio::test]
async fn while_the_host_is_away_only_what_fits_the_filters_is_shown() {
    let host = FakeHost::new();
    let mut app = list(&host, (80, 24)).await;
    host.fail(CallError::Unreachable {
        host: "http://127.0.0.1:8080/work".to_owned(),
        reason: "connection refused".to_owned(),
    });
    keys(&mut app, "f tab").await;
    app.type_text("CAL-004");
    keys(&mut app, "enter").await;
    sees(&mut app, " 1 series ✗ Host not reachable (as of 09:45)");
    sees(&mut app, "Mentoring circle");
    keys(&mut app, "F f tab tab").await;
    app.type_text("2025-01-15");
    keys(&mut app, "tab").await;
    app.type_text("2025-02-01");
    keys(&mut app, "enter").await;
    sees(&mut app, " 2 series ✗");
}

#[tokio::test]
async fn a_filter_takes_no_mark_away() {
    let host = FakeHost::new();
    let mut app = list(&host, (80, 24)).await;
    keys(&mut app, "f tab").await;
    app.type_text("cal-002");
    keys(&mut app, "enter").await;
    sees(&mut app, " 1 series ");
    sees(&mut app, "○ empty ≈ duplicate?");
    // The other one is removed meanwhile.
    host.lock()
        .series
        .retain(|series| series.id != series_id(1));
    keys(&mut app, "F").await;
    sees(&mut app, " 4 series ");
    sees_no(&mut app, "≈ duplicate?");
}

#[tokio::test]
async fn all_pages_are_loaded_so_that_doubles_are_found() {
    let host = FakeHost::new();
    for number in 100..330 {
        let title = format!("Series {number}");
        host.lock()
            .series
            .push(series(number, &title, "2025-12-01"));
    }
    let double = series(900, "Partners", "2025-12-02");
    host.lock().series.push(double);
    let mut app = list(&host, (80, 24)).await;
    sees(&mut app, " 236 series ");
    assert_eq!(host.called("list_meeting_series"), 3);
    keys(&mut app, "end").await;
    assert!(
        app.selected()[0].contains("≈ duplicate?"),
        "{:?}",
        app.selected()
    );
    // A reload neither takes rows away nor moves the selection.
    let selected = app.selected();
    keys(&mut app, "r").await;
    sees(&mut app, " 236 series ");
    assert_eq!(app.selected(), selected);
}

#[tokio::test]
async fn two_sides_of_a_merge() {
    for (name, size) in SIZES {
        let host = FakeHost::new();
        let mut app = list(&host, size).await;
        keys(&mut app, "end m").await;
        assert!(
            app.selected()[0].contains("⇄ merge"),
            "{:?}",
            app.selected()
        );
        keys(&mut app, "m").await;
        sees_no(&mut app, "⇄ merge");
        keys(&mut app, "m home m").await;
        assert_snapshot!(format!("series_merge_{name}"), app.screen());
        keys(&mut app, "esc").await;
        sees_no(&mut app, "which one stays");
        sees(&mut app, "⇄ merge");
        keys(&mut app, "esc").await;
        sees_no(&mut app, "⇄ merge");
        sees(&mut app, "Meeting series");
    }
}

#[tokio::test]
async fn one_series() {
    for (name, size) in SIZES {
        let host = FakeHost::new();
        let mut app = one(&host, size).await;
        assert_snapshot!(format!("one_series_{name}"), app.screen());
        if name == "80x24" {
            app.resize(60, 16);
            assert_snapshot!("one_series_60x16", app.screen());
            app.resize(size.0, size.1);
        }
        keys(&mut app, "l l down").await;
        assert!(
            app.selected()[0].starts_with("Tue 10 Dec"),
            "{:?}",
            app.selected()
        );
        keys(&mut app, "h G").await;
        assert_snapshot!(format!("one_series_end_{name}"), app.screen());
    }
}

#[tokio::test]
async fn a_day_after_day_series_is_counted_by_month() {
    let host = FakeHost::new();
    {
        let mut inner = host.lock();
        let mut daily = series(7, "Daily", "2024-01-01");
        for day in 1..=31 {
            let date = jiff::civil::date(2024, 1, day);
            let id = format!("tr-{day}");
            daily = match day % 3 {
                0 => crate::testing::with(daily, date, "held", true, Some(&id)),
                2 => crate::testing::with(daily, date, "held", true, None),
                _ => crate::testing::with(daily, date, "skipped", false, None),
            };
        }
        inner.series.insert(0, daily);
    }
    let mut app = one(&host, (80, 24)).await;
    sees(&mut app, "› Jan 2024 10● 10! 11○");
    app.resize(120, 40);
    sees(&mut app, "› Jan 2024 ○!●○!●○!●○!●○!●○!●○!●○!●○!●○!●○   31");
    sees(&mut app, "January 2024 · 10● 10! 11○");
}

#[tokio::test]
async fn the_template_is_chosen_in_place() {
    for (name, size) in SIZES {
        let host = FakeHost::new();
        let mut app = one(&host, size).await;
        keys(&mut app, "t").await;
        assert_snapshot!(format!("edit_template_{name}"), app.screen());
        keys(&mut app, "enter").await;
        assert_eq!(app.toasts(), ["· Nothing was changed"]);
        assert_eq!(host.called("set_meeting_template"), 0);
        keys(&mut app, "t down enter").await;
        assert!(
            app.toasts()
                .contains(&"✓ Weekly leaders: now template default".to_owned())
        );
        assert_eq!(host.lock().series[0].template, Some(Template::Default));
        sees(&mut app, "template default");
        // The list knows it, too.
        keys(&mut app, "esc").await;
        sees(&mut app, "template default");
    }
}

#[tokio::test]
async fn the_time_is_set_in_place() {
    for (name, size) in SIZES {
        let host = FakeHost::new();
        let mut app = one(&host, size).await;
        keys(&mut app, "e ctrl-u").await;
        app.type_text("25:00");
        keys(&mut app, "tab ctrl-u enter").await;
        assert_eq!(host.called("set_meeting_recurrence_time"), 0);
        assert_snapshot!(format!("edit_time_wrong_{name}"), app.screen());
        keys(&mut app, "ctrl-u").await;
        app.type_text("9:30");
        keys(&mut app, "tab").await;
        app.type_text("01:00");
        sees(&mut app, "It takes 15 h 30 min, and ends on the next day.");
        keys(&mut app, "enter").await;
        sees(
            &mut app,
            "✗ that is 15 h 30 min after the start: Enter again if so",
        );
        assert_eq!(host.called("set_meeting_recurrence_time"), 0);
        keys(&mut app, "enter").await;
        assert_eq!(app.toasts(), ["✓ Weekly leaders: now 09:30–01:00"]);
        sees(&mut app, "Every Tuesday 09:30–01:00");
    }
}

#[tokio::test]
async fn what_the_host_finds_wrong_stands_at_its_field() {
    let host = FakeHost::new();
    let mut app = one(&host, (80, 24)).await;
    keys(&mut app, "e").await;
    app.type_text(":30");
    host.lock().refusal = Some(CallError::Tool(ToolError::invalid(
        "recurrence_end_time",
        "must be before midnight",
    )));
    keys(&mut app, "enter").await;
    assert_snapshot!("edit_time_refused_80x24", app.screen());
    sees(&mut app, "Every Tuesday 18:00–19:30");
}

#[tokio::test]
async fn a_write_without_an_answer_is_looked_at_again() {
    for (name, size) in SIZES {
        let host = FakeHost::new();
        host.lock().refusal = Some(CallError::OutcomeUnknown(
            "no answer within 10 s".to_owned(),
        ));
        let mut app = one(&host, size).await;
        keys(&mut app, "t down").await;
        let asked = host.called("list_meeting_series");
        keys(&mut app, "enter").await;
        assert_eq!(host.called("list_meeting_series"), asked + 1);
        assert_snapshot!(format!("edit_unknown_{name}"), app.screen());
        // It arrives late, and is there at the next look.
        host.lock().series[0].template = Some(Template::Default);
        keys(&mut app, "ctrl-r").await;
        assert_eq!(app.toasts(), ["✓ Weekly leaders: now template default"]);
        sees_no(&mut app, "Not known");
    }
}

#[tokio::test]
async fn a_refresh_that_fails_takes_nothing_away() {
    let host = FakeHost::new();
    let mut app = one(&host, (80, 24)).await;
    host.fail(CallError::Unreachable {
        host: "http://127.0.0.1:8080/work".to_owned(),
        reason: "connection refused".to_owned(),
    });
    keys(&mut app, "r").await;
    assert_snapshot!("one_series_away_80x24", app.screen());
    host.recover();
    keys(&mut app, "down").await;
    let selected = app.selected();
    keys(&mut app, "r").await;
    assert_eq!(app.selected(), selected);
    host.fail(CallError::OutcomeUnknown("no answer".to_owned()));
    keys(&mut app, "esc r").await;
    sees(&mut app, "✗ No answer (as of 09:45)");
    sees(&mut app, "Mentoring circle");
}

#[tokio::test]
async fn a_host_that_does_not_answer_is_waited_for() {
    let host = FakeHost::new();
    let mut app = list(&host, (80, 24)).await;
    host.hang();
    app.key("enter").expect("is a key");
    assert_snapshot!("one_series_loading_80x24", app.screen());
    host.release();
    app.settle().await;
    sees(&mut app, "60 occurrences");
}

#[tokio::test]
async fn a_series_that_is_not_there_any_more() {
    let host = FakeHost::new();
    let mut app = one(&host, (80, 24)).await;
    host.lock()
        .series
        .retain(|series| series.id != series_id(1));
    keys(&mut app, "r").await;
    assert_snapshot!("one_series_gone_80x24", app.screen());
    let error = app.run("series.remove_this").expect_err("it is refused");
    assert!(error.to_string().contains("not there any more"), "{error}");
    keys(&mut app, "esc").await;
    sees(&mut app, " 4 series ");
    assert!(
        app.selected()[0].starts_with("Retrô"),
        "{:?}",
        app.selected()
    );
    // What has the place of the one that is gone is selected.
    keys(&mut app, "down").await;
    host.lock()
        .series
        .retain(|series| series.title != "Mentoring circle");
    keys(&mut app, "r").await;
    assert!(
        app.selected()[0].starts_with("Partners"),
        "{:?}",
        app.selected()
    );
}

#[tokio::test]
async fn a_series_is_found_whatever_its_title_has_become() {
    let host = FakeHost::new();
    let mut app = one(&host, (80, 24)).await;
    // An import made many in the same moment.
    let created = host.lock().series[0].created_at;
    for number in 100..250 {
        let mut other = series(number, "Weekly leaders", "2025-01-01");
        other.created_at = created;
        other.id = frontdesk_protocol::id::MeetingId(uuid::Uuid::from_u128(number));
        host.lock().series.push(other);
    }
    host.lock().series[0].title = "Leaders, weekly".to_owned();
    keys(&mut app, "r").await;
    sees(&mut app, "Leaders, weekly");
    sees(&mut app, "60 occurrences");
}
