//! What the history costs: a check-in with and without it, interleaved in one run, and the bytes of an entry.

use std::collections::BTreeMap;
use std::time::Duration;

use frontdesk_protocol::Host;
use frontdesk_server::database::Database;
use frontdesk_tests::Cluster;
use serde_json::{Value, json};

use crate::caller::Caller;
use crate::figures::{Figures, micros};
use crate::machine::{Children, describe, processor};
use crate::stage::{EVENT, Process, Staff, cluster};
use crate::{Options, say};

/// Enough for every check-in to be a guest's first: another one changes nothing.
const GUESTS: u32 = 60_000;
const WARM_UP: usize = 500;
/// A global admin, who removes series.
const OWNER: &str = "owner@demo.test";

/// A server, and the number of guests that it has checked in.
struct Target<'a> {
    name: &'static str,
    process: Process,
    cluster: Option<&'a Cluster>,
    staff: Staff,
    caller: Caller,
    arrived: usize,
}

impl Target<'_> {
    async fn check_in(&mut self) -> Duration {
        let request = self.staff.check_in(self.arrived, GUESTS);
        self.arrived += 1;
        let began = std::time::Instant::now();
        assert_eq!(self.caller.call(&request).await, 200);
        began.elapsed()
    }
}

pub(crate) async fn run(options: &Options) {
    let (with, without) = (cluster(), cluster());
    let mut targets = Vec::new();
    for (name, database, cluster, keep) in [
        (
            "PostgreSQL, without",
            without.address(),
            Some(&without),
            false,
        ),
        ("PostgreSQL, with", with.address(), Some(&with), true),
        ("embedded, without", "memory".to_owned(), None, false),
        ("embedded, with", "memory".to_owned(), None, true),
    ] {
        let process = Process::recording(&database, GUESTS, keep);
        let staff = Staff::sign_in(&process).await;
        let mut target = Target {
            name,
            caller: Caller::connect(&process.address).await,
            process,
            cluster,
            staff,
            arrived: 0,
        };
        for _ in 0..WARM_UP {
            target.check_in().await;
        }
        targets.push(target);
    }
    let mut all: BTreeMap<usize, Figures> = BTreeMap::new();
    for _ in 0..options.rounds {
        for (which, target) in targets.iter_mut().enumerate() {
            // The server closes idle connections.
            target.caller = Caller::connect(&target.process.address).await;
            target.check_in().await;
            let own = processor(target.process.id());
            let database = target
                .cluster
                .map(|cluster| Children::of(cluster.process()));
            let mut times = Vec::new();
            let mut took = Duration::ZERO;
            while took < options.seconds {
                let time = target.check_in().await;
                took += time;
                times.push(time);
            }
            let own = processor(target.process.id()).saturating_sub(own);
            let spent = vec![own, database.map_or(Duration::ZERO, Children::spent)];
            all.entry(which).or_default().add(times, took, spent);
        }
    }
    say(&describe());
    say("\n| check-in | calls/s | p50 µs | p99 µs | CPU µs a call: server | database |");
    say("|---|---|---|---|---|---|");
    for (which, figures) in &all {
        let parts: Vec<String> = figures.processor().into_iter().map(micros).collect();
        say(&format!(
            "| {} | {:.0} | {} | {} | {} |",
            targets[*which].name,
            figures.rate(),
            micros(figures.within(0.5)),
            micros(figures.within(0.99)),
            parts.join(" | "),
        ));
    }
    for (engine, which) in [("PostgreSQL", 0), ("embedded", 2)] {
        let [without, with] = [which, which + 1].map(|which| &all[&which]);
        let middle = with.within(0.5).as_secs_f64() / without.within(0.5).as_secs_f64();
        let rate = without.rate() / with.rate();
        say(&format!(
            "\n{engine}: {middle:.2} times at the median, {rate:.2} times on average"
        ));
    }
    drop(targets);
    bytes(&with).await;
}

/// The bytes of an entry, with its indexes.
async fn bytes(cluster: &Cluster) {
    let server = Process::recording(&cluster.address(), 0, true);
    let mut staff = Staff::sign_in(&server).await;
    let mut owner = Staff::at(&server, OWNER, Host::Work).await;
    let location = cluster.address().parse().expect("an address");
    let database = Database::open(&location, 1).await.expect("a database");
    let database = database.owner().await.expect("the owner");
    let entries = async || -> (i64, i64) {
        let sql = "select (select count(*) from app.changes), \
             (select sum(pg_total_relation_size(i.inhrelid))::bigint from pg_inherits i \
              where i.inhparent in ('app.changes'::regclass, 'app.changed_rows'::regclass))";
        let row = database.query_one(sql, &[]).await.expect("sizes");
        (row.get(0), row.get(1))
    };
    let mut before = entries().await;
    say("\n| entry of | bytes, with its indexes |\n|---|---|");
    let mut report = async |what: &str| {
        let now = entries().await;
        say(&format!(
            "| {what} | {} |",
            (now.1 - before.1) / (now.0 - before.0).max(1)
        ));
        before = now;
    };
    for number in 0..2000 {
        let id = format!("00000000-0000-4000-8000-{:012}", GUESTS - number);
        call(
            &mut staff,
            Host::Events,
            "check_in_guest",
            json!({ "id": id }),
        )
        .await;
    }
    report("a check-in").await;
    for number in 1..=2000 {
        let id = format!("00000000-0000-4000-8000-{number:012}");
        let update = json!({
            "id": id, "name": format!("Renamed {number}"), "phone_number": "+55 11 5555 0100", "role": "speaker",
        });
        call(&mut staff, Host::Events, "update_event_guest", update).await;
    }
    report("an update of three fields of a guest").await;
    for _ in 0..20 {
        let sql = "with s as (insert into work.meetings (organization_id, title, is_recurring, recurrence_start_time) \
               select organization_id, 'Weekly', true, '10:00' from events.events where id = $1::text::uuid \
               returning id, organization_id), \
             o as (insert into work.meeting_occurrences (organization_id, meeting_id, occurrence_date, status, transcript, transcriber_transcript_id) \
               select s.organization_id, s.id, date '2026-01-05' + 7 * n, 'held', 'What was said', gen_random_uuid()::text \
               from s, generate_series(1, 60) n) \
             select id from s";
        let series: uuid::Uuid = database
            .query_one(sql, &[&EVENT])
            .await
            .expect("a series")
            .get(0);
        let removal = json!({ "series_meeting_id": series });
        call(&mut owner, Host::Work, "remove_meeting_series", removal).await;
    }
    report("the removal of a series of 60 occurrences").await;
}

async fn call(staff: &mut Staff, host: Host, tool: &str, arguments: Value) {
    let answer = staff.http.call(host, tool, arguments).await;
    assert_eq!(answer.result()["isError"], false, "{}", answer.body);
}
