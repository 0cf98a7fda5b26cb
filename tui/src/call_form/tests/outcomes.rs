//! After each error of a write: what the form says, and whether a second attempt is the same call.

use std::time::Duration;

use frontdesk_client::CallError;
use frontdesk_protocol::{ErrorCode, ToolError};
use insta::assert_snapshot;

use super::form;
use crate::look::mark::Mark;
use crate::testing::FakeHost;
use crate::ui::problem::Problem;

/// Every error of a call that the client returns, with each code of a refusal.
fn errors() -> Vec<CallError> {
    let text = || "no more paper".to_owned();
    let retry_after = Duration::from_secs(9);
    let refusal = |code| ToolError::new(code, text());
    let mut errors = vec![
        CallError::SignedOut(text()),
        CallError::AccountClosed(text()),
        CallError::Forbidden(refusal(ErrorCode::Forbidden)),
        CallError::RateLimited { retry_after },
        CallError::Busy { retry_after },
        CallError::Unreachable {
            host: "host".to_owned(),
            reason: "cannot be reached: no network".to_owned(),
        },
        CallError::no_answer(text()),
        CallError::unclear(text()),
        CallError::Host {
            status: 500,
            message: text(),
        },
        CallError::Failed(text()),
        CallError::Protocol(text()),
    ];
    let codes = ErrorCode::ALL.into_iter();
    // The client reads this code as an unknown outcome.
    let codes = codes.filter(|code| *code != ErrorCode::OutcomeUnknown);
    errors.extend(codes.map(|code| CallError::Tool(refusal(code))));
    errors
}

/// Its name: a new error does not compile until it is listed above.
fn name(error: &CallError) -> String {
    match error {
        CallError::Tool(refusal) => refusal.code.name().to_owned(),
        CallError::OutcomeUnknown(doubt) if doubt.is_answered => "unclear answer".to_owned(),
        CallError::OutcomeUnknown(_) => "no answer".to_owned(),
        CallError::SignedOut(_) => "signed out".to_owned(),
        CallError::AccountClosed(_) => "account closed".to_owned(),
        CallError::Forbidden(_) => "HTTP 403".to_owned(),
        CallError::RateLimited { .. } => "HTTP 429".to_owned(),
        CallError::Busy { .. } => "HTTP 503".to_owned(),
        CallError::Unreachable { .. } => "no connection".to_owned(),
        CallError::Host { .. } => "HTTP 500".to_owned(),
        CallError::Failed(_) => "server failed".to_owned(),
        CallError::Protocol(_) => "unreadable".to_owned(),
    }
}

/// Whether the form sends the same key again after this error, unless it asks for a password first. Only success ends a key.
async fn key(error: &CallError) -> &'static str {
    let host = FakeHost::new();
    let mut app = form(&host, "create_event", (80, 24)).await;
    host.lock()
        .answers
        .extend([Err(error.clone()), Err(error.clone())]);
    let unit = "0190a1b2-0000-7000-8000-000000000001";
    app.type_text("Gala");
    app.keys("tab").await;
    app.type_text(unit);
    app.keys("ctrl-s").await;
    app.keys("ctrl-s").await;
    let inner = host.lock();
    let keys: Vec<_> = inner
        .asked
        .iter()
        .map(|call| &call.options.idempotency_key)
        .collect();
    match keys[..] {
        [Some(first), Some(second)] if first == second => "kept",
        [Some(_), Some(_)] => "new",
        [Some(_)] => "sign-in",
        _ => panic!("calls with keys: {keys:?}, {}", app.screen()),
    }
}

#[tokio::test]
async fn each_error_of_a_write_has_one_outcome_everywhere() {
    let mut table = String::new();
    for error in errors() {
        let key = key(&error).await;
        let (mark, words) = Problem::message(&error, "Not moved");
        let mark = match mark {
            Mark::Warn => "!",
            _ => "✗",
        };
        let done = match error.may_be_done() {
            true => "perhaps",
            false => "no",
        };
        let title = Problem::of_write(&error).title;
        let name = name(&error);
        table += &format!(
            "{name:<16} done: {done:<7} key: {key:<7} form: {title:<18} board: {mark} {words}\n"
        );
    }
    assert_snapshot!("outcomes", table);
}
