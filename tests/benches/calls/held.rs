//! 10,000 sessions and 1,000 connections, held and used without an error, and what they take.

use futures::future::join_all;

use crate::caller::Caller;
use crate::machine::{files, memory};
use crate::say;
use crate::stage::{Process, Staff, cluster};

const SESSIONS: usize = 10_000;
const CONNECTIONS: usize = 1_000;
/// Calls at once.
const AT_ONCE: usize = 32;

pub(crate) async fn run() {
    let cluster = cluster();
    let server = Process::hosts(&cluster.address(), 1_000);
    let staff = Staff::sign_in(&server).await;

    // Opened and used twice: the first time makes what a server keeps in any case.
    let mut callers = Vec::new();
    for _ in 0..AT_ONCE {
        callers.push(Caller::connect(&server.address).await);
    }
    open(&mut callers, &staff, SESSIONS).await;
    let before = memory(server.id());
    let sessions = open(&mut callers, &staff, SESSIONS).await;
    let after = memory(server.id());
    say(&format!(
        "{} sessions opened: resident memory {before} KiB before, {after} KiB after",
        sessions.len()
    ));
    let mut answered = 0;
    for some in sessions.chunks(AT_ONCE) {
        let calls = callers.iter_mut().zip(some).map(|(caller, session)| {
            let request = staff.in_session(session.clone()).list();
            async move { caller.call(&request).await }
        });
        answered += join_all(calls)
            .await
            .iter()
            .filter(|&&status| status == 200)
            .count();
    }
    say(&format!(
        "{answered} of {SESSIONS} sessions answered a call"
    ));
    assert_eq!(answered, SESSIONS);
    drop(callers);

    let before = memory(server.id());
    let mut callers = Vec::new();
    for _ in 0..CONNECTIONS {
        callers.push(Caller::connect(&server.address).await);
    }
    let request = staff.list();
    let mut answered = 0;
    const ROUNDS: usize = 10;
    for _ in 0..ROUNDS {
        for some in callers.chunks_mut(AT_ONCE) {
            let calls = some.iter_mut().map(|caller| caller.call(&request));
            answered += join_all(calls)
                .await
                .iter()
                .filter(|&&status| status == 200)
                .count();
        }
    }
    let after = memory(server.id());
    say(&format!(
        "{answered} of {} calls over {CONNECTIONS} open connections ({} open files) answered; \
         {:.1} KiB a connection",
        CONNECTIONS * ROUNDS,
        files(server.id()),
        (after.saturating_sub(before)) as f64 / CONNECTIONS as f64,
    ));
    assert_eq!(answered, CONNECTIONS * ROUNDS);
}

/// Opens so many sessions, some at a time.
async fn open(callers: &mut [Caller], staff: &Staff, count: usize) -> Vec<String> {
    let request = staff.initialize();
    let mut sessions = Vec::new();
    while sessions.len() < count {
        let left = (count - sessions.len()).min(callers.len());
        let opened = callers[..left].iter_mut().map(|caller| async {
            assert_eq!(caller.call(&request).await, 200, "{}", caller.answer());
            let answer = caller.answer();
            let session = answer
                .lines()
                .find_map(|line| line.strip_prefix("mcp-session-id: "));
            session.expect("a session").to_owned()
        });
        sessions.extend(join_all(opened).await);
    }
    sessions
}
