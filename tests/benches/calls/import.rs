//! A desk while 10,000 guests are imported into its event, at the default rate limit.

use std::time::{Duration, Instant};

use frontdesk::import::{Import, Sheet};
use frontdesk_client::{Addresses, Callee, Client, CredentialStore};
use frontdesk_protocol::Host;
use frontdesk_server::server::{DEMO_PASSWORD, DEMO_PUBLIC_KEY};
use tokio::sync::oneshot;

use crate::caller::Caller;
use crate::figures::within;
use crate::say;
use crate::stage::{EVENT, Process, Staff, cluster};

/// The guests of the event before the import.
const GUESTS: u32 = 1000;
/// The imported rows.
const ROWS: usize = 10_000;
/// The default of `--rate-limit`.
const LIMIT: u32 = 100;
/// The accounts of the desks. The limit is for each account.
const DESKS: [&str; 3] = ["staff@demo.test", "teacher@demo.test", "admin@demo.test"];
/// The pause between two arrivals at a desk: 86 a minute.
const ARRIVAL: Duration = Duration::from_millis(700);
/// The time for which the desks are measured alone.
const ALONE: Duration = Duration::from_secs(90);

pub(crate) async fn run() {
    let cluster = cluster();
    let directory = tempfile::tempdir().expect("a directory");
    let embedded = directory.path().join("postgres");
    say(
        "| database | alone: p50 ms | p99 | during the import: p50 ms | p99 | p99, ratio | import |",
    );
    say("|---|---|---|---|---|---|---|");
    for (name, database) in [
        ("PostgreSQL", cluster.address()),
        ("embedded", embedded.display().to_string()),
    ] {
        let server = Process::limited(&database, GUESTS, LIMIT);
        let mut alone = arrivals(&server, tokio::time::sleep(ALONE)).await;
        let (done, imported) = oneshot::channel();
        let url = server.url();
        // The import runs in a separate thread, as it would in another program.
        std::thread::spawn(move || done.send(import(&url)));
        let mut took = Duration::ZERO;
        let until = async { took = imported.await.expect("it is imported") };
        let mut during = arrivals(&server, until).await;
        let ms = |time: Duration| format!("{:.1}", time.as_secs_f64() * 1e3);
        let (usual, then) = (within(&mut alone, 0.99), within(&mut during, 0.99));
        say(&format!(
            "| {name} | {} | {} | {} | {} | {:.2} | {:.0} s |",
            ms(within(&mut alone, 0.5)),
            ms(usual),
            ms(within(&mut during, 0.5)),
            ms(then),
            then.as_secs_f64() / usual.as_secs_f64(),
            took.as_secs_f64(),
        ));
    }
}

/// The times of check-ins at all desks until this ends.
async fn arrivals(server: &Process, end: impl Future<Output = ()>) -> Vec<Duration> {
    let (stop, stopped) = tokio::sync::watch::channel(false);
    let desks = DESKS.iter().enumerate().map(|(at, email)| {
        let stopped = stopped.clone();
        async move {
            let staff = Staff::at(server, email, Host::Events).await;
            let mut caller = Caller::connect(&server.address).await;
            let mut times = Vec::new();
            for number in (at..).step_by(DESKS.len()) {
                tokio::time::sleep(ARRIVAL).await;
                if *stopped.borrow() {
                    break;
                }
                let sent = Instant::now();
                let status = caller.call(&staff.check_in(number, GUESTS)).await;
                times.push(sent.elapsed());
                assert_eq!(status, 200, "{}", caller.answer());
            }
            times
        }
    });
    let end = async {
        end.await;
        stop.send_replace(true);
    };
    let (times, ()) = tokio::join!(futures::future::join_all(desks), end);
    times.concat()
}

/// Imports the guests as the owner. Returns the time it took.
fn import(url: &str) -> Duration {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let rows = (0..ROWS).map(|at| format!("Imported {at},imported{at}@example.org\n"));
    let sheet = format!("name,email\n{}", rows.collect::<String>());
    runtime.block_on(async {
        let addresses = Addresses::new(url).expect("an address");
        let client = Client::new(addresses, CredentialStore::memory()).expect("a client");
        let signed_in = client.sign_in(DEMO_PUBLIC_KEY, "owner@demo.test", DEMO_PASSWORD);
        signed_in.await.expect("signs in");
        let directory = tempfile::tempdir().expect("a directory");
        let sheet = Sheet::of(sheet.as_bytes()).expect("a sheet");
        let callee = Callee::Host(client, Host::Events);
        let begun = Instant::now();
        let import = Import::open(
            callee,
            "create_event_guest",
            sheet,
            directory.path().to_owned(),
        );
        let mut import = import.await.expect("a tool");
        import.set("event_id", EVENT).await.expect("an event");
        import.assign(&[]).expect("columns");
        import.check(None, false, |_| {}).await.expect("rows");
        let done = import.run(false, |_| {}).await.expect("it is imported");
        assert_eq!(done.added, ROWS);
        begun.elapsed()
    })
}
