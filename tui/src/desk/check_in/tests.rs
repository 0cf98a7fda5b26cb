//! The look of the desk, and its updates from other desks.

use insta::assert_snapshot;
use jiff::SignedDuration;

use crate::shell::Driver;
use crate::testing::{FakeHost, desk, guest, guest_id, now};

const SMALL: (u16, u16) = (80, 24);

async fn check_in(app: &mut Driver, text: &str) {
    app.type_text(text);
    app.keys("enter").await;
}

#[tokio::test]
async fn the_selection_is_reversed_and_a_new_text_takes_the_verdict_away() {
    let host = FakeHost::new();
    let mut app = desk(&host, (60, 16)).await;
    check_in(&mut app, "zoe").await;
    app.type_text("an");
    assert_snapshot!("styled_60x16", format!("{:?}", app.buffer()));
}

#[tokio::test]
async fn a_very_long_name() {
    let host = FakeHost::new();
    let mut app = desk(&host, SMALL).await;
    check_in(&mut app, "hohenstein").await;
    assert_snapshot!("long_name_80x24", app.screen());
}

#[tokio::test]
async fn a_quiet_desk_asks_little() {
    let host = FakeHost::new();
    let mut app = desk(&host, SMALL).await;
    let lists = host.called("list_event_guests");
    app.advance(SignedDuration::from_mins(1)).await;
    assert_eq!(host.called("list_event_guests"), lists);
    assert!(
        host.called("get_event") <= 17,
        "{}",
        host.called("get_event")
    );
}

#[tokio::test]
async fn nothing_is_asked_once_the_desk_is_left() {
    let host = FakeHost::new();
    let mut app = desk(&host, SMALL).await;
    app.keys("ctrl-q").await;
    let asked = host.called("get_event");
    app.advance(SignedDuration::from_mins(1)).await;
    assert_eq!(host.called("get_event"), asked);
}

#[tokio::test]
async fn a_code_behind_an_undo_is_both() {
    let host = FakeHost::new();
    let mut app = desk(&host, SMALL).await;
    check_in(&mut app, "zoe").await;
    app.key("ctrl-u").expect("is a key");
    check_in(&mut app, &guest_id(8).to_string()).await;
    assert_eq!(host.check_in_of(guest_id(1)), None);
    assert_eq!(host.check_in_of(guest_id(8)), Some(now()));
}

#[tokio::test]
async fn a_code_of_another_sellers_ticket_checks_its_guest_in() {
    let host = FakeHost::new();
    {
        let mut host = host.lock();
        for (at, code) in [(0, "T-0001"), (1, "T-0002"), (2, "T-0002")] {
            let tags = &mut host.guests[at].tags;
            tags.insert("ticket_code".to_owned(), code.into());
        }
    }
    let ids: Vec<_> = host.lock().guests.iter().map(|guest| guest.id).collect();
    let before = [host.check_in_of(ids[1]), host.check_in_of(ids[2])];
    let mut app = desk(&host, SMALL).await;
    check_in(&mut app, "t-0001").await;
    assert_eq!(host.check_in_of(ids[0]), Some(now()));
    // A code of two guests is no guest's.
    check_in(&mut app, "T-0002").await;
    assert_eq!([host.check_in_of(ids[1]), host.check_in_of(ids[2])], before);
}

#[tokio::test]
async fn answers_to_an_older_text_are_dropped() {
    let host = FakeHost::new();
    host.lock().guests = (0..3000)
        .map(|n| guest(n, &format!("Guest {n:04}")))
        .collect();
    let mut app = desk(&host, SMALL).await;
    host.hang();
    app.type_text("271");
    app.advance_unsettled(SignedDuration::from_millis(300));
    app.type_text("8");
    host.release();
    app.settle().await;
    // The text for 271 would have brought ten guests.
    assert_eq!(
        app.screen().matches("Guest 27").count(),
        0,
        "{}",
        app.screen()
    );
}
