//! Failed deliveries: each is retried on schedule until it is given up.

use std::time::Duration;

use axum::http::{StatusCode, header};
use frontdesk_server::webhooks::{DeliveryOutcome, MessageId, ReplayError, State};
use frontdesk_tests::world;
use tokio::net::TcpListener;
use uuid::Uuid;

use crate::webhooks::stage::{Stage, delivered, run, settings};
use frontdesk_tests::receiver::{Receiver, SECRET};

/// The delay from an attempt to the next one, in seconds, in the outbox.
async fn delay() -> f64 {
    let owner = world().owner().await;
    let row = owner
        .query_one(
            "select extract(epoch from due_at - attempted_at)::float8 from webhooks.events",
            &[],
        )
        .await;
    row.expect("one event").get(0)
}

#[test]
fn a_failed_event_is_sent_again_under_its_id_after_growing_delays() {
    run(async {
        let (stage, mut receiver, worker) = Stage::with_receiver().await;
        stage.meeting().await;
        let mut ids = Vec::new();
        let schedule = [5, 300, 1800, 7200, 18_000, 36_000, 36_000];
        for (attempts, seconds) in (1..).zip(schedule) {
            let failing = receiver.answer(StatusCode::INTERNAL_SERVER_ERROR);
            let (round, request) = tokio::join!(worker.deliver_due(), failing);
            assert_eq!(round.expect("a round"), [DeliveryOutcome::Failed]);
            ids.push(request.id());

            let entry = stage.entry().await;
            assert_eq!(
                (entry.state, entry.attempts),
                (State::Undelivered, attempts)
            );
            assert!(entry.next_attempt_at.is_some());
            let error = entry.last_error.unwrap_or_default();
            assert!(error.contains("500"), "{error}");
            let delay = delay().await;
            let seconds = f64::from(seconds);
            // The jitter, and the duration of the attempt itself.
            assert!(
                (seconds..seconds * 1.2 + 4.0).contains(&delay),
                "{attempts}: {delay}"
            );

            // After half the delay it is not due, except for the first, which is too short.
            if attempts > 1 {
                stage.clock.advance(Duration::from_secs_f64(seconds / 2.0));
                assert_eq!(worker.deliver_due().await.expect("a round"), []);
            }
            stage.clock.advance(Duration::from_secs_f64(delay));
        }
        let request = delivered(&worker, &mut receiver).await;
        assert!(request.is_signed_by(SECRET));
        ids.push(request.id());
        assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
        let entry = stage.entry().await;
        assert_eq!((entry.state, entry.attempts), (State::Delivered, 8));
        assert_eq!(entry.last_error, None);
    });
}

/// Fails every attempt, until the event is given up; returns its id.
async fn give_up(stage: &Stage, receiver: &mut Receiver) -> MessageId {
    let worker = stage.worker(&receiver.url());
    for attempt in 1..=8 {
        let failing = receiver.answer(StatusCode::SERVICE_UNAVAILABLE);
        let (round, _) = tokio::join!(worker.deliver_due(), failing);
        let expected = match attempt {
            8 => DeliveryOutcome::GivenUp,
            _ => DeliveryOutcome::Failed,
        };
        assert_eq!(round.expect("a round"), [expected], "{attempt}");
        stage.wait_long();
    }
    assert_eq!(worker.deliver_due().await.expect("a round"), []);
    let entry = stage.entry().await;
    assert_eq!((entry.state, entry.attempts), (State::GivenUp, 8));
    entry.id
}

#[test]
fn what_was_given_up_is_kept_and_sent_again_when_it_is_replayed() {
    run(async {
        let (stage, mut receiver, worker) = Stage::with_receiver().await;
        stage.meeting().await;
        let id = give_up(&stage, &mut receiver).await;
        assert_eq!(stage.outbox().replay(&[id]).await.expect("replayed"), 1);
        let failing = receiver.answer(StatusCode::SERVICE_UNAVAILABLE);
        let (round, request) = tokio::join!(worker.deliver_due(), failing);
        // From the first attempt on: it is tried again.
        assert_eq!(round.expect("a round"), [DeliveryOutcome::Failed]);
        assert_eq!(request.id(), id.to_string());
        stage.wait_long();
        let request = delivered(&worker, &mut receiver).await;
        assert_eq!(request.id(), id.to_string());
    });
}

#[test]
fn all_that_was_given_up_is_replayed_at_once_and_nothing_else() {
    run(async {
        let (stage, mut receiver, worker) = Stage::with_receiver().await;
        for status in [StatusCode::OK, StatusCode::GONE, StatusCode::GONE] {
            stage.meeting().await;
            let (round, _) = tokio::join!(worker.deliver_due(), receiver.answer(status));
            round.expect("a round");
        }
        use State::{Delivered, GivenUp, Undelivered};
        assert_eq!(stage.states().await, [Delivered, GivenUp, GivenUp]);
        assert_eq!(stage.outbox().replay_failed().await.expect("replayed"), 2);
        assert_eq!(stage.states().await, [Delivered, Undelivered, Undelivered]);
        let (round, _) = tokio::join!(worker.deliver_due(), receiver.take(2));
        assert_eq!(round.expect("a round"), [DeliveryOutcome::Delivered; 2]);
        assert_eq!(stage.outbox().replay_failed().await.expect("replayed"), 0);
    });
}

