//! The undo of a change withdraws its webhooks, except for those that were delivered.

use frontdesk_protocol::{Host, Role};
use frontdesk_server::webhooks::State;
use frontdesk_tests::caller::Caller;
use serde_json::{Value, json};

use crate::webhooks::stage::{Stage, delivered, run};

/// Dispatches an interview to a guest; returns the change.
async fn dispatched(stage: &Stage, owner: &mut Caller) -> Value {
    let event = stage.organization.event("Open Day").await;
    let guest = json!({ "event_id": event, "name": "Ana", "chat_id": "chat-ana" });
    let guest = owner.http.events("create_event_guest", guest).await;
    guest.output();
    let form = json!({ "title": "Interview", "fields": [{ "label": "Why?", "kind": "text" }] });
    let form = owner.make("create_form", form).await;
    let dispatch = json!({ "form_id": form, "event_id": event });
    owner.output("dispatch_interview", dispatch).await;
    let latest = json!({ "limit": 1 });
    let listed = owner.http.call(Host::Ops, "list_changes", latest).await;
    listed.output()["changes"][0].clone()
}

async fn undo(owner: &mut Caller, change: &Value) -> Value {
    let arguments = json!({ "change_id": change["id"] });
    let undone = owner.http.call(Host::Ops, "undo_change", arguments).await;
    undone.output().clone()
}

#[test]
fn a_webhook_that_was_not_sent_is_withdrawn_and_due_again_after_the_undo_of_the_undo() {
    run(async {
        let (stage, mut receiver, worker) = Stage::with_receiver().await;
        let mut owner = stage.caller(Role::Owner, Host::Quiz).await;
        let change = dispatched(&stage, &mut owner).await;
        let undone = undo(&mut owner, &change).await;
        assert_eq!(undone["change"]["delivered"], json!([]));
        assert_eq!(worker.deliver_due().await.expect("a round"), []);
        let entry = stage.entry().await;
        let reason = "withdrawn: the change was undone";
        assert_eq!(
            (entry.state, entry.last_error.as_deref()),
            (State::GivenUp, Some(reason))
        );

        undo(&mut owner, &undone["change"]).await;
        assert_eq!(stage.states().await, [State::Undelivered]);
        delivered(&worker, &mut receiver).await;
    });
}

#[test]
fn a_webhook_that_was_delivered_is_named_and_stays_delivered() {
    run(async {
        let (stage, mut receiver, worker) = Stage::with_receiver().await;
        let mut owner = stage.caller(Role::Owner, Host::Quiz).await;
        let change = dispatched(&stage, &mut owner).await;
        delivered(&worker, &mut receiver).await;
        let undone = undo(&mut owner, &change).await;
        let delivered = json!([{ "event": "dispatch.created", "count": 1 }]);
        assert_eq!(undone["change"]["delivered"], delivered);
        let warning = "webhooks that were delivered stay delivered: 1 dispatch.created";
        assert_eq!(undone["warnings"], json!([warning]));
        assert_eq!(stage.states().await, [State::Delivered]);
    });
}
