//! The list of series at size: one statement, by its indexes, and row-level security all the same.
//!
//! What is explained is what the tool itself has prepared, as a caller and under every policy. To
//! measure it, and to see its plan:
//!
//! ```text
//! tests/with-postgres cargo test --workspace --test suite -- --ignored --nocapture database::series
//! ```

use std::sync::LazyLock;
use std::time::Instant;

use frontdesk_protocol::Host;
use frontdesk_protocol::id::OrganizationId;
use frontdesk_tests::{Organization, World, run, world};
use serde_json::{Value, json};

use crate::database::session::{Session, nodes};

/// Lists, and asks PostgreSQL how it did, or would with this `plan_cache_mode`.
async fn explain(session: &mut Session, call: &Call, options: &str, mode: &str) -> Vec<Value> {
    list(session, call).await;
    let condition = format!(
        "statement like 'select t.*, n.*%' and (statement like '%json_agg%') = {}",
        call.lists_occurrences()
    );
    session
        .explain(&condition, call.parameters, options, mode)
        .await
}

async fn list(session: &mut Session, call: &Call) -> Value {
    let answer = session
        .http
        .call(Host::Work, "list_meeting_series", call.arguments.clone());
    answer.await.output().clone()
}

/// A call, and its values as they are parameters of its statement.
struct Call {
    says: &'static str,
    arguments: Value,
    parameters: &'static str,
}

impl Call {
    /// Whether it stops early: further on and in a search, collecting the organisation's series and
    /// sorting them may be cheaper than going through them in order.
    fn is_first_page(&self) -> bool {
        self.parameters == "100, 0"
    }

    fn lists_occurrences(&self) -> bool {
        self.arguments["include_occurrences"] == true
    }
}

fn calls() -> [Call; 4] {
    [
        Call {
            says: "the first 100 series",
            arguments: json!({}),
            parameters: "100, 0",
        },
        Call {
            says: "the first 100 series with their occurrences",
            arguments: json!({ "include_occurrences": true }),
            parameters: "100, 0",
        },
        Call {
            says: "500 series from the 501st on, with their occurrences",
            arguments: json!({ "include_occurrences": true, "limit": 500, "offset": 500 }),
            parameters: "500, 500",
        },
        Call {
            says: "the 11 series with a word in their title",
            arguments: json!({ "title_contains": "number 77", "include_occurrences": true }),
            parameters: "'number 77', 100, 0",
        },
    ]
}

/// Creates this many series with this many occurrences each, every second one with a transcript.
async fn fill(organization: OrganizationId, series: i32, occurrences: i32, transcript: i32) {
    // The embedded database has one session: other tests get their turn in between.
    for first in (1..=series).step_by(250) {
        let last = (first + 249).min(series);
        let owner = world().owner().await;
        owner
            .execute(
                "insert into work.meetings \
                   (organization_id, title, is_recurring, recurrence_day_of_week, created_at) \
                 select $1, 'Series number ' || n, true, 'monday', \
                   timestamptz '2020-01-01' + n * interval '1 hour' \
                 from generate_series($2::integer, $3::integer) n",
                &[&organization.0, &first, &last],
            )
            .await
            .expect("series");
        owner
            .execute(
                "insert into work.meeting_occurrences \
                   (organization_id, meeting_id, occurrence_date, status, transcript, \
                    transcriber_transcript_id) \
                 select organization_id, id, date '2026-03-02' - n * 7, 'held', \
                   case when n % 2 = 0 then repeat(md5(id::text || n), $3) end, \
                   case when n % 2 = 0 then id || '/' || n end \
                 from work.meetings, generate_series(1, $2) n \
                 where organization_id = $1 \
                   and not exists (select from work.meeting_occurrences o where o.meeting_id = meetings.id)",
                &[&organization.0, &occurrences, &transcript],
            )
            .await
            .expect("occurrences");
    }
    world()
        .owner()
        .await
        .batch_execute("vacuum (analyze) work.meetings, work.meeting_occurrences")
        .await
        .expect("statistics");
}

#[test]
fn the_list_of_series_is_one_statement_that_goes_by_its_indexes() {
    // Data of other tests would be in the statistics: hundreds of organisations with a handful of meetings, which
    // PostgreSQL prefers to sort.
    static APART: LazyLock<World> = LazyLock::new(World::separate);
    APART.run(async {
        let organization = Organization::create().await;
        fill(organization.id, 1_000, 6, 1).await;
        for _ in 0..5 {
            fill(Organization::create().await.id, 500, 6, 1).await;
        }
        let mut session = Session::of(&organization).await;
        for call in &calls() {
            // Planned for these values, and for any.
            for mode in ["force_custom_plan", "force_generic_plan"] {
                let plan = Value::Array(explain(&mut session, call, "format json", mode).await);
                let says = format!("{} ({mode}): {plan:#}", call.says);
                let mut used = Vec::new();
                nodes(&plan, &mut |node| {
                    let kind = node["Node Type"].as_str().expect("a kind");
                    assert!(!kind.contains("Seq Scan"), "{says}");
                    assert!(!(kind.contains("Sort") && call.is_first_page()), "{says}");
                    used.extend(node["Index Name"].as_str().map(str::to_owned));
                });
                used.sort();
                assert_eq!(used.len(), 3, "{says}");
                assert_eq!(used[0], "meeting_occurrences_listed_idx", "{says}");
                if call.is_first_page() {
                    assert_eq!(used[1], "meetings_series_idx", "{says}");
                }
                // Their time zone.
                assert_eq!(used[2], "organizations_pkey", "{says}");
                // A policy's check of the caller runs once, not for each row.
                assert!(!plan.to_string().contains("current_setting"), "{says}");
            }
        }
    });
}

#[test]
#[ignore = "measures: see the head of this file"]
#[allow(clippy::print_stdout)]
fn series_at_size_measured() {
    if !frontdesk_tests::is_asked_for() {
        return;
    }
    run(async {
        let organization = Organization::create().await;
        fill(organization.id, 2_000, 60, 200).await;
        fill(Organization::create().await.id, 2_000, 60, 200).await;
        let mut session = Session::of(&organization).await;
        for call in &calls() {
            let mut took = Vec::new();
            let mut bytes = 0;
            for _ in 0..51 {
                let start = Instant::now();
                let answer = list(&mut session, call).await;
                took.push(start.elapsed());
                bytes = answer.to_string().len();
            }
            took.sort();
            let at = |percent: usize| took[(took.len() - 1) * percent / 100];
            println!(
                "\n## {}: {bytes} bytes; over HTTP p50 {:.1?}, p95 {:.1?}\n",
                call.says,
                at(50),
                at(95)
            );
            let plan = explain(&mut session, call, "analyze, buffers, costs off", "auto").await;
            for line in plan {
                println!("{}", line.as_str().unwrap_or_default());
            }
        }
    });
}
