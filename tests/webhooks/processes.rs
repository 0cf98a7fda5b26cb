//! A server process that delivers and is killed.

use axum::http::StatusCode;
use frontdesk_tests::program::run_server;
use frontdesk_tests::run;

use crate::webhooks::process::Place;
use frontdesk_tests::receiver::{Receiver, SECRET, serve_telling};

#[test]
fn an_event_whose_process_was_killed_arrives_again_from_the_next() {
    run(async {
        let place = Place::with_meetings(1).await;
        let mut receiver = Receiver::start().await;
        let killed = serve_telling(&receiver.url(), &place.database());
        let unanswered = receiver.next().await;
        killed.kill();
        place.end_leases().await;

        let next = serve_telling(&receiver.url(), &place.database());
        let request = receiver.answer(StatusCode::OK).await;
        assert_eq!(request.id(), unanswered.request.id());
        assert_eq!(request.body, unanswered.request.body);
        assert!(request.is_signed_by(SECRET));
        // It finishes its delivery before it stops, and logs it without secrets or data of the
        // organisation.
        let log = next.stop();
        let line = log.lines().find(|line| line.contains(&request.id()));
        let line = line.unwrap_or_else(|| panic!("no delivery: {log}"));
        assert!(line.contains("delivered"), "{line}");
        let meeting = request.meeting().to_string();
        for unsaid in [SECRET, "from=frontdesk", &meeting] {
            assert!(!log.contains(unsaid), "{unsaid}: {log}");
        }
        let listed = run_server(&["webhooks", "list", "--all", "--database", &place.database()]);
        assert_eq!(listed.code, Some(0), "{listed:?}");
        let lines: Vec<_> = listed.stdout.lines().collect();
        assert_eq!(lines.len(), 2, "{listed:?}");
        assert!(
            lines[1].starts_with(&request.id()) && lines[1].contains("delivered"),
            "{listed:?}"
        );
    });
}
