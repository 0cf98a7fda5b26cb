//! The batches of an import: their size, and what their answers mean.

use std::time::{Duration, Instant};

use frontdesk_client::CallError;
use frontdesk_client::imports::{Progress, RowCall, Sent, digest};
use frontdesk_protocol::id::ChangeId;
use frontdesk_protocol::mcp::Action;
use frontdesk_protocol::{ErrorCode, ToolError};
use jiff::Timestamp;

use super::caller::Batch;
use super::{Fate, Import, ImportError};

/// The least and the most rows in a batch, unless these are the last. Smaller ones cost more than their rows.
const BOUNDS: (usize, usize) = (20, 500);
/// The time that a larger batch may take: on the embedded database, a desk waits as long.
const SLICE: Duration = Duration::from_millis(50);
/// Calls of the rate limit that are left to others.
const RESERVE: u32 = 10;
/// The maximum size of a batch's arguments in bytes; a request has at most 1 MB.
const BATCH_BYTES: usize = 800_000;
/// The result of sending calls.
pub(super) enum Made {
    All,
    /// This call is wrong, and none was made.
    But(usize, Refusal),
    /// None was made; the reason does not say which call is wrong.
    None(String),
    /// They may have been made.
    Perhaps(String),
}

/// Why a call was refused.
pub(super) struct Refusal {
    pub(super) reason: String,
    /// Whether a record is in its way.
    pub(super) is_conflict: bool,
}

impl Import {
    /// The least number of calls in a batch, of so many, for the host to accept all batches within a minute: as many as
    /// it accepts now, and the same again meanwhile.
    pub(super) fn least(&self, calls: usize) -> usize {
        let batches = self.caller.allowance();
        let batches = batches.map(|calls| calls.saturating_sub(RESERVE).max(1) as usize * 2);
        batches.map_or(0, |batches| calls.div_ceil(batches))
    }

    /// The number of calls that are sent at once: as many as the host makes in a slice, but at least so many.
    pub(super) fn most(&self, least: usize) -> usize {
        if !self.caller.takes_batches() {
            return 1;
        }
        let each = self.each.filter(|each| !each.is_zero());
        let by_time = each.map_or(BOUNDS.0, |each| {
            (SLICE.as_nanos() / each.as_nanos()) as usize
        });
        by_time.max(least).clamp(BOUNDS.0, BOUNDS.1)
    }

    /// Sends calls, after writing down that they are sent.
    pub(super) async fn send(
        &mut self,
        calls: &[RowCall],
        dry_run: bool,
    ) -> Result<Made, ImportError> {
        let started = Instant::now();
        let made = self.send_at_once(calls, dry_run).await?;
        if self.caller.takes_batches() {
            let took = started.elapsed();
            self.each = Some(took / u32::try_from(calls.len()).unwrap_or(u32::MAX).max(1));
            // Others get as much time of the database.
            tokio::time::sleep(took).await;
        }
        Ok(made)
    }

    async fn send_at_once(
        &mut self,
        calls: &[RowCall],
        dry_run: bool,
    ) -> Result<Made, ImportError> {
        if dry_run {
            return match self.caller.takes_batches() {
                true => made(self.batch(calls, true, None).await),
                false => Ok(Made::All),
            };
        }
        let text = serde_json::to_string(calls).unwrap_or_default();
        let round = self
            .progress
            .as_ref()
            .map_or(0, Progress::round)
            .to_string();
        let key = digest(&[&self.caller.place(), &self.sheet.digest, &round, &text]);
        let sent = Sent {
            key: key.clone(),
            at: Timestamp::now(),
            calls: calls.to_vec(),
        };
        if let Some(progress) = &mut self.progress {
            let written = progress.send(sent);
            written.map_err(|error| ImportError::File("the progress of the import", error))?;
        }
        let made = self.deliver(calls, Some(key)).await?;
        match made {
            Made::All => self.settle(calls)?,
            // A call that may have been made is not repeated.
            Made::Perhaps(_) => self.give_up()?,
            Made::But(..) | Made::None(_) => self.settle(&[])?,
        }
        Ok(made)
    }

