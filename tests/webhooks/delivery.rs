//! A successful delivery: its content, and that it is sent once.

use axum::http::{Method, StatusCode};
use frontdesk_server::webhooks::{DeliveryOutcome, State};
use frontdesk_tests::world;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use uuid::Uuid;

use crate::webhooks::stage::{Stage, delivered, run, settings_with};
use frontdesk_tests::receiver::{OTHER_SECRET, Receiver, SECRET};

#[test]
fn a_new_meeting_is_told_once_and_signed() {
    run(async {
        let (stage, mut receiver, worker) = Stage::with_receiver().await;
        let meeting = stage.meeting().await;
        assert_eq!(stage.states().await, [State::Undelivered]);

        let (round, request) = tokio::join!(
            worker.deliver_due(),
            receiver.answer(StatusCode::NO_CONTENT)
        );
        assert_eq!(round.expect("a round"), [DeliveryOutcome::Delivered]);
        let entry = stage.entry().await;
        assert_eq!((entry.state, entry.attempts), (State::Delivered, 1));
        assert_eq!((entry.subject, entry.last_error), (meeting, None));

        assert_eq!(request.method, Method::POST);
        assert_eq!(request.uri, "/hook?from=frontdesk");
        assert_eq!(request.header("content-type"), "application/json");
        assert_eq!(request.id(), entry.id.to_string());
        assert!(request.is_signed_by(SECRET), "{request:?}");
        assert!(!request.is_signed_by(OTHER_SECRET), "{request:?}");
        assert_eq!(
            request.json(),
            json!({
                "type": "meeting.created",
                "timestamp": entry.created_at.to_string(),
                "data": { "meeting_id": meeting, "organization_id": stage.organization.id },
            })
        );

        stage.wait_long();
        assert_eq!(worker.deliver_due().await.expect("a round"), []);
        assert!(receiver.is_quiet());
    });
}

#[test]
fn while_secrets_change_a_receiver_may_know_either() {
    run(async {
        let stage = Stage::set().await;
        let mut receiver = Receiver::start().await;
        let secrets = [OTHER_SECRET, SECRET];
        let worker = stage.worker_with(settings_with(&receiver.url(), &secrets));
        stage.meeting().await;
        let request = delivered(&worker, &mut receiver).await;
        for secret in secrets {
            assert!(request.is_signed_by(secret), "{secret}: {request:?}");
        }
    });
}

#[test]
fn a_slow_receiver_is_waited_for_and_not_told_twice() {
    run(async {
        let (stage, mut receiver, worker) = Stage::with_receiver().await;
        stage.meeting().await;
        let round = tokio::spawn({
            let worker = worker.clone();
            async move { worker.deliver_due().await }
        });
        let request = receiver.next().await;
        // The delivery takes time. The database is free, and other workers leave the event alone.
        assert_eq!(stage.states().await, [State::Sending]);
        assert_eq!(worker.deliver_due().await.expect("a round"), []);
        request.answer(StatusCode::ACCEPTED);
        let round = round.await.expect("it ends").expect("a round");
        assert_eq!(round, [DeliveryOutcome::Delivered]);
        assert!(receiver.is_quiet());
    });
}

#[test]
fn an_answer_counts_by_its_status_however_long_its_body_takes() {
    run(async {
        let stage = Stage::set().await;
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let worker = stage.worker(&format!("http://{address}"));
        stage.meeting().await;
        let receiver = async {
            let (mut connection, _) = listener.accept().await.expect("a connection");
            let mut request = [0; 1024];
            let _ = connection.read(&mut request).await.expect("a request");
            let head = "HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n";
            connection.write_all(head.as_bytes()).await.expect("sent");
            // The connection stays open until the round is over; the body never arrives.
            connection
        };
        let (round, _connection) = tokio::join!(worker.deliver_due(), receiver);
        assert_eq!(round.expect("a round"), [DeliveryOutcome::Delivered]);
    });
}

#[test]
fn each_meeting_that_is_kept_is_told_and_no_other() {
    run(async {
        let (stage, mut receiver, worker) = Stage::with_receiver().await;
        let insert = "insert into work.meetings (id, organization_id, title) \
            select id, $2, 'Stand-up' from unnest($1::uuid[]) id";
        let (mut kept, undone): (Vec<_>, Vec<_>) = (
            (0..3).map(|_| Uuid::now_v7()).collect(),
            vec![Uuid::now_v7()],
        );
        let mut owner = world().owner().await;
        for (meetings, is_kept) in [(&kept, true), (&undone, false)] {
            let transaction = owner.transaction().await.expect("a transaction");
            let organization = stage.organization.id.0;
            transaction
                .execute(insert, &[meetings, &organization])
                .await
                .expect("meetings");
            match is_kept {
                true => transaction.commit().await.expect("kept"),
                false => transaction.rollback().await.expect("undone"),
            }
        }
        drop(owner);
        let (round, requests) = tokio::join!(worker.deliver_due(), receiver.take(3));
        assert_eq!(round.expect("a round"), [DeliveryOutcome::Delivered; 3]);
        let mut told: Vec<_> = requests.iter().map(|request| request.meeting()).collect();
        told.sort();
        kept.sort();
        assert_eq!(told, kept);
        assert_eq!(worker.deliver_due().await.expect("a round"), []);
    });
}
