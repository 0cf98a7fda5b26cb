//! Calls that their clients cancel while they wait for a row that another session has locked.

use frontdesk_protocol::id::GuestId;
use frontdesk_protocol::{Host, Role};
use frontdesk_server::clock::Clock;
use frontdesk_tests::lock::{answered, gone, waiting_for};
use frontdesk_tests::{Answer, Http, Organization, run, world};
use serde_json::json;
use tokio::task::JoinHandle;
use uuid::Uuid;

const LOCK: &str = "select pg_backend_pid() from events.guests where id = $1 for update";

/// An organisation with a guest of an event, and its staff.
async fn launch() -> (Organization, GuestId, Http) {
    let organization = Organization::create().await;
    let event = organization.event("Launch").await;
    let guest = organization.guest(event, "Ana").await;
    let staff = organization.sign_in(Role::Staff).await;
    (organization, guest, staff)
}

/// Checks a guest in, by a batch, which does not commit with its last statement.
fn check_in(client: &Http, guest: GuestId) -> JoinHandle<Answer> {
    let one = json!({ "tool": "check_in_guest", "arguments": { "id": guest } });
    let batch = json!({ "host": "events", "calls": [one] });
    let mut client = client.clone();
    tokio::spawn(async move { client.call(Host::Ops, "run_batch", batch).await })
}

async fn cancel(client: &mut Http) {
    cancel_at(client, Host::Ops).await;
}

async fn cancel_at(client: &mut Http, host: Host) {
    let cancelled = json!({
        "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 },
    });
    let answer = client.send(host, cancelled.to_string()).await;
    assert_eq!(answer.status.as_u16(), 202);
}

pub(crate) fn a_cancelled_call_changes_nothing_whichever_process_is_told() {
    run(async {
        let (organization, guest, staff) = launch().await;
        let (mut holder, looker) = (world().owner().await, world().owner().await);
        let other = world().server(Clock::system(), 0).await;
        for told in [world().url(), other.url()] {
            let holding = holder.transaction().await.expect("a transaction");
            let lock = holding.query_one(LOCK, &[&guest.0]).await.expect("a lock");
            let mut client = staff.speaking(Host::Ops, "2025-11-25").await;
            let call = check_in(&client, guest);
            let waiting = waiting_for(&looker, lock.get(0), &[&call]).await[0];
            client.move_to(&told);
            cancel(&mut client).await;
            let answer = call.await.expect("an answer");
            let said = &answer.body["error"]["message"];
            assert_eq!(said, "the call was cancelled; nothing was changed");
            gone(&looker, waiting).await;
            holding.commit().await.expect("committed");
            assert_eq!(organization.checked_in_at(guest).await, None);
        }
    });
}

pub(crate) fn a_call_is_cancelled_by_its_own_session_only() {
    run(async {
        let (organization, guest, staff) = launch().await;
        let (mut holder, looker) = (world().owner().await, world().owner().await);
        let holding = holder.transaction().await.expect("a transaction");
        let lock = holding.query_one(LOCK, &[&guest.0]).await.expect("a lock");
        let client = staff.speaking(Host::Ops, "2025-11-25").await;
        let call = check_in(&client, guest);
        waiting_for(&looker, lock.get(0), &[&call]).await;
        // Their requests have the same id.
        let admin = organization.sign_in(Role::Admin).await;
        for other in [staff, admin] {
            cancel(&mut other.speaking(Host::Ops, "2025-11-25").await).await;
        }
        holding.commit().await.expect("committed");
        call.await.expect("an answer").output();
        assert!(organization.checked_in_at(guest).await.is_some());
    });
}

pub(crate) fn what_cancelled_an_earlier_call_does_not_cancel_one_of_the_same_id() {
    run(async {
        let (organization, guest, staff) = launch().await;
        let (mut holder, mut keeper) = (world().owner().await, world().owner().await);
        let looker = world().owner().await;
        let mut client = staff.speaking(Host::Ops, "2025-11-25").await;
        let before = check_in(&client, guest).await.expect("an answer");
        before.output();
        cancel(&mut client).await;
        let undone = json!({ "id": guest, "check_in_at": null });
        organization
            .sign_in(Role::Staff)
            .await
            .call(Host::Events, "update_event_guest", undone)
            .await
            .output();

        let holding = holder.transaction().await.expect("a transaction");
        let lock = holding.query_one(LOCK, &[&guest.0]).await.expect("a lock");
        let call = check_in(&client, guest);
        waiting_for(&looker, lock.get(0), &[&call]).await;
        // It looks whether another process was told to cancel it.
        let keys = keeper.transaction().await.expect("a transaction");
        let lock = "lock table app.idempotency_keys in access exclusive mode";
        keys.batch_execute(lock).await.expect("a lock");
        let keeper = keys.query_one("select pg_backend_pid()", &[]).await;
        let keeper = keeper.expect("a session").get(0);
        let looks = waiting_for(&looker, keeper, &[&call]).await[0];
        keys.commit().await.expect("committed");
        answered(&looker, looks).await;
        holding.commit().await.expect("committed");
        call.await.expect("an answer").output();
    });
}

pub(crate) fn a_write_that_is_being_committed_is_answered_as_if_nothing_had_been_said() {
    run(async {
        let (organization, ..) = launch().await;
        let owner = organization.sign_in(Role::Owner).await;
        let (mut holder, looker) = (world().owner().await, world().owner().await);
        let mut client = owner.speaking(Host::Work, "2025-11-25").await;
        // Each is one statement, which waits for the project and has its commit behind it.
        let writes = [
            ("create_epic", "project_id", json!({ "name": "Roof" })),
            ("update_project", "id", json!({ "name": "House" })),
            ("delete_project", "id", json!({})),
        ];
        for (tool, field, mut arguments) in writes {
            let project = json!({ "name": format!("For {tool}") });
            let project = client.call(Host::Work, "create_project", project).await;
            let id = project.output()["project"]["id"].clone();
            let uuid: Uuid = id.as_str().expect("an id").parse().expect("an id");
            arguments[field] = id;
            let holding = holder.transaction().await.expect("a transaction");
            let lock = "select pg_backend_pid() from work.projects where id = $1 for update";
            let lock = holding.query_one(lock, &[&uuid]).await.expect("a lock");
            let mut caller = client.clone();
            let call = tokio::spawn(async move { caller.call(Host::Work, tool, arguments).await });
            waiting_for(&looker, lock.get(0), &[&call]).await;
            cancel_at(&mut client, Host::Work).await;
            holding.commit().await.expect("committed");
            let answer = call.await.expect("an answer");
            assert!(answer.body["error"].is_null(), "{tool}: {}", answer.body);
            answer.output();
        }
    });
}