#[test]
fn a_delivered_event_can_be_replayed_an_unknown_one_or_one_under_way_cannot() {
    run(async {
        let (stage, mut receiver, worker) = Stage::with_receiver().await;
        stage.meeting().await;
        let first = delivered(&worker, &mut receiver).await;
        let id = stage.entry().await.id;

        let unknown = MessageId(Uuid::now_v7());
        match stage.outbox().replay(&[id, unknown]).await {
            Err(ReplayError::NotFound(ids)) => assert_eq!(ids, [unknown]),
            other => panic!("{other:?}"),
        }
        assert_eq!(stage.states().await, [State::Delivered], "all or nothing");

        stage.outbox().replay(&[id, id]).await.expect("replayed");
        let round = tokio::spawn(async move { worker.deliver_due().await });
        let again = receiver.next().await;
        assert_eq!(again.request.id(), first.id());
        assert_eq!(again.request.body, first.body);
        match stage.outbox().replay(&[id]).await {
            Err(ReplayError::Sending(ids)) => assert_eq!(ids, [id]),
            other => panic!("{other:?}"),
        }
        again.answer(StatusCode::OK);
        let round = round.await.expect("it ends").expect("a round");
        assert_eq!(round, [DeliveryOutcome::Delivered]);
    });
}

#[test]
fn a_redirection_is_a_failure_and_is_not_followed() {
    run(async {
        let stage = Stage::set().await;
        let mut receiver = Receiver::start().await;
        let mut elsewhere = Receiver::start().await;
        let worker = stage.worker(&receiver.url());
        for status in [
            StatusCode::FOUND,
            StatusCode::TEMPORARY_REDIRECT,
            StatusCode::PERMANENT_REDIRECT,
        ] {
            stage.meeting().await;
            let answer = (status, [(header::LOCATION, elsewhere.url())]);
            let (round, _) = tokio::join!(worker.deliver_due(), receiver.answer(answer));
            assert_eq!(
                round.expect("a round"),
                [DeliveryOutcome::Failed],
                "{status}"
            );
            let error = stage
                .entries()
                .await
                .pop()
                .and_then(|entry| entry.last_error);
            let error = error.unwrap_or_default();
            assert!(
                error.contains(status.as_str()) && error.contains("not followed"),
                "{error}"
            );
        }
        assert!(receiver.is_quiet() && elsewhere.is_quiet());
    });
}

#[test]
fn a_receiver_that_hangs_is_given_up_on_in_time() {
    run(async {
        let stage = Stage::set().await;
        // It accepts connections and never reads them.
        let hanging = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = hanging.local_addr().expect("an address");
        let timeout = Duration::from_millis(200);
        let url = format!("http://{address}");
        let worker = stage.worker_with(settings(&url).with_timeout(timeout));
        stage.meeting().await;
        let round = worker.deliver_due().await.expect("a round");
        assert_eq!(round, [DeliveryOutcome::Failed]);
        let entry = stage.entry().await;
        assert_eq!(entry.state, State::Undelivered);
        let error = entry.last_error.unwrap_or_default();
        assert!(error.contains("did not answer within 200ms"), "{error}");

        let mut receiver = Receiver::start().await;
        let worker = stage.worker(&receiver.url());
        stage.wait_long();
        let request = delivered(&worker, &mut receiver).await;
        assert_eq!(request.id(), entry.id.to_string());
    });
}

#[test]
fn a_receiver_that_hangs_up_or_is_away_gets_the_event_later() {
    run(async {
        let stage = Stage::set().await;
        let mut receiver = Receiver::start().await;
        stage.meeting().await;
        let worker = stage.worker(&receiver.url());
        let (round, dropped) = tokio::join!(worker.deliver_due(), async {
            receiver.next().await.request
        });
        assert_eq!(round.expect("a round"), [DeliveryOutcome::Failed]);
        let hung_up = stage.entry().await.last_error.unwrap_or_default();
        assert!(!hung_up.is_empty());

        let nobody = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let away = nobody.local_addr().expect("an address");
        drop(nobody);
        stage.wait_long();
        let to_nobody = stage.worker(&format!("http://{away}/token-hunter2"));
        let round = to_nobody.deliver_due().await.expect("a round");
        assert_eq!(round, [DeliveryOutcome::Failed]);
        let error = stage.entry().await.last_error.unwrap_or_default();
        assert!(error.to_lowercase().contains("refused"), "{error}");
        assert!(!error.contains("hunter2"), "{error}");

        stage.wait_long();
        let request = delivered(&worker, &mut receiver).await;
        assert_eq!(request.id(), dropped.id());
        assert_eq!(stage.entry().await.attempts, 3);
    });
}

#[test]
fn a_receiver_that_is_gone_is_told_nothing_more_of_the_event() {
    run(async {
        let (stage, mut receiver, worker) = Stage::with_receiver().await;
        stage.meeting().await;
        let (round, _) = tokio::join!(worker.deliver_due(), receiver.answer(StatusCode::GONE));
        assert_eq!(round.expect("a round"), [DeliveryOutcome::GivenUp]);
        stage.wait_long();
        assert_eq!(worker.deliver_due().await.expect("a round"), []);
        assert_eq!(stage.states().await, [State::GivenUp]);
    });
}