    pub(super) async fn deliver(
        &mut self,
        calls: &[RowCall],
        key: Option<String>,
    ) -> Result<Made, ImportError> {
        if self.caller.takes_batches() {
            let result = self.batch(calls, false, key).await;
            if let Ok(Some(action)) = &result {
                self.action = Action::Of(*action);
            }
            return made(result);
        }
        for call in calls {
            let result = self.caller.call(&call.tool, call.arguments.clone()).await;
            if let Err(CallError::OutcomeUnknown(doubt)) = result {
                return Ok(Made::Perhaps(doubt.reason));
            }
            match made(result)? {
                Made::All => {}
                refused => return Ok(refused),
            }
        }
        Ok(Made::All)
    }

    async fn batch(
        &self,
        calls: &[RowCall],
        dry_run: bool,
        key: Option<String>,
    ) -> Result<Option<ChangeId>, CallError> {
        let batch = Batch {
            calls,
            dry_run,
            key,
            unique: self.unique(calls),
            action: match dry_run {
                true => Action::New,
                false => self.action,
            },
        };
        self.caller.batch(batch).await
    }

    /// The arguments in which the records of these calls differ from all others.
    fn unique(&self, calls: &[RowCall]) -> &[String] {
        let mut calls = calls.iter();
        match calls.any(|call| self.unkeyed.contains(&call.row)) {
            true => &[],
            false => &self.unique,
        }
    }

    pub(super) fn give_up(&mut self) -> Result<(), ImportError> {
        let Some(progress) = &mut self.progress else {
            return Ok(());
        };
        let written = progress.give_up();
        written.map_err(|error| ImportError::File("the progress of the import", error))
    }

    /// Rows that were imported and are imported again are not finished. Their calls get other keys.
    pub(super) fn reopen(&mut self) -> Result<(), ImportError> {
        let fates = self.fates.iter().enumerate();
        let again = fates.filter(|(_, fate)| matches!(fate, Fate::Add(_) | Fate::Change(..)));
        let rows: Vec<_> = again
            .map(|(row, _)| row)
            .filter(|row| self.is_done(*row))
            .collect();
        let Some(progress) = self.progress.as_mut().filter(|_| !rows.is_empty()) else {
            return Ok(());
        };
        let reopened = progress.reopen(&rows);
        reopened.map_err(|error| ImportError::File("the progress of the import", error))
    }

    pub(super) fn settle(&mut self, calls: &[RowCall]) -> Result<(), ImportError> {
        let Some(progress) = &mut self.progress else {
            return Ok(());
        };
        let settled = progress.settle(calls.iter().map(|call| call.row));
        settled.map_err(|error| ImportError::File("the progress of the import", error))
    }
}

/// The number of calls that fit into one batch.
pub(super) fn fitting(calls: &[RowCall], most: usize) -> usize {
    let mut bytes = 0;
    let fits = |call: &&RowCall| {
        bytes += serde_json::to_string(&call.arguments).map_or(0, |text| text.len() + 100);
        bytes <= BATCH_BYTES
    };
    calls
        .iter()
        .take(most.max(1))
        .take_while(fits)
        .count()
        .max(1)
}

/// The result of a call or a batch.
fn made<T>(result: Result<T, CallError>) -> Result<Made, ImportError> {
    let error = match result {
        Ok(_) => return Ok(Made::All),
        Err(CallError::Tool(error) | CallError::Forbidden(error)) => error,
        Err(error) => return Err(error.into()),
    };
    #[derive(serde::Deserialize)]
    struct Details {
        index: usize,
        error: ToolError,
    }
    Ok(match error.details::<Details>() {
        Some(details) => Made::But(
            details.index,
            Refusal {
                reason: reason(&details.error),
                is_conflict: details.error.code == ErrorCode::Conflict,
            },
        ),
        None => Made::None(reason(&error)),
    })
}

fn reason(error: &ToolError) -> String {
    match &error.field {
        Some(field) => format!("{field}: {}", error.message),
        None => error.message.clone(),
    }
}
