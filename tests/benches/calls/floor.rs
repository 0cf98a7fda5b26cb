//! The floor: the statements of our tools, run by pgbench as the same role under the same policies,
//! prepared and in one pipeline a transaction.

use std::fs::{read_dir, read_to_string, remove_file, write};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use frontdesk_protocol::id::UserId;
use frontdesk_server::database::{Access, Actor, Database, Location};
use frontdesk_server::server::{Server, Settings};
use frontdesk_tests::Cluster;
use serde_json::json;

use crate::stage::{EVENT, STAFF, Staff};

/// How the server's own sessions have their statements planned.
const PLANNED: &str = "-c plan_cache_mode=force_generic_plan -c max_parallel_workers_per_gather=0";

/// What pgbench is to do.
#[derive(Debug)]
pub(crate) struct Script {
    file: PathBuf,
}

/// The scripts for the list and for the check-in of one of so many guests, from the statements that the
/// tools themselves prepare.
pub(crate) async fn scripts(cluster: &Cluster, staff: &Staff, guests: u32) -> [Script; 2] {
    let location: Location = cluster.address().parse().expect("an address");
    let database = Database::open(&location, 1).await.expect("a database");
    let settings = Settings {
        calls_per_minute: 0,
        ..Settings::local(Location::Memory)
    };
    let server = Server::over(database.clone(), settings).await;
    let server = server.expect("it starts");
    let mut here = staff.http.at(&server.url());
    here.events(
        "list_event_guests",
        json!({ "event_id": EVENT, "limit": 20 }),
    )
    .await
    .output();
    let first = "00000000-0000-4000-8000-000000000001";
    here.events("check_in_guest", json!({ "id": first }))
        .await
        .output();

    let owner = database.owner().await.expect("the owner");
    let user = "select id from auth.users where email = $1";
    let user: uuid::Uuid = owner
        .query_one(user, &[&STAFF])
        .await
        .expect("staff")
        .get(0);
    let mut transaction = database.transaction(Actor::Caller(UserId(user)), Access::Read);
    let prepared = transaction
        .query(
            "select statement from pg_prepared_statements where statement like '%events.guests%' \
             and statement not like '%pg_prepared_statements%' \
             order by statement like '%for update%'",
            &[],
        )
        .await
        .expect("what is prepared");
    let [list, check_in] = prepared.as_slice() else {
        panic!("{} statements", prepared.len());
    };
    let list = list
        .get::<_, String>(0)
        .replace("$1", &format!("'{EVENT}'"))
        .replace("$2", ":limit")
        .replace("$3", ":offset");
    let check_in = check_in
        .get::<_, String>(0)
        .replace(
            "$1",
            "('00000000-0000-4000-8000-' || lpad(:guest::text, 12, '0'))::uuid",
        )
        .replace("$2", "null");
    let script = |name: &str, variables: &str, begin: &str, statement: &str| {
        let file = cluster.directory().join(name);
        let text = format!(
            "{variables}\\startpipeline\n{begin};\n\
             set local role authenticated;\n\
             select app.enter('{user}');\n\
             {statement};\ncommit;\n\\endpipeline\n"
        );
        write(&file, text).expect("a file");
        Script { file }
    };
    let page = "\\set limit 20\n\\set offset 0\n";
    let guest = format!("\\set guest random(1, {guests})\n");
    [
        script("list.sql", page, "begin read only", &list),
        script("check_in.sql", &guest, "begin", &check_in),
    ]
}

impl Script {
    /// Runs it over so many connections for so long: how long each transaction took, and all of it.
    pub(crate) fn run(
        &self,
        cluster: &Cluster,
        connections: usize,
        seconds: Duration,
    ) -> (Vec<Duration>, Duration) {
        let seconds = seconds.as_secs();
        let log = cluster.directory().join("log");
        std::fs::create_dir_all(&log).expect("a directory");
        std::os::unix::fs::chown(&log, owner_of(cluster), None).expect("an owner");
        let run = cluster
            .program("pgbench")
            .arg("--host")
            .arg(cluster.directory())
            .env("PGOPTIONS", PLANNED)
            .args(["--username=postgres", "--no-vacuum", "--protocol=prepared"])
            .args(["--log", "--log-prefix"])
            .arg(log.join("times"))
            .arg(format!("--client={connections}"))
            .arg(format!("--time={seconds}"))
            .arg(format!("--file={}", self.file.display()))
            .arg("postgres")
            .stderr(Stdio::piped())
            .output()
            .expect("pgbench runs");
        assert!(
            run.status.success(),
            "{}",
            String::from_utf8_lossy(&run.stderr)
        );
        let mut times = Vec::new();
        for file in read_dir(&log)
            .expect("a directory")
            .map(|file| file.expect("a file"))
        {
            for line in read_to_string(file.path()).expect("a log").lines() {
                // client_id transaction_no time script_no time_epoch time_us
                let time = line.split(' ').nth(2).and_then(|time| time.parse().ok());
                times.push(Duration::from_micros(time.expect("a time")));
            }
            remove_file(file.path()).expect("it is gone");
        }
        (times, Duration::from_secs(seconds))
    }
}

/// Who runs the cluster's programs: the owner of its data.
fn owner_of(cluster: &Cluster) -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    let data = std::fs::metadata(cluster.directory().join("data"));
    Some(data.expect("the data").uid())
}
