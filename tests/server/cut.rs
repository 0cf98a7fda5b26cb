//! A connection to PostgreSQL ends in the middle of a transaction.

use frontdesk_tests::Cluster;
use serde_json::json;

use crate::server::stage::{Locked, Staff, is_undone, runtime, serve, superuser, waiting};

/// Ends a session of the server, as an administrator does.
async fn end(superuser: &tokio_postgres::Client, session: i32) {
    superuser
        .execute("select pg_terminate_backend($1)", &[&session])
        .await
        .expect("it is ended");
}

/// The rows in the history that add a guest of this name, and those of them with an entry.
async fn recorded(superuser: &tokio_postgres::Client, name: &str) -> (i64, i64) {
    let sql = "select count(*), count(c.id) from app.changed_rows r left join app.changes c on c.id = r.change_id \
         where r.after::jsonb ->> 'name' = $1";
    let row = superuser.query_one(sql, &[&name]).await;
    let row = row.expect("the history");
    (row.get(0), row.get(1))
}

pub(crate) fn a_connection_that_is_cut_in_a_statement_undoes_it() {
    let cluster = Cluster::start_new();
    runtime().block_on(async {
        // One connection: the next call needs a new one.
        let server = serve(&cluster, 1).await;
        let mut staff = Staff::of(&server.url()).await;
        let mut locked = Locked::guest(&cluster, &mut staff).await;
        let looker = superuser(&cluster).await;
        end(&looker, waiting(&looker, 1, &locked.check_in).await).await;
        is_undone(&locked.answer().await, "cannot be reached");
        locked.give_back(&mut staff).await;
    });
}

pub(crate) fn a_connection_that_is_cut_in_its_commit_leaves_unknown_what_became_of_it() {
    let cluster = Cluster::start_new();
    runtime().block_on(async {
        let server = serve(&cluster, 1).await;
        let mut staff = Staff::of(&server.url()).await;
        let looker = superuser(&cluster).await;
        // A COMMIT that waits while the test holds a lock.
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
        end(&looker, waiting(&looker, 1, &call).await).await;
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
        assert_eq!(recorded(&looker, "Zoltan").await, (0, 0));
        staff.add("Zoltan").await.output();
        assert_eq!(recorded(&looker, "Zoltan").await, (1, 1));
    });
}

pub(crate) fn a_commit_that_its_standby_does_not_confirm_leaves_unknown_what_becomes_of_it() {
    const WAITING: &str = "select pid from pg_stat_activity where wait_event = 'SyncRep'";
    let cluster = Cluster::start_new();
    runtime().block_on(async {
        let server = serve(&cluster, 1).await;
        let mut staff = Staff::of(&server.url()).await;
        let looker = superuser(&cluster).await;
        for wait in [
            "alter system set synchronous_standby_names = 'nobody'",
            "select pg_reload_conf()",
        ] {
            looker.batch_execute(wait).await.expect(wait);
        }
        let mut client = staff.clone();
        let call = tokio::spawn(async move { client.add("Zoltan").await });
        let session: i32 = loop {
            assert!(!call.is_finished(), "the commit waits for its standby");
            let found = looker.query_opt(WAITING, &[]).await;
            if let Some(row) = found.expect("the sessions") {
                break row.get(0);
            }
        };
        looker
            .execute("select pg_cancel_backend($1)", &[&session])
            .await
            .expect("it is cancelled");
        let answer = call.await.expect("an answer");
        assert_eq!(answer.status.as_u16(), 504, "{}", answer.body);
        assert_eq!(answer.refusal(), "outcome_unknown");
        for go_on in [
            "alter system reset synchronous_standby_names",
            "select pg_reload_conf()",
        ] {
            looker.batch_execute(go_on).await.expect(go_on);
        }
        assert_eq!(staff.guests("Zoltan").await.len(), 1, "here it was done");
    });
}

pub(crate) fn a_call_with_a_key_whose_commit_was_cut_can_be_sent_again() {
    let cluster = Cluster::start_new();
    runtime().block_on(async {
        let server = serve(&cluster, 2).await;
        let mut staff = Staff::of(&server.url()).await;
        let params = json!({
            "name": "create_event_guest",
            "arguments": { "event_id": staff.event, "name": "Zoltan" },
            "_meta": { "idempotencyKey": "k" },
        });
        let host = frontdesk_protocol::Host::Events;
        let first = staff.http.rpc(host, "tools/call", params.clone()).await;
        let id = first.output()["guest"]["id"].clone();
        // Every session of the server ends, as if the answer had been lost with the connection.
        superuser(&cluster)
            .await
            .batch_execute(
                "select pg_terminate_backend(pid) from pg_stat_activity \
                 where application_name = 'frontdesk'",
            )
            .await
            .expect("they are ended");
        // One call can meet a broken connection that the server has not noticed.
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
