//! Server processes that deliver: one that is killed, and two at once.

use std::collections::HashSet;

use axum::http::StatusCode;
use frontdesk_server::database::Database;
use frontdesk_tests::program::run_server;
use frontdesk_tests::run;
use uuid::Uuid;

use crate::process::{Place, serve, server_database};
use crate::receiver::{Receiver, SECRET};
use crate::stage;

#[test]
fn an_event_whose_process_was_killed_arrives_again_from_the_next() {
    run(async {
        let place = Place::with_meetings(1).await;
        let mut receiver = Receiver::start().await;
        let killed = serve(&place.database(), Some(&receiver.url()));
        let unanswered = receiver.next().await;
        killed.kill();
        place.end_leases().await;

        let next = serve(&place.database(), Some(&receiver.url()));
        let request = receiver.answer(StatusCode::OK).await;
        assert_eq!(request.id(), unanswered.request.id());
        assert_eq!(request.body, unanswered.request.body);
        assert!(request.is_signed_by(SECRET));
        // It ends its delivery before it stops, and says what it did: nothing of what is secret or the
        // organisation's.
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

#[test]
fn two_processes_on_one_database_tell_of_every_meeting_once() {
    const MEETINGS: usize = 60;
    run(async {
        let test = "two_processes_on_one_database_tell_of_every_meeting_once";
        let Some(address) = server_database(test).await else {
            return;
        };
        let mut receiver = Receiver::start().await;
        let url = receiver.url();
        let processes = [(); 2].map(|()| serve(&address, Some(&url)));
        let location = address.parse().expect("an address");
        let database = Database::open(&location, 1).await.expect("it opens");
        let owner = database.owner().await.expect("the owner");
        let organization = Uuid::now_v7();
        owner
            .execute(
                "insert into app.organizations (id, name) values ($1, 'Two processes')",
                &[&organization],
            )
            .await
            .expect("an organisation");
        for _ in 0..MEETINGS {
            stage::insert(&owner, organization, Uuid::now_v7()).await;
        }
        let requests = receiver.take(MEETINGS).await;
        for process in processes {
            process.stop();
        }
        assert!(receiver.is_quiet());
        let told: HashSet<_> = requests.iter().map(|request| request.meeting()).collect();
        assert_eq!(told.len(), MEETINGS);
        let row = owner
            .query_one(
                "select count(*) from webhooks.events where delivered_at is null or attempts <> 1",
                &[],
            )
            .await
            .expect("a count");
        assert_eq!(row.get::<_, i64>(0), 0);
    });
}
