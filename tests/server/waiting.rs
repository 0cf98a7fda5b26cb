//! Calls that wait for a row that another session has locked: what they read afterwards, and what
//! remains if their client disconnects.

use frontdesk_protocol::{ErrorCode, Host, Role};
use frontdesk_server::database::{Access, Actor, refusal};
use frontdesk_tests::lock::{gone, waiting_for};
use frontdesk_tests::{Organization, run, world};
use serde_json::{Value, json};
use tokio_postgres::types::ToSql;

pub(crate) fn a_call_whose_client_went_away_leaves_no_lock_behind() {
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

pub(crate) fn a_check_in_that_waited_for_another_is_the_second() {
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

pub(crate) fn a_member_who_was_added_while_the_call_waited_is_linked() {
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

/// The statement waits for a lock that is held throughout, so only its cancellation can release the
/// transaction's own lock.
pub(crate) fn a_dropped_statement_ends_on_the_server_too() {
    run(async {
        const LOCK: &str = "select pg_advisory_xact_lock($1)";
        let organization = Organization::create().await;
        let staff = Actor::Caller(organization.user(Role::Staff));
        let (held, wanted) = organization.id.0.as_u64_pair();
        let (held, wanted) = (held.cast_signed(), wanted.cast_signed());
        // Two sessions: if one waited for the other, PostgreSQL would end the deadlock.
        let (owner, holder) = (world().owner().await, world().owner().await);
        holder
            .query("select pg_advisory_lock($1)", &[&wanted])
            .await
            .expect("the lock");

        let mut transaction = world().database().transaction(staff, Access::Write);
        transaction.query(LOCK, &[&held]).await.expect("the lock");
        // Only the cancellation of the statement can end its wait.
        let unbounded = transaction.query("set local lock_timeout = 0", &[]).await;
        unbounded.expect("no bound");
        // A cancellation before the statement has begun has no effect.
        let session = holder.query_one("select pg_backend_pid()", &[]).await;
        let session: i32 = session.expect("a session").get(0);
        let waiting = tokio::spawn(async move { transaction.query(LOCK, &[&wanted]).await });
        waiting_for(&owner, session, &[&waiting]).await;
        waiting.abort();

        owner
            .batch_execute("set lock_timeout = '600s'")
            .await
            .expect("a bound");
        owner
            .query("select pg_advisory_lock($1)", &[&held])
            .await
            .expect("the dropped transaction has let it go");
    });
}

/// Each transaction has checked one guest in and waits for the other's row.
pub(crate) fn a_deadlock_is_told_as_another_change() {
    run(async {
        const CHECK_IN: &str = "update events.guests set check_in_at = now() where id = $1";
        let organization = Organization::create().await;
        let staff = Actor::Caller(organization.user(Role::Staff));
        let event = organization.event("Launch").await;
        let ana: &[&(dyn ToSql + Sync)] = &[&organization.guest(event, "Ana").await.0];
        let bea: &[&(dyn ToSql + Sync)] = &[&organization.guest(event, "Bea").await.0];
        let begin = || world().database().transaction(staff, Access::Write);
        let (mut first, mut second) = (begin(), begin());
        first.query(CHECK_IN, ana).await.expect("a check-in");
        second.query(CHECK_IN, bea).await.expect("a check-in");
        let (first, second) = tokio::join!(first.query(CHECK_IN, bea), second.query(CHECK_IN, ana));
        let refused = [first.err(), second.err()];
        let [deadlock] = &refused.iter().flatten().collect::<Vec<_>>()[..] else {
            panic!("one is refused: {refused:?}");
        };
        let told = refusal(deadlock);
        assert_eq!(told.code, ErrorCode::Unavailable);
        let expected = "another change came in between; nothing was changed";
        assert_eq!(told.message, expected);
    });
}
