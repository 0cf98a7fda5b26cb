//! The worker in a running server: it starts with the server, is woken by a call, and stops in
//! order.

use std::time::Duration;

use axum::http::StatusCode;
use frontdesk_protocol::{Host, Role};
use frontdesk_server::clock::Clock;
use frontdesk_server::database::{Database, Location};
use frontdesk_server::server::{Server, Settings};
use frontdesk_server::webhooks::{Outbox, State};
use frontdesk_tests::prepared;
use serde_json::json;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::sync::watch;
use uuid::Uuid;

use crate::webhooks::stage::{self, Stage, run, settings};
use frontdesk_tests::receiver::{Receiver, SECRET};

/// A series with one occurrence; returns the occurrence.
async fn occurrence(stage: &Stage) -> Uuid {
    let series = stage.organization.series("Weekly").await;
    let (text, transcript) = (Some("Good morning"), Some("transcript-1"));
    let occurrence = stage
        .organization
        .occurrence(series, "2026-11-02", text, transcript);
    occurrence.await.0
}

#[test]
fn promoting_an_occurrence_tells_the_receiver_and_trying_it_does_not() {
    run(async {
        let stage = Stage::set().await;
        let mut receiver = Receiver::start().await;
        let occurrence = occurrence(&stage).await;
        let (stop, stopped) = watch::channel(false);
        // It would not poll by itself during the test.
        let settings = settings(&receiver.url()).with_poll(Duration::from_secs(3600));
        let running = tokio::spawn(stage.worker_with(settings).run(stopped));
        // The series itself is a meeting that was inserted.
        let series = receiver.answer(StatusCode::OK).await;
        assert_ne!(series.meeting(), occurrence);

        let mut http = stage.organization.sign_in(Role::Owner).await;
        for dry_run in [true, false] {
            let arguments = json!({ "occurrence_id": occurrence, "dry_run": dry_run });
            let tool = "promote_occurrence_to_standalone";
            let answer = http.call(Host::Work, tool, arguments).await;
            let inserts = &answer.output()["automation_webhook_inserts"];
            assert_eq!(inserts, 1, "{dry_run}");
        }
        // If the first call had woken the worker, there would be two requests.
        let request = receiver.answer(StatusCode::OK).await;
        assert_eq!(request.meeting(), occurrence);
        assert!(request.is_signed_by(SECRET));
        stop.send_replace(true);
        running.await.expect("it ends");
        assert_eq!(stage.states().await, [State::Delivered, State::Delivered]);
        assert!(receiver.is_quiet());
    });
}

#[test]
fn a_server_that_stops_waits_for_its_delivery_and_begins_no_other() {
    run(async {
        let directory = tempfile::tempdir().expect("a directory");
        let directory = directory.path().join("postgres");
        prepared::copy_to(&directory);
        let location = Location::Directory(directory);
        let mut receiver = Receiver::start().await;
        let server = Server::start(Settings {
            webhooks: Some(settings(&receiver.url())),
            ..Settings::local(location.clone())
        })
        .await
        .expect("it starts");
        let database = server.database().clone();
        let organization = Uuid::now_v7();
        let owner = database.owner().await.expect("the owner");
        owner
            .execute(
                "insert into app.organizations (id, name) values ($1, 'Stopping')",
                &[&organization],
            )
            .await
            .expect("an organisation");
        stage::insert(&owner, organization, Uuid::now_v7()).await;
        drop(owner);
        database.ring_outbox();
        let under_way = receiver.next().await;

        let mut waiting = TcpStream::connect(server.address())
            .await
            .expect("it listens");
        let mut stopping = std::pin::pin!(server.stop());
        let closed = async {
            // The server closes the connection when it is stopped.
            let _ = waiting.read(&mut [0]).await;
            let owner = database.owner().await.expect("it is open");
            stage::insert(&owner, organization, Uuid::now_v7()).await;
            drop(owner);
            database.ring_outbox();
        };
        tokio::select! {
            biased;
            stopped = &mut stopping => panic!("it did not wait: {stopped:?}"),
            () = closed => {}
        }
        under_way.answer(StatusCode::OK);
        stopping.await.expect("it stops");
        assert!(receiver.is_quiet());

        let database = Database::open(&location, 1).await.expect("it opens");
        let outbox = Outbox::new(database.clone(), Clock::system());
        let (entries, _) = outbox.entries(true, 10).await.expect("the outbox");
        let states: Vec<_> = entries.iter().map(|entry| entry.state).collect();
        assert_eq!(states, [State::Undelivered, State::Delivered]);
        database.close().await.expect("it closes");
    });
}

#[test]
fn the_webhooks_of_a_batch_leave_only_if_it_commits() {
    run(async {
        let stage = Stage::set().await;
        let mut receiver = Receiver::start().await;
        let occurrence = occurrence(&stage).await;
        let (stop, stopped) = watch::channel(false);
        let settings = settings(&receiver.url()).with_poll(Duration::from_secs(3600));
        let running = tokio::spawn(stage.worker_with(settings).run(stopped));
        receiver.answer(StatusCode::OK).await;

        let mut http = stage.organization.sign_in(Role::Owner).await;
        let promote = json!({
            "tool": "promote_occurrence_to_standalone",
            "arguments": { "occurrence_id": occurrence },
        });
        let fails = json!({
            "tool": "set_meeting_template",
            "arguments": { "meeting_id": Uuid::now_v7(), "template": "default" },
        });
        let batch = json!({ "host": "work", "calls": [promote, fails] });
        let failed = http.call(Host::Ops, "run_batch", batch).await;
        assert_eq!(failed.refusal(), "not_found");
        // Only the event of the series itself exists.
        assert_eq!(stage.entries().await.len(), 1);

        let batch = json!({ "host": "work", "calls": [promote] });
        let done = http.call(Host::Ops, "run_batch", batch).await;
        assert_eq!(done.output()["results"][0]["automation_webhook_inserts"], 1);
        let request = receiver.answer(StatusCode::OK).await;
        assert_eq!(request.meeting(), occurrence);
        stop.send_replace(true);
        running.await.expect("it ends");
        assert_eq!(stage.states().await, [State::Delivered, State::Delivered]);
        assert!(receiver.is_quiet());
    });
}
