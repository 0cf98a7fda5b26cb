//! `frontdesk-server webhooks`, and the options of the webhook.

use axum::http::StatusCode;
use frontdesk_tests::process::{self, Process};
use frontdesk_tests::program::{Ended, run_server, server};
use frontdesk_tests::receiver::{Receiver, SECRET, serve_telling};
use frontdesk_tests::run;

use crate::webhooks::process::Place;

/// Runs `frontdesk-server webhooks …` on the place's database.
fn webhooks(place: &Place, args: &[&str]) -> Ended {
    let database = place.database();
    let mut all = vec!["webhooks"];
    all.extend(args);
    all.extend(["--database", &database]);
    run_server(&all)
}

/// The events of a list, one line each.
#[track_caller]
fn listed(place: &Place, args: &[&str]) -> Vec<String> {
    let mut all = vec!["list"];
    all.extend(args);
    let ended = webhooks(place, &all);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let mut lines = ended.stdout.lines().map(str::to_owned);
    match lines.next().as_deref() {
        Some("no events") => Vec::new(),
        Some(head) if head.starts_with("ID ") => lines.collect(),
        _ => panic!("{ended:?}"),
    }
}

fn id(line: &str) -> String {
    line.split_whitespace().next().expect("an id").to_owned()
}

#[test]
fn events_are_listed_and_replayed_on_the_command_line() {
    run(async {
        let place = Place::with_meetings(2).await;

        // A server without a receiver keeps the events.
        Process::start(&mut process::serve(&place.database())).stop();
        let waiting = listed(&place, &[]);
        assert_eq!(waiting.len(), 2, "{waiting:#?}");
        for line in &waiting {
            assert!(line.starts_with("msg_"), "{line}");
            assert!(line.contains(" meeting.created "), "{line}");
            assert!(line.contains(" undelivered "), "{line}");
        }

        // One event is accepted, the other refused for good.
        let mut receiver = Receiver::start().await;
        let server = serve_telling(&receiver.url(), &place.database());
        let (first, second) = (receiver.next().await, receiver.next().await);
        let taken = first.answer(StatusCode::OK).id();
        let refused = second.answer(StatusCode::GONE).id();
        server.stop();
        let undelivered = listed(&place, &["--undelivered"]);
        assert_eq!(undelivered.len(), 1, "{undelivered:#?}");
        assert_eq!(id(&undelivered[0]), refused);
        assert!(undelivered[0].contains(" given up "), "{undelivered:#?}");
        assert!(undelivered[0].contains("410"), "{undelivered:#?}");
        let limited = webhooks(&place, &["list", "--all", "--limit", "1"]);
        assert_eq!(limited.stdout.lines().count(), 2, "{limited:?}");
        assert!(limited.stderr.contains("--limit"), "{limited:?}");

        // An unknown id is reported, and nothing is replayed.
        let nobody = "msg_00000000-0000-0000-0000-000000000000";
        let ended = webhooks(&place, &["replay", &taken, nobody]);
        assert_eq!(ended.code, Some(1), "{ended:?}");
        assert!(ended.stderr.contains(nobody), "{ended:?}");

        // Both are sent again, under their ids.
        for args in [&["replay", &taken][..], &["replay", "--all-failed"]] {
            let ended = webhooks(&place, args);
            assert_eq!(ended.code, Some(0), "{args:?}: {ended:?}");
            assert_eq!(ended.stdout, "1 event will be sent again\n");
        }
        let server = serve_telling(&receiver.url(), &place.database());
        let mut again: Vec<_> = receiver
            .take(2)
            .await
            .iter()
            .map(|again| again.id())
            .collect();
        again.sort();
        let mut both = [taken, refused];
        both.sort();
        assert_eq!(again, both);
        server.stop();
        assert_eq!(listed(&place, &[]), [""; 0]);
    });
}

#[test]
fn options_that_are_not_fit_for_use_are_named_and_never_repeated() {
    let url = "https://hooks.example.org/token-hunter2";
    for (args, named) in [
        (&["--webhook-url", "token-hunter2"][..], "--webhook-url"),
        (
            &["--webhook-url", "http://example.org/token-hunter2"],
            "https://",
        ),
        (
            &["--webhook-url", "https://10.0.0.1/token-hunter2"],
            "--webhook-allow-private",
        ),
        (&["--webhook-url", url], "--webhook-secret"),
        (
            &["--webhook-url", url, "--webhook-secret", "hunter2"],
            "whsec_",
        ),
        (
            &["--webhook-url", url, "--webhook-secret", "whsec_hunter2"],
            "24 to 64 bytes",
        ),
    ] {
        let mut all = vec!["serve", "--database", "memory"];
        all.extend(args);
        let ended = run_server(&all);
        assert_eq!(ended.code, Some(2), "{args:?}: {ended:?}");
        assert!(ended.stderr.contains(named), "{args:?}: {ended:?}");
        assert!(!ended.stderr.contains("hunter2"), "{args:?}: {ended:?}");
        assert_eq!(ended.stdout, "");
    }
    for args in [
        &["webhooks"][..],
        &["webhooks", "replay"],
        &["webhooks", "replay", "msg_1"],
        &["webhooks", "list", "--limit", "0"],
        &["webhooks", "list", "--all", "--undelivered"],
    ] {
        let ended = run_server(args);
        assert_eq!(ended.code, Some(2), "{args:?}: {ended:?}");
    }
}

#[test]
fn help_shows_no_secret_of_the_environment() {
    let environment = [
        ("FRONTDESK_WEBHOOK_URL", "https://example.org/hunter2"),
        ("FRONTDESK_WEBHOOK_SECRET", SECRET),
    ];
    let help = server(&["serve", "--help"]).envs(environment).output();
    let help = Ended::of(help.expect("it runs"));
    assert_eq!(help.code, Some(0), "{help:?}");
    for option in [
        "--webhook-url",
        "--webhook-secret",
        "FRONTDESK_WEBHOOK_SECRET",
    ] {
        assert!(help.stdout.contains(option), "{option}: {}", help.stdout);
    }
    for secret in ["hunter2", SECRET] {
        assert!(!help.stdout.contains(secret), "{}", help.stdout);
    }
}
