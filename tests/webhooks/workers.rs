//! Several workers on one database, and workers that end before their delivery.

use std::collections::HashSet;
use std::time::Duration;

use axum::http::StatusCode;
use frontdesk_server::webhooks::{DeliveryOutcome, LEASE, State, Worker};
use frontdesk_tests::world;
use tokio::task::JoinHandle;

use crate::webhooks::stage::{Stage, delivered, run, settings};
use frontdesk_tests::receiver::Receiver;

fn round(worker: &Worker) -> JoinHandle<Vec<DeliveryOutcome>> {
    let worker = worker.clone();
    tokio::spawn(async move { worker.deliver_due().await.expect("a round") })
}

#[test]
fn a_worker_killed_in_the_middle_of_a_delivery_is_followed_by_another() {
    run(async {
        let stage = Stage::set().await;
        let mut receiver = Receiver::start().await;
        let killed = stage.worker(&receiver.url());
        let database = world().another_handle().await;
        let next = stage.worker_on(&database, settings(&receiver.url()));
        stage.meeting().await;

        let delivery = round(&killed);
        let unanswered = receiver.next().await;
        delivery.abort();
        assert!(delivery.await.is_err_and(|error| error.is_cancelled()));

        // Its death is not noticed until its lease has expired.
        assert_eq!(next.deliver_due().await.expect("a round"), []);
        stage.clock.advance(LEASE);
        let request = delivered(&next, &mut receiver).await;
        assert_eq!(request.id(), unanswered.request.id());
        assert_eq!(request.body, unanswered.request.body);
        let entry = stage.entry().await;
        assert_eq!((entry.state, entry.attempts), (State::Delivered, 2));
    });
}

#[test]
fn a_worker_whose_lease_has_run_out_settles_nothing() {
    run(async {
        let stage = Stage::set().await;
        let mut receiver = Receiver::start().await;
        let slow = stage.worker(&receiver.url());
        stage.meeting().await;
        let late = round(&slow);
        let held = receiver.next().await;
        stage.clock.advance(LEASE + Duration::from_secs(1));
        let next = stage.worker(&receiver.url());
        delivered(&next, &mut receiver).await;

        held.answer(StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(late.await.expect("it ends"), [DeliveryOutcome::Unsettled]);
        let entry = stage.entry().await;
        assert_eq!((entry.state, entry.last_error), (State::Delivered, None));
    });
}

#[test]
fn two_workers_tell_of_every_meeting_once() {
    const MEETINGS: usize = 40;
    run(async {
        let stage = Stage::set().await;
        let mut receiver = Receiver::start().await;
        let database = world().another_handle().await;
        let workers = [
            stage.worker(&receiver.url()),
            stage.worker_on(&database, settings(&receiver.url())),
        ];
        for _ in 0..MEETINGS {
            stage.meeting().await;
        }
        // Each takes due events until none is left; both at once.
        let deliver = |worker: Worker| async move {
            let mut delivered = 0;
            loop {
                let outcomes = worker.deliver_due().await.expect("a round");
                assert!(
                    outcomes
                        .iter()
                        .all(|outcome| *outcome == DeliveryOutcome::Delivered)
                );
                match outcomes.len() {
                    0 => return delivered,
                    more => delivered += more,
                }
            }
        };
        let [one, two] = workers.map(|worker| tokio::spawn(deliver(worker)));
        let requests = receiver.take(MEETINGS).await;
        let delivered = one.await.expect("it ends") + two.await.expect("it ends");
        assert_eq!(delivered, MEETINGS);
        assert!(receiver.is_quiet());
        let ids: HashSet<_> = requests.iter().map(|request| request.id()).collect();
        assert_eq!(ids.len(), MEETINGS);
        assert_eq!(stage.states().await, [State::Delivered; MEETINGS]);
    });
}

#[test]
fn workers_that_look_at_once_never_have_one_event_both() {
    run(async {
        let stage = Stage::set().await;
        let mut receiver = Receiver::start().await;
        let database = world().another_handle().await;
        let one = stage.worker(&receiver.url());
        let two = stage.worker_on(&database, settings(&receiver.url()));
        stage.meeting().await;
        for _ in 0..20 {
            let (one, two) = (round(&one), round(&two));
            // If both had the event, this would be the first of two requests.
            let request = receiver.answer(StatusCode::GONE).await;
            let mut outcomes = one.await.expect("it ends");
            outcomes.extend(two.await.expect("it ends"));
            assert_eq!(outcomes, [DeliveryOutcome::GivenUp]);
            assert!(receiver.is_quiet(), "{}", request.id());
            stage.outbox().replay_failed().await.expect("replayed");
        }
    });
}
