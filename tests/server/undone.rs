//! A connection to PostgreSQL ends in the middle of an undo.

use frontdesk_protocol::Host;
use frontdesk_server::server::DEMO_PASSWORD;
use frontdesk_tests::{Cluster, Http};
use serde_json::{Value, json};

use crate::server::stage::{runtime, serve, superuser, waiting};

/// Tables to which the undo of a program's removal adds rows, and that of its entry.
const TABLES: [&str; 5] = [
    "learn.programs",
    "learn.stages",
    "learn.milestones",
    "learn.stage_dependencies",
    "app.changes",
];

async fn program(owner: &mut Http, id: &Value) -> Value {
    let found = owner.call(Host::Learn, "get_program", json!({ "id": id }));
    found.await.output()["program"].clone()
}

async fn latest(owner: &mut Http) -> Value {
    let listed = owner.call(Host::Ops, "list_changes", json!({ "limit": 1 }));
    listed.await.output()["changes"][0].clone()
}

pub(crate) fn an_undo_that_is_cut_at_any_table_restores_nothing() {
    let cluster = Cluster::start_new();
    runtime().block_on(async {
        let server = serve(&cluster, 2).await;
        let mut owner = Http::sign_in(&server.url(), "owner@demo.test", DEMO_PASSWORD).await;
        let programs = json!({ "search": "Fellowship", "kind": "template" });
        let programs = owner.call(Host::Learn, "list_programs", programs).await;
        let id = programs.output()["programs"][0]["id"].clone();
        let before = program(&mut owner, &id).await;
        let deleted = owner.call(Host::Learn, "delete_program", json!({ "id": id }));
        deleted.await.output();
        let change = latest(&mut owner).await;
        let arguments = json!({ "change_id": change["id"] });

        let looker = superuser(&cluster).await;
        let wait = "create function public.wait() returns trigger language plpgsql as \
             $$ begin perform pg_advisory_xact_lock(1); return new; end $$";
        looker.batch_execute(wait).await.expect("a function");
        for table in TABLES {
            let held = format!(
                "create trigger a_wait before insert on {table} for each row execute function public.wait(); \
                 select pg_advisory_lock(1)"
            );
            looker.batch_execute(&held).await.expect(table);
            let (mut client, arguments) = (owner.clone(), arguments.clone());
            let undo =
                tokio::spawn(async move { client.call(Host::Ops, "undo_change", arguments).await });
            let session = waiting(&looker, 1, &undo).await;
            let end = "select pg_terminate_backend($1)";
            looker.execute(end, &[&session]).await.expect("it is ended");
            let answer = undo.await.expect("an answer");
            assert!(answer.status.is_server_error(), "{table}: {}", answer.body);
            let given_back =
                format!("drop trigger a_wait on {table}; select pg_advisory_unlock(1)");
            looker.batch_execute(&given_back).await.expect(table);
            assert_eq!(program(&mut owner, &id).await, Value::Null, "{table}");
            assert_eq!(latest(&mut owner).await, change, "{table}");
        }
        let undone = owner.call(Host::Ops, "undo_change", arguments);
        undone.await.output();
        assert_eq!(program(&mut owner, &id).await, before);
    });
}
