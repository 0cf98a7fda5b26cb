//! Calls that wait for what another session holds.

use frontdesk_server::database::Owner;
use tokio::task::JoinHandle;

/// How often the database is looked at before what is waited for counts as not happening.
const LOOKS: u32 = 30_000;

/// The sessions that wait for a lock of `holder`, or for one that waits for it: as many as there are
/// calls, unless one of them ends without waiting.
///
/// # Panics
/// Where a call ends instead.
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

/// Waits for the session's end.
///
/// # Panics
/// Where it does not end.
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
