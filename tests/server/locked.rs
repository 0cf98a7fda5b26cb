//! Another session holds a lock for longer than a call waits.

use std::time::Duration;

use frontdesk_protocol::Host;
use frontdesk_server::server::{DEMO_PASSWORD, Limits};
use frontdesk_tests::world::PATIENT;
use frontdesk_tests::{Cluster, Http};
use serde_json::json;
use tokio::task::JoinSet;
use tokio_postgres::Client;

use crate::server::stage::{Locked, Staff, is_undone, runtime, serve_within, superuser, waiting};

/// Calls wait this many seconds for a lock.
fn limits(lock: u64) -> Limits {
    Limits {
        lock: Duration::from_secs(lock),
        ..PATIENT
    }
}

pub(crate) fn a_lock_that_is_not_given_back_in_time_is_told_and_others_are_served() {
    let cluster = Cluster::start_new();
    runtime().block_on(async {
        // Within this time, others are served.
        let server = serve_within(&cluster, 2, limits(5)).await;
        let mut staff = Staff::of(&server.url()).await;
        let mut locked = Locked::guest(&cluster, &mut staff).await;
        let mut others = 0;
        while !locked.check_in.is_finished() {
            assert_eq!(staff.guests("Zoltan").await.len(), 1);
            others += 1;
        }
        assert!(others > 1, "others are served meanwhile");
        is_undone(&locked.answer().await, "another change of the same record");
        locked.give_back(&mut staff).await;
    });
}

pub(crate) fn writes_that_wait_for_a_locked_row_leave_connections_to_reads() {
    const CONNECTIONS: usize = 4;
    let cluster = Cluster::start_new();
    runtime().block_on(async {
        // Within this time, the reads are answered.
        let server = serve_within(&cluster, CONNECTIONS, limits(20)).await;
        let mut staff = Staff::of(&server.url()).await;
        let mut locked = Locked::guest(&cluster, &mut staff).await;
        let looker = superuser(&cluster).await;
        waiting(&looker, 1, &locked.check_in).await;
        let mut writes = JoinSet::new();
        for _ in 1..3 * CONNECTIONS {
            let (mut client, guest) = (staff.clone(), locked.guest.clone());
            writes.spawn(async move { client.check_in(&guest).await });
        }
        waiting(&looker, CONNECTIONS - 1, &locked.check_in).await;
        let mut reads = JoinSet::new();
        for _ in 0..20 {
            let mut reader = staff.clone();
            reads.spawn(async move { reader.guests("Zoltan").await });
        }
        reads.join_next().await.expect("a read").expect("an answer");
        assert!(!locked.check_in.is_finished(), "reads do not wait for it");
        for found in reads.join_all().await {
            assert_eq!(found.len(), 1);
        }
        for answer in writes.join_all().await {
            is_undone(&answer, "nothing was changed");
        }
        is_undone(&locked.answer().await, "nothing was changed");
        locked.give_back(&mut staff).await;
    });
}

pub(crate) fn a_locked_table_takes_one_source_of_a_weekly_update_at_most() {
    let cluster = Cluster::start_new();
    runtime().block_on(async {
        let server = serve_within(&cluster, 4, limits(1)).await;
        let mut owner = Http::sign_in(&server.url(), "owner@demo.test", DEMO_PASSWORD).await;
        let members = owner.call(Host::Learn, "list_members", json!({})).await;
        let member = members.output()["members"][0]["id"].clone();
        let task = json!({
            "name": "Map", "stage_id": "spec", "context": {}, "owner_id": member, "status": "in_progress",
        });
        owner.call(Host::Work, "create_task", task).await.output();
        let mut holder = superuser(&cluster).await;
        for (table, broken) in [
            ("engineering.repositories", None),
            ("work.task_numbers", None),
            ("engineering.pull_requests", Some("pull_requests")),
            ("work.task_status_changes", Some("tasks_completed")),
            ("work.transcript_segments", Some("daily_lines")),
            ("plans.plan_status_changes", Some("plans")),
        ] {
            let locked = holder.transaction().await.expect("a transaction");
            let lock = format!("lock table {table} in access exclusive mode");
            locked.batch_execute(&lock).await.expect("a lock");
            let asked = json!({ "member_id": member });
            let updates = owner.call(Host::Work, "get_weekly_updates", asked).await;
            locked.rollback().await.expect("given back");
            let updates = updates.output();
            let unavailable = SOURCES.into_iter();
            let unavailable = unavailable.filter(|source| updates[source]["unavailable"] == true);
            let unavailable: Vec<_> = unavailable.collect();
            assert_eq!(unavailable, broken.into_iter().collect::<Vec<_>>(), "{table}");
            let text = updates["daily_text"].as_str().expect("a text");
            assert!(text.contains("- Map\n"), "{table}: {text}");
        }
    });
}

pub(crate) fn a_listener_whose_reading_waits_for_a_lock_does_not_hold_up_others() {
    let cluster = Cluster::start_new();
    runtime().block_on(async {
        let server = serve_within(&cluster, 4, limits(20)).await;
        let staff = Staff::of(&server.url()).await;
        let event = staff.event.as_str().expect("an id");
        let mut owner = Http::sign_in(&server.url(), "owner@demo.test", DEMO_PASSWORD).await;
        let made = owner.call(Host::Work, "create_project", json!({ "name": "House" }));
        let project = made.await.output()["project"]["id"].clone();
        let listened = [
            (Host::Events, format!("frontdesk://events/event/{event}")),
            (
                Host::Work,
                format!(
                    "frontdesk://work/project/{}",
                    project.as_str().expect("an id")
                ),
            ),
        ];
        let mut streams = Vec::new();
        let mut holder = superuser(&cluster).await;
        let locked = holder.transaction().await.expect("a transaction");
        for (host, uri) in listened {
            let mut listener = owner.speaking(host, "2025-11-25").await;
            let subscribed = listener.rpc(host, "resources/subscribe", json!({ "uri": uri }));
            subscribed.await.result();
            streams.push(listener.stream(host).await);
            // Only the first one reads this.
            let lock = "lock table events.events in access exclusive mode";
            locked.batch_execute(lock).await.expect("a lock");
        }
        let looker = superuser(&cluster).await;
        let first = reads_that_wait(&looker).await;
        let renamed = json!({ "id": project, "name": "Home" });
        owner
            .call(Host::Work, "update_project", renamed)
            .await
            .output();
        let told = streams[1].message().await;
        assert_eq!(told["method"], "notifications/resources/updated");
        assert_eq!(reads_that_wait(&looker).await, first, "it still waits");
        locked.rollback().await.expect("given back");
    });
}

/// When the transactions began that wait for a lock; waits for the first one.
async fn reads_that_wait(looker: &Client) -> Vec<String> {
    let sessions = "select xact_start::text from pg_stat_activity \
         where application_name = 'frontdesk' and wait_event_type = 'Lock'";
    loop {
        let found = looker.query(sessions, &[]).await.expect("sessions");
        if !found.is_empty() {
            return found.iter().map(|row| row.get(0)).collect();
        }
    }
}

/// The sources of a weekly update.
const SOURCES: [&str; 5] = [
    "tasks_completed",
    "tasks_in_progress",
    "pull_requests",
    "daily_lines",
    "plans",
];
