//! The server process is killed between two statements of a write.

use frontdesk_protocol::Host;
use frontdesk_server::server::DEMO_PASSWORD;
use frontdesk_tests::{Cluster, Http, Process, Relay};
use serde_json::json;
use tokio_postgres::Client;
use uuid::Uuid;

use crate::server::stage::{runtime, superuser};

/// The tables with rows of a program.
const TABLES: [(&str, &str); 4] = [
    ("learn.programs", "id = $1"),
    ("learn.stages", "program_id = $1"),
    (
        "learn.milestones",
        "stage_id in (select s.id from learn.stages s where s.program_id = $1)",
    ),
    ("learn.stage_dependencies", "program_id = $1"),
];
/// More statements than the write has.
const MOST: usize = 40;

/// The number of rows of a program in each table, and that of deleted ones in the history.
async fn rows(looker: &Client, program: Uuid) -> [[i64; 2]; TABLES.len()] {
    let mut rows = [[0; 2]; TABLES.len()];
    for (at, (table, condition)) in TABLES.into_iter().enumerate() {
        let sql = format!(
            "select (select count(*) from {table} where {condition}), \
               (select count(*) from app.changed_rows r join app.changes c on c.id = r.change_id \
                where r.table_name = '{table}' and r.operation = 'delete')"
        );
        let counts = looker.query_one(&sql, &[&program]).await.expect(table);
        rows[at] = [counts.get(0), counts.get(1)];
    }
    rows
}

/// Waits until no session of the servers is left.
async fn nobody(looker: &Client) {
    let sessions = "select count(*) from pg_stat_activity where application_name = 'frontdesk'";
    while (looker.query_one(sessions, &[]).await)
        .expect("sessions")
        .get::<_, i64>(0)
        > 0
    {}
}

pub(crate) fn a_write_whose_server_is_killed_after_any_statement_is_done_completely_or_not_at_all()
{
    let cluster = Cluster::start_new();
    runtime().block_on(async {
        let looker = superuser(&cluster).await;
        let relay = Relay::start(&cluster).await;
        let mut killed = 0;
        for statements in 0..MOST {
            let server = Process::demo(relay.address());
            let mut owner = Http::sign_in(&server.url, "owner@demo.test", DEMO_PASSWORD).await;
            let templates = json!({ "search": "Fellowship", "kind": "template" });
            let templates = owner.call(Host::Learn, "list_programs", templates).await;
            let id = templates.output()["programs"][0]["id"].clone();
            let program: Uuid = serde_json::from_value(id.clone()).expect("an id");
            let before = rows(&looker, program).await;
            let done = before.map(|[there, _]| [0, there]);
            assert!(before.iter().all(|[there, deleted]| *there > 0 && *deleted == 0));

            relay.hold(program.to_string().as_bytes(), statements);
            let delete = owner.call(Host::Learn, "delete_program", json!({ "id": id }));
            // Its connection stays open until the server is dead.
            let mut delete = std::pin::pin!(delete);
            tokio::select! {
                () = relay.held() => {}
                answer = &mut delete => panic!("answered after {statements} statements: {}", answer.body),
            }
            server.kill();
            nobody(&looker).await;
            killed += 1;
            let after = rows(&looker, program).await;
            if after != before {
                assert_eq!(after, done, "killed after {statements} statements");
                break;
            }
        }
        // The deletion, the entry in the history, and the commit.
        assert!((3..MOST).contains(&killed), "{killed} times");
    });
}
