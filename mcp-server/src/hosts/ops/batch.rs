//! Several calls of one host in one transaction.

use frontdesk_protocol::mcp::CallMeta;
use frontdesk_protocol::ops::batch::{BatchCall, BatchResult, CALLS_PER_CHARGE, RunBatch};
use frontdesk_protocol::ops::change::UndoChange;
use frontdesk_protocol::{ErrorCode, Tool, ToolError};
use serde_json::{Value, json};

use crate::call::{ANSWER_BYTES, Answer, Call, Charge, Given, Handler, Outcome};
use crate::hosts::routes;

impl Handler for RunBatch {
    const CHARGE: Option<fn(&Self) -> Charge> = Some(|batch| {
        let calls = batch.calls.as_slice().len().div_ceil(CALLS_PER_CHARGE);
        // The request itself has been counted as a call of this host.
        let counted = usize::from(batch.host == Self::HOST);
        let calls = calls.saturating_sub(counted);
        (batch.host, u32::try_from(calls).unwrap_or(u32::MAX))
    });

    async fn handle(self, call: &mut Call) -> Outcome<BatchResult> {
        let calls = self.calls.as_slice();
        if calls.is_empty() {
            return Err(ToolError::invalid("calls", "must have at least one call"));
        }
        call.makes_calls();
        // The key of the batch is not a key of each call.
        call.meta = CallMeta {
            unique: std::mem::take(&mut call.meta.unique),
            ..CallMeta::default()
        };
        let reads = |one: &BatchCall| {
            let tool = self.host.tool(one.tool.as_str());
            tool.is_some_and(|tool| tool.effect.read_only)
        };
        if calls.iter().all(reads) {
            // Others are served between the calls.
            call.only_reads();
            return Ok(answer(&self, &run_all(call, &self, false).await?));
        }
        match self.dry_run.0 {
            true => call.mark_trial().await?,
            false => call.hold_for(call.server.trial.saturating_mul(2)),
        }
        call.query("savepoint batch", &[]).await?;
        let results = run_all(call, &self, false).await?;
        if let Err(error) = call.check_constraints(false).await {
            // Which call is wrong shows if each is checked. That is slow, so it is done only now.
            call.query("rollback to savepoint batch", &[]).await?;
            run_all(call, &self, true).await?;
            return Err(error);
        }
        call.set_dry_run(self.dry_run);
        Ok(answer(&self, &results))
    }
}

fn answer(batch: &RunBatch, results: &str) -> Answer<BatchResult> {
    let is_dry_run = batch.dry_run.0;
    Answer::new(format!(
        r#"{{"dry_run":{is_dry_run},"results":[{results}]}}"#
    ))
}

/// Makes all calls, and with `check` checks deferred constraints after each. Returns the results, separated by commas.
async fn run_all(call: &mut Call, batch: &RunBatch, check: bool) -> Result<String, ToolError> {
    let mut results = String::new();
    let calls = batch.calls.as_slice();
    // A single call reports no progress: the client would take it for that of the batch.
    let progress = call.server.progress.take();
    for (at, one) in calls.iter().enumerate() {
        if let Some(progress) = &progress {
            progress.parts(at, calls.len());
        }
        let result = run(call, batch, one, check).await;
        let result = result.map_err(|error| named(at, one, error))?;
        results.push_str(if at == 0 { "" } else { "," });
        results.push_str(&result);
        if results.len() > ANSWER_BYTES {
            return Err(ToolError::new(
                ErrorCode::Refused,
                "the answer would be larger than 4 MB; nothing was changed",
            )
            .hint("send fewer calls in a batch"));
        }
    }
    Ok(results)
}

/// Makes one call as it would be made alone, up to its commit.
async fn run(
    call: &mut Call,
    batch: &RunBatch,
    one: &BatchCall,
    check: bool,
) -> Result<String, ToolError> {
    let host = batch.host;
    if (host, one.tool.as_str()) == (RunBatch::HOST, RunBatch::NAME) {
        let message = "a batch cannot contain a batch";
        return Err(ToolError::new(ErrorCode::Refused, message));
    }
    if (host, one.tool.as_str()) == (UndoChange::HOST, UndoChange::NAME) {
        let message = "a batch cannot contain an undo, because each undoes one change";
        return Err(ToolError::new(ErrorCode::Refused, message).hint("call it alone"));
    }
    let role = match host.checks_roles() {
        true => Some(call.role_at(host).await?),
        false => None,
    };
    let Some(route) = call.server.hosts.route(host, one.tool.as_str()) else {
        let message = call.server.hosts.without(host, one.tool.as_str());
        return Err(ToolError::new(ErrorCode::InvalidArgument, message));
    };
    if !route.tool.structured {
        let message = "a batch cannot contain a tool that returns no record";
        return Err(ToolError::new(ErrorCode::Refused, message).hint("call it alone"));
    }
    if let Some(role) = role {
        route.admit(role)?;
    }
    let arguments = one.arguments.as_map();
    let is_trial = arguments.get("dry_run") == Some(&Value::Bool(true));
    if is_trial {
        call.query("savepoint trial", &[]).await?;
    }
    let given = Given::of(&route.tool, Value::from(arguments.clone()));
    call.set_dry_run(batch.dry_run);
    let result = call.include(route, &given).await?;
    if check || is_trial {
        call.check_constraints(true).await?;
    }
    if is_trial {
        call.query("rollback to savepoint trial", &[]).await?;
        call.query("release savepoint trial", &[]).await?;
    }
    if host.changes_rights() && !route.tool.effect.read_only {
        call.enter_again().await?;
    }
    Ok(result)
}

/// The error of the call at this place.
fn named(at: usize, one: &BatchCall, error: ToolError) -> ToolError {
    let place = format!("calls[{at}]");
    let field = match &error.field {
        Some(field) => format!("{place}.arguments.{field}"),
        None => place.clone(),
    };
    let details = json!({ "index": at, "tool": one.tool.as_str(), "error": error });
    ToolError {
        message: format!("{place}, {}: {}", one.tool.as_str(), error.message),
        ..error
    }
    .on(field)
    .with(&details)
}

routes![RunBatch => own];
