//! Shared by the tools with a plan: its digest, the check of an expected plan, and refusals.

use std::fmt::Write;

use frontdesk_protocol::work::meeting::Meeting;
use frontdesk_protocol::work::plan::{
    Action, Guard, Plan, Planned, Refusal, Rule, Totals, Violation,
};
use frontdesk_protocol::{ErrorCode, ToolError};
use serde::Serialize;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::call::Call;
use crate::database::internal;

/// The plan for these occurrences. `asked` is the request and everything else that determines the plan; it is part of
/// the digest.
///
/// # Errors
/// `conflict` if the caller expects a different plan.
pub(super) fn plan(
    call: &mut Call,
    asked: &impl Serialize,
    occurrences: Vec<Planned>,
    webhooks: u32,
) -> Result<Plan, ToolError> {
    let totals = Totals::of(&occurrences);
    let said = (call.caller, asked, &occurrences, webhooks);
    let said = serde_json::to_vec(&said)
        .map_err(|error| internal(format_args!("a plan cannot be serialized: {error}")))?;
    let mut digest = String::new();
    for byte in &Sha256::digest(&said)[..16] {
        let _ = write!(digest, "{byte:02x}");
    }
    if call
        .expected_plan()
        .is_some_and(|expected| expected != digest)
    {
        return Err(ToolError::new(
            ErrorCode::Conflict,
            "the data has changed since the preview, so the result would differ; nothing was changed",
        )
        .hint("preview it again with dry_run"));
    }
    Ok(Plan {
        occurrences,
        totals,
        automation_webhook_inserts: webhooks,
        digest,
    })
}

/// The occurrences with this action.
pub(super) fn with_action(occurrences: &[Planned], action: Action) -> Vec<&Planned> {
    occurrences
        .iter()
        .filter(|planned| planned.action == action)
        .collect()
}

/// The ids of the occurrences with any of these actions.
pub(super) fn ids_with(occurrences: &[Planned], actions: &[Action]) -> Vec<Uuid> {
    occurrences
        .iter()
        .filter(|planned| actions.contains(&planned.action))
        .map(|planned| planned.id.0)
        .collect()
}

/// A violated guard.
pub(super) fn violation(
    guard: Guard,
    rule: Rule,
    ids: Vec<Uuid>,
    message: impl Into<String>,
    way_out: &str,
) -> Violation {
    Violation {
        guard,
        rule,
        message: message.into(),
        ids,
        way_out: way_out.to_owned(),
    }
}

/// The refusal that lists all violated guards. Nothing is changed.
pub(super) fn refuse(
    meeting: &Meeting,
    violations: Vec<Violation>,
    occurrences: Vec<Planned>,
) -> ToolError {
    let reasons: Vec<_> = violations.iter().map(|one| one.message.as_str()).collect();
    let ways: Vec<_> = violations.iter().map(|one| one.way_out.as_str()).collect();
    ToolError::new(
        ErrorCode::Refused,
        format!("nothing was changed: {}", reasons.join("; ")),
    )
    .hint(ways.join("; "))
    .with(&Refusal {
        title: meeting.title.clone(),
        time_zone: meeting.time_zone.clone(),
        violations,
        occurrences,
    })
}
