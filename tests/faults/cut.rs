//! A connection to PostgreSQL ends in the middle of a transaction.

use frontdesk_tests::Cluster;
use serde_json::json;

use crate::stage::{Staff, is_undone, runtime, serve, superuser};

/// What a session of the server waits for.
const WAITING: &str = "select pid from pg_stat_activity \
     where application_name = 'frontdesk' and wait_event_type = 'Lock'";

/// The server's session that waits for a lock.
async fn waiting(looker: &tokio_postgres::Client) -> i32 {
    loop {
        if let Some(row) = looker.query_opt(WAITING, &[]).await.expect("sessions") {
            return row.get(0);
        }
    }
}

#[test]
fn a_connection_that_is_cut_in_a_statement_undoes_it() {
    let Some(cluster) = Cluster::start_new() else {
        return;
    };
    runtime().block_on(async {
        // One connection: the next call needs a new one.
        let server = serve(&cluster, 1).await;
        let mut staff = Staff::of(&server).await;
        let added = staff.add("Zoltan").await;
        let guest = added.output()["guest"]["id"].clone();
        let id: uuid::Uuid = serde_json::from_value(guest.clone()).expect("an id");

        let (mut holder, looker) = (superuser(&cluster).await, superuser(&cluster).await);
        let holding = holder.transaction().await.expect("a transaction");
        let lock = "select from events.guests where id = $1 for update";
        holding.execute(lock, &[&id]).await.expect("a lock");
        let mut client = staff.clone();
        let to = guest.clone();
        let call = tokio::spawn(async move { client.check_in(&to).await });
        let session = waiting(&looker).await;
        looker
            .execute("select pg_terminate_backend($1)", &[&session])
            .await
            .expect("it is ended");
        is_undone(&call.await.expect("an answer"), "cannot be reached");

        holding.commit().await.expect("committed");
        let again = staff.check_in(&guest).await;
        assert_eq!(again.output()["already_checked_in"], false);
    });
}

#[test]
fn a_connection_that_is_cut_in_its_commit_leaves_unknown_what_became_of_it() {
    let Some(cluster) = Cluster::start_new() else {
        return;
    };
    runtime().block_on(async {
        let server = serve(&cluster, 1).await;
        let mut staff = Staff::of(&server).await;
        let looker = superuser(&cluster).await;
        // A COMMIT that takes as long as somebody holds a lock.
        looker
            .batch_execute(
                "create function public.wait() returns trigger language plpgsql as \
                   $$ begin perform pg_advisory_xact_lock(1); return null; end $$; \
                 create constraint trigger wait after insert on events.guests \
                   deferrable initially deferred for each row execute function public.wait(); \
                 select pg_advisory_lock(1)",
            )
            .await
            .expect("a trigger");

        let mut client = staff.clone();
        let call = tokio::spawn(async move { client.add("Zoltan").await });
        let session = waiting(&looker).await;
        looker
            .execute("select pg_terminate_backend($1)", &[&session])
            .await
            .expect("it is ended");
        let answer = call.await.expect("an answer");
        assert_eq!(answer.status.as_u16(), 504, "{}", answer.body);
        assert_eq!(answer.refusal(), "outcome_unknown");
        assert_eq!(answer.rpc_code(), -32054);
        assert_eq!(answer.header("retry-after"), "");

        looker
            .batch_execute("select pg_advisory_unlock(1)")
            .await
            .expect("unlocked");
        assert_eq!(staff.guests("Zoltan").await.len(), 0, "here it was undone");
        staff.add("Zoltan").await.output();
    });
}

#[test]
fn a_call_with_a_key_whose_commit_was_cut_can_be_sent_again() {
    let Some(cluster) = Cluster::start_new() else {
        return;
    };
    runtime().block_on(async {
        let server = serve(&cluster, 2).await;
        let mut staff = Staff::of(&server).await;
        let params = json!({
            "name": "create_event_guest",
            "arguments": { "event_id": staff.event, "name": "Zoltan" },
            "_meta": { "idempotencyKey": "k" },
        });
        let host = frontdesk_protocol::Host::Events;
        let first = staff.http.rpc(host, "tools/call", params.clone()).await;
        let id = first.output()["guest"]["id"].clone();
        // As if its answer had been lost with the connection: every session of the server ends.
        superuser(&cluster)
            .await
            .batch_execute(
                "select pg_terminate_backend(pid) from pg_stat_activity \
                 where application_name = 'frontdesk'",
            )
            .await
            .expect("they are ended");
        // A connection whose end was not noticed yet may be met once.
        let mut again = staff.http.rpc(host, "tools/call", params.clone()).await;
        for _ in 0..2 {
            if again.status.as_u16() == 503 {
                again = staff.http.rpc(host, "tools/call", params.clone()).await;
            }
        }
        assert_eq!(again.output()["guest"]["id"], id);
        assert_eq!(staff.guests("Zoltan").await, [id]);
    });
}
