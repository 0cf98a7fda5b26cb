//! What a call leaves behind when its client goes away, and what it sees when it had to wait.
//! Only with many sessions can a call wait for what another holds.

use frontdesk_protocol::Host;
use frontdesk_protocol::Role;
use frontdesk_tests::lock::{gone, waiting_for};
use frontdesk_tests::{Organization, run, world};
use serde_json::{Value, json};

#[test]
fn a_call_whose_client_went_away_leaves_no_lock_behind() {
    if !world().has_many_sessions("a_call_whose_client_went_away_leaves_no_lock_behind") {
        return;
    }
    run(async {
        let organization = Organization::create().await;
        let event = organization.event("Launch").await;
        let guest = organization.guest(event, "Ana").await;
        let mut staff = organization.sign_in(Role::Staff).await;
        staff.session(Host::Events).await;
        let (mut holder, looker) = (world().owner().await, world().owner().await);
        let holding = holder.transaction().await.expect("a transaction");
        let statement = "select pg_backend_pid() from events.guests where id = $1 for update";
        let session = holding
            .query_one(statement, &[&guest.0])
            .await
            .expect("a lock")
            .get(0);

        let mut client = staff.clone();
        let arguments = json!({ "id": guest });
        let call = tokio::spawn(async move { client.events("check_in_guest", arguments).await });
        let waiting = waiting_for(&looker, session, &[&call]).await[0];
        call.abort();
        gone(&looker, waiting).await;

        holding.commit().await.expect("committed");
        assert_eq!(
            organization.checked_in_at(guest).await,
            None,
            "the call was cancelled"
        );
        let again = staff.events("check_in_guest", json!({ "id": guest })).await;
        assert_eq!(again.output()["already_checked_in"], false);
    });
}

#[test]
fn a_check_in_that_waited_for_another_is_the_second() {
    if !world().has_many_sessions("a_check_in_that_waited_for_another_is_the_second") {
        return;
    }
    run(async {
        let organization = Organization::create().await;
        let event = organization.event("Launch").await;
        let guest = organization.guest(event, "Ana").await;
        let mut staff = organization.sign_in(Role::Staff).await;
        let (mut holder, looker) = (world().owner().await, world().owner().await);
        let holding = holder.transaction().await.expect("a transaction");
        let statement = "update events.guests set check_in_at = '2026-03-12 10:05Z' where id = $1 \
             returning pg_backend_pid()";
        let session = holding
            .query_one(statement, &[&guest.0])
            .await
            .expect("a lock")
            .get(0);

        let arguments = json!({ "id": guest });
        let call = tokio::spawn(async move { staff.events("check_in_guest", arguments).await });
        waiting_for(&looker, session, &[&call]).await;
        holding.commit().await.expect("committed");
        let answer = call.await.expect("an answer");
        assert_eq!(answer.output()["already_checked_in"], true);
        assert_eq!(
            answer.output()["guest"]["check_in_at"],
            "2026-03-12T10:05:00+00:00"
        );
    });
}

#[test]
fn a_member_who_was_added_while_the_call_waited_is_linked() {
    if !world().has_many_sessions("a_member_who_was_added_while_the_call_waited_is_linked") {
        return;
    }
    run(async {
        let organization = Organization::create().await;
        let event = organization.event("Launch").await;
        let mut staff = organization.sign_in(Role::Staff).await;
        let (mut holder, looker) = (world().owner().await, world().owner().await);
        for (chat_id, backfilled) in [(Some("own"), false), (None, true)] {
            let holding = holder.transaction().await.expect("a transaction");
            let statement = "insert into events.guests (organization_id, event_id, name, member_id, chat_id) \
                 values ($1, $2, 'Ana', $3, $4) returning pg_backend_pid()";
            let given: [&(dyn tokio_postgres::types::ToSql + Sync); 4] = [
                &organization.id.0,
                &event.0,
                &organization.fellow.0,
                &chat_id,
            ];
            let session = holding
                .query_one(statement, &given)
                .await
                .expect("a guest")
                .get(0);

            let arguments =
                json!({ "event_id": event, "name": "Ana M.", "member_id": organization.fellow });
            let mut client = staff.clone();
            let call =
                tokio::spawn(async move { client.events("add_event_guest", arguments).await });
            waiting_for(&looker, session, &[&call]).await;
            holding.commit().await.expect("committed");
            let answer = call.await.expect("an answer");
            let added = answer.output();
            assert_eq!(added["linked"], true);
            assert_eq!(added["chat_backfilled"], backfilled);
            assert_eq!(added["guest"]["chat_id"], chat_id.unwrap_or("chat-fellow"));

            let id = added["guest"]["id"].clone();
            let free = json!({ "id": id, "member_id": Value::Null });
            staff.events("update_event_guest", free).await.output();
        }
    });
}
