//! Sessions that wait for locks.

use frontdesk_server::database::Owner;
use tokio::task::JoinHandle;

/// The number of looks at the database before a wait counts as failed.
const LOOKS: u32 = 300_000;

/// The sessions that wait for a lock of `holder`, directly or through another one: one for each
/// call.
///
/// # Panics
///
/// If a call ends instead.
pub async fn waiting_for<T>(looker: &Owner, holder: i32, calls: &[&JoinHandle<T>]) -> Vec<i32> {
    let statement = "with recursive waiting (pid) as ( \
           select $1::integer \
           union select a.pid from pg_stat_activity a join waiting w on w.pid = any (pg_blocking_pids(a.pid))) \
         select pid from waiting where pid <> $1";
    for _ in 0..LOOKS {
        let found = looker.query(statement, &[&holder]).await.expect("sessions");
        if found.len() >= calls.len() {
            return found.iter().map(|row| row.get(0)).collect();
        }
        let has_ended = calls.iter().any(|call| call.is_finished());
        assert!(!has_ended, "a call did not wait");
    }
    panic!("the calls neither wait nor end");
}

/// Waits until no session has a snapshot older than the last commit: only then can a vacuum mark a
/// page as visible to all.
///
/// # Panics
///
/// If a session keeps its old snapshot.
pub async fn all_see(looker: &Owner) {
    let next = "select pg_snapshot_xmax(pg_current_snapshot())::text";
    let next: String = looker.query_one(next, &[]).await.expect("a number").get(0);
    let statement = "select from pg_stat_activity where pid <> pg_backend_pid() \
         and age(backend_xmin) > age($1::text::xid) limit 1";
    for _ in 0..LOOKS {
        let found = looker.query_opt(statement, &[&next]).await;
        if found.expect("sessions").is_none() {
            return;
        }
    }
    panic!("a session sees the database as it was");
}

/// Waits until the session ends.
///
/// # Panics
///
/// If it does not end.
pub async fn gone(looker: &Owner, session: i32) {
    let statement = "select from pg_stat_activity where pid = $1";
    for _ in 0..LOOKS {
        let found = looker.query_opt(statement, &[&session]).await;
        if found.expect("sessions").is_none() {
            return;
        }
    }
    panic!("the session is still there");
}

/// Waits until the session has answered, or has ended.
///
/// # Panics
///
/// If it does neither.
pub async fn answered(looker: &Owner, session: i32) {
    let statement = "select from pg_stat_activity where pid = $1 and state <> 'idle'";
    for _ in 0..LOOKS {
        let found = looker.query_opt(statement, &[&session]).await;
        if found.expect("sessions").is_none() {
            return;
        }
    }
    panic!("the session does not answer");
}
