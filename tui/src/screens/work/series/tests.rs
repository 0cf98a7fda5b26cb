//! Series of meetings: their screens and their changes.

use frontdesk_client::Account;
use frontdesk_protocol::Role;
use insta::assert_snapshot;

use crate::shell::Driver;
use crate::testing::{FakeHost, account, app, series, series_id};

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
    app.keys("R").await;
    app
}

async fn list(host: &FakeHost, size: (u16, u16)) -> Driver {
    as_role(host, Role::Owner, size).await
}

async fn one(host: &FakeHost, size: (u16, u16)) -> Driver {
    let mut app = list(host, size).await;
    app.keys("enter").await;
    app
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
    app.expect_row("› Jan 2024 10● 10! 11○");
    app.resize(120, 40);
    app.expect_row("› Jan 2024 ○!●○!●○!●○!●○!●○!●○!●○!●○!●○!●○   31");
    app.expect_row("January 2024 · 10● 10! 11○");
}

#[tokio::test]
async fn a_series_that_is_not_there_any_more() {
    let host = FakeHost::new();
    let mut app = one(&host, (80, 24)).await;
    host.lock()
        .series
        .retain(|series| series.id != series_id(1));
    app.keys("r").await;
    assert_snapshot!("one_series_gone", app.said());
    let error = app.run("series.remove_this").expect_err("it is refused");
    assert!(error.to_string().contains("no longer exists"), "{error}");
    app.keys("esc").await;
    app.expect_title(" 4 series ");
    assert!(
        app.selected()[0].starts_with("Retrô"),
        "{:?}",
        app.selected()
    );
    // The row after the removed one is selected.
    app.keys("down").await;
    host.lock()
        .series
        .retain(|series| series.title != "Mentoring circle");
    app.keys("r").await;
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
    // An import created many at the same moment.
    let created = host.lock().series[0].created_at;
    for number in 100..250 {
        let mut other = series(number, "Weekly leaders", "2025-01-01");
        other.created_at = created;
        other.id = frontdesk_protocol::id::MeetingId(uuid::Uuid::from_u128(number));
        host.lock().series.push(other);
    }
    host.lock().series[0].title = "Leaders, weekly".to_owned();
    app.keys("r").await;
    app.expect_row("Leaders, weekly");
    app.expect_row("60 occurrences");
}
