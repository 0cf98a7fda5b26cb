//! An interview that is dispatched goes through the same outbox as meetings.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::receiver::SECRET;
use serde_json::json;

use crate::webhooks::stage::{Stage, delivered, run};

#[test]
fn a_dispatch_is_told_once_and_signed() {
    run(async {
        let (stage, mut receiver, worker) = Stage::with_receiver().await;
        let mut staff = stage.caller(Role::Staff, Host::Quiz).await;
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

        let request = delivered(&worker, &mut receiver).await;
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
