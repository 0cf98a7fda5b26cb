//! Events of posts, spec runs and sandboxes, some of which are due later.

use std::time::Duration;

use frontdesk_protocol::{Host, Role};
use frontdesk_server::webhooks::Worker;
use frontdesk_tests::caller::Caller;
use frontdesk_tests::receiver::Receiver;
use serde_json::{Value, json};

use crate::webhooks::stage::{Stage, delivered, run};

/// The body of the only event that is due.
async fn told(worker: &Worker, receiver: &mut Receiver) -> Value {
    delivered(worker, receiver).await.json()
}

async fn nothing_is_due(worker: &Worker) {
    assert_eq!(worker.deliver_due().await.expect("a round"), []);
}

/// A post of the staff for tomorrow, which an admin has approved.
async fn approved(stage: &Stage, staff: &mut Caller, tomorrow: jiff::Timestamp) -> Value {
    let post = json!({ "title": "Open day", "channel": "x", "scheduled_at": tomorrow });
    let id = staff.make("create_post", post).await;
    staff.output("submit_post", json!({ "id": id })).await;
    let mut admin = stage.caller(Role::Admin, Host::Campaigns).await;
    let verdict = json!({ "id": id, "revision": 1, "verdict": "approved" });
    admin.output("review_post", verdict).await;
    id
}

const DAY: Duration = Duration::from_secs(24 * 3600);

#[test]
fn an_approved_post_is_due_at_its_time() {
    run(async {
        let (stage, mut receiver, worker) = Stage::with_receiver().await;
        let mut staff = stage.caller(Role::Staff, Host::Campaigns).await;
        let tomorrow = jiff::Timestamp::now() + DAY;
        let id = approved(&stage, &mut staff, tomorrow).await;
        nothing_is_due(&worker).await;
        stage.clock.advance(DAY);
        let told = told(&worker, &mut receiver).await;
        assert_eq!(
            (&told["type"], &told["data"]["post_id"]),
            (&json!("post.due"), &id)
        );
    });
}

#[test]
fn a_post_that_is_edited_or_published_is_not_due() {
    run(async {
        let (stage, _receiver, worker) = Stage::with_receiver().await;
        let mut staff = stage.caller(Role::Staff, Host::Campaigns).await;
        let tomorrow = jiff::Timestamp::now() + DAY;
        let edited = approved(&stage, &mut staff, tomorrow).await;
        let published = approved(&stage, &mut staff, tomorrow).await;
        let edit = json!({ "id": edited, "body": "Come" });
        staff.output("update_post", edit).await;
        let publish = json!({ "id": published, "url": "https://example.org/p/1" });
        staff.output("mark_post_published", publish).await;
        stage.clock.advance(DAY);
        nothing_is_due(&worker).await;
    });
}

#[test]
fn the_undo_of_an_approval_withdraws_the_event_and_its_undo_plans_it_again() {
    run(async {
        let (stage, mut receiver, worker) = Stage::with_receiver().await;
        let mut staff = stage.caller(Role::Staff, Host::Campaigns).await;
        let tomorrow = jiff::Timestamp::now() + DAY;
        approved(&stage, &mut staff, tomorrow).await;
        // Reviews are undone by their reviewers.
        let mut admin = stage.caller(Role::Admin, Host::Ops).await;
        let listed = admin.output("list_changes", json!({ "limit": 1 })).await;
        let change = json!({ "change_id": listed["changes"][0]["id"] });
        let undone = admin.output("undo_change", change).await;
        stage.clock.advance(DAY);
        nothing_is_due(&worker).await;
        let again = json!({ "change_id": undone["change"]["id"] });
        admin.output("undo_change", again).await;
        assert_eq!(told(&worker, &mut receiver).await["type"], "post.due");
    });
}

#[test]
fn a_sandbox_is_told_of_when_it_begins_and_when_it_expires_or_is_ended() {
    run(async {
        let (stage, mut receiver, worker) = Stage::with_receiver().await;
        let mut staff = stage.caller(Role::Staff, Host::Ops).await;
        for is_ended in [true, false] {
            let id = staff.make("create_sandbox", json!({ "name": "Try" })).await;
            let created = told(&worker, &mut receiver).await;
            assert_eq!(
                (&created["type"], &created["data"]["sandbox_id"]),
                (&json!("sandbox.created"), &id)
            );
            nothing_is_due(&worker).await;
            if is_ended {
                staff.output("end_sandbox", json!({ "id": id })).await;
                // It ends once.
                staff.output("end_sandbox", json!({ "id": id })).await;
            } else {
                stage.clock.advance(DAY);
            }
            let ended = told(&worker, &mut receiver).await;
            assert_eq!(
                (&ended["type"], &ended["data"]["sandbox_id"]),
                (&json!("sandbox.ended"), &id)
            );
            nothing_is_due(&worker).await;
        }
    });
}

#[test]
fn a_spec_run_is_told_of_and_a_preview_is_not() {
    run(async {
        let (stage, mut receiver, worker) = Stage::with_receiver().await;
        let mut staff = stage.caller(Role::Staff, Host::Engineering).await;
        let run = json!({ "title": "Page", "spec": "# Page" });
        let preview = json!({
            "name": "start_spec_run", "arguments": run, "_meta": { "frontdesk/preview": true },
        });
        let preview = staff
            .http
            .rpc(Host::Engineering, "tools/call", preview)
            .await;
        assert_eq!(
            preview.result()["_meta"]["frontdesk/changes"]["webhooks"],
            json!([{ "event": "spec_run.created", "count": 1 }])
        );
        nothing_is_due(&worker).await;
        let id = staff.make("start_spec_run", run).await;
        let told = told(&worker, &mut receiver).await;
        assert_eq!(
            (&told["type"], &told["data"]["spec_run_id"]),
            (&json!("spec_run.created"), &id)
        );
    });
}
