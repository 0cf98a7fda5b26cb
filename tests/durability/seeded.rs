//! `seed` adds an event with the requested number of guests.

use frontdesk_tests::program::run_server;
use frontdesk_tests::{Http, Process};
use serde_json::{Value, json};

use crate::durability::place::{Directory, runtime, server_database};

const GUESTS: u64 = 500;

fn seed(database: &str) {
    let guests = GUESTS.to_string();
    let ended = run_server(&["seed", "--guests", &guests, "--database", database]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stdout.starts_with("added "), "{ended:?}");
    assert!(ended.stdout.contains(&guests), "{ended:?}");
}

/// The guests of the seeded event, as staff see them.
fn guests(url: &str) -> Vec<Value> {
    runtime().block_on(async {
        let mut http = Http::sign_in(url, "staff@demo.test", "demo-password").await;
        let answer = http
            .events("list_events", json!({ "search": "500 guests" }))
            .await;
        let events = answer.output()["events"]
            .as_array()
            .cloned()
            .expect("events");
        assert_eq!(events.len(), 1, "{events:?}");
        assert_eq!(events[0]["guest_count"], GUESTS);
        let mut guests = Vec::new();
        loop {
            let arguments =
                json!({ "event_id": events[0]["id"], "limit": 100, "offset": guests.len() });
            let answer = http.events("list_event_guests", arguments).await;
            guests.extend(
                answer.output()["guests"]
                    .as_array()
                    .cloned()
                    .expect("guests"),
            );
            if answer.output()["has_more"] == false {
                return guests;
            }
        }
    })
}

fn check(guests: &[Value]) {
    assert_eq!(guests.len() as u64, GUESTS);
    let mut ids: Vec<_> = guests
        .iter()
        .filter_map(|guest| guest["id"].as_str())
        .collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len() as u64, GUESTS, "each of them once");
    let came = guests
        .iter()
        .filter(|guest| guest["check_in_at"].is_string())
        .count();
    assert!(came > 0 && came < guests.len(), "some have come: {came}");
}

pub(crate) fn seeded_guests_are_there_when_the_directory_is_served() {
    let directory = Directory::prepared();
    let database = directory.database();
    let empty = run_server(&["seed", "--guests", "1", "--database", &database]);
    assert_eq!(empty.code, Some(1), "{empty:?}");
    assert!(empty.stderr.contains("organisation"), "{empty:?}");

    Process::demo(&database).stop();
    seed(&database);
    let server = Process::demo(&database);
    check(&guests(&server.url));
    server.stop();
}

pub(crate) fn guests_are_seeded_beside_a_server_that_runs() {
    guests_are_seeded_beside(&server_database());
}

pub(crate) fn guests_are_seeded_through_the_server_that_has_the_directory_open() {
    guests_are_seeded_beside(&Directory::prepared().database());
}

fn guests_are_seeded_beside(database: &str) {
    let server = Process::demo(database);
    seed(database);
    check(&guests(&server.url));
    server.stop();
}
