//! The events of one meeting arrive in the order in which they happened.

use axum::http::StatusCode;
use frontdesk_server::webhooks::{DeliveryOutcome, State};
use uuid::Uuid;

use crate::webhooks::stage::{Stage, delivered, run};
use frontdesk_tests::receiver::Receiver;

/// A meeting that was inserted, removed and inserted again: two events of one id.
async fn twice(stage: &Stage) -> Uuid {
    let meeting = stage.meeting().await;
    stage.remove(meeting).await;
    stage.insert(meeting).await;
    meeting
}

#[test]
fn a_later_event_of_a_meeting_waits_for_the_earlier_and_other_meetings_do_not() {
    run(async {
        let (stage, mut receiver, worker) = Stage::with_receiver().await;
        twice(&stage).await;
        let [first, second] = &stage.entries().await[..] else {
            panic!("two events");
        };

        // The first fails; the second does not overtake it, and another meeting's event does.
        let failing = receiver.answer(StatusCode::BAD_GATEWAY);
        let (round, request) = tokio::join!(worker.deliver_due(), failing);
        assert_eq!(round.expect("a round"), [DeliveryOutcome::Failed]);
        assert_eq!(request.id(), first.id.to_string());
        let other = stage.meeting().await;
        let request = delivered(&worker, &mut receiver).await;
        assert_eq!(request.meeting(), other);

        stage.wait_long();
        for event in [first, second] {
            let request = delivered(&worker, &mut receiver).await;
            assert_eq!(request.id(), event.id.to_string());
        }
        assert_eq!(worker.deliver_due().await.expect("a round"), []);
    });
}

#[test]
fn an_event_that_was_given_up_holds_up_none() {
    run(async {
        let (stage, mut receiver, worker) = Stage::with_receiver().await;
        let meeting = twice(&stage).await;
        let (round, _) = tokio::join!(worker.deliver_due(), receiver.answer(StatusCode::GONE));
        assert_eq!(round.expect("a round"), [DeliveryOutcome::GivenUp]);
        let request = delivered(&worker, &mut receiver).await;
        assert_eq!(request.meeting(), meeting);
        assert_eq!(stage.states().await, [State::GivenUp, State::Delivered]);
    });
}

#[test]
fn nothing_overtakes_an_event_that_is_under_way() {
    run(async {
        let stage = Stage::set().await;
        let mut receiver = Receiver::start().await;
        let (one, two) = (stage.worker(&receiver.url()), stage.worker(&receiver.url()));
        twice(&stage).await;
        let round = tokio::spawn(async move { one.deliver_due().await.expect("a round") });
        let first = receiver.next().await;
        assert_eq!(two.deliver_due().await.expect("a round"), []);
        let first = first.answer(StatusCode::OK);
        assert_eq!(round.await.expect("it ends"), [DeliveryOutcome::Delivered]);
        let second = delivered(&two, &mut receiver).await;
        assert_eq!(first.meeting(), second.meeting());
        assert_ne!(first.id(), second.id());
    });
}
