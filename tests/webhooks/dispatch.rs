//! An interview that is dispatched goes through the same outbox as meetings.

use axum::http::StatusCode;
use frontdesk_protocol::{Host, Role};
use frontdesk_server::webhooks::DeliveryOutcome;
use frontdesk_tests::receiver::{Receiver, SECRET};
use serde_json::json;

use crate::webhooks::stage::{Stage, run};

#[test]
fn a_dispatch_is_told_once_and_signed() {
    run(async {
        let stage = Stage::set().await;
        let mut receiver = Receiver::start().await;
        let worker = stage.worker(&receiver.url());
        let mut staff = stage.organization.caller(Role::Staff, Host::Quiz).await;
        let event = stage.organization.event("Open Day").await;
        let guest = json!({ "event_id": event, "name": "Ana", "chat_id": "chat-ana" });
        staff
            .http
            .events("create_event_guest", guest)
            .await
            .output();
        let form = json!({ "title": "Interview", "fields": [{ "label": "Why?", "kind": "text" }] });
        let form = staff.make("create_form", form).await;
        let dispatch = json!({ "form_id": form, "event_id": event });
        staff.output("dispatch_interview", dispatch).await;
        let dispatched = staff.output("list_dispatches", json!({})).await;

        let (round, request) = tokio::join!(
            worker.deliver_due(),
            receiver.answer(StatusCode::NO_CONTENT)
        );
        assert_eq!(round.expect("a round"), [DeliveryOutcome::Delivered]);
        let entry = stage.entry().await;
        assert_eq!(request.id(), entry.id.to_string());
        assert!(request.is_signed_by(SECRET), "{request:?}");
        assert_eq!(
            request.json(),
            json!({
                "type": "dispatch.created",
                "timestamp": entry.created_at.to_string(),
                "data": {
                    "dispatch_id": dispatched["dispatches"][0]["id"],
                    "organization_id": stage.organization.id,
                },
            })
        );
    });
}
