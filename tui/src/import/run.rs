//! The calls of an import.

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use frontdesk_client::CallError;
use frontdesk_client::imports::{Progress, RowCall, Sent, digest};
use frontdesk_protocol::mcp::{Action, CallMeta};
use frontdesk_protocol::{ErrorCode, ToolError};
use jiff::{SignedDuration, Timestamp};

use super::{Fate, Import, ImportError, Row, Step};

/// The least and the most rows in a batch, unless these are the last. Smaller ones cost more than their rows.
const BOUNDS: (usize, usize) = (40, 500);
/// The time that a larger batch may take: on the embedded database, a desk waits as long.
const SLICE: Duration = Duration::from_millis(50);
/// Calls of the rate limit that are left to others.
const RESERVE: u32 = 10;
/// The maximum size of a batch's arguments in bytes; a request has at most 1 MB.
const BATCH_BYTES: usize = 800_000;
/// The time for which hosts remember idempotency keys, less an hour.
const REMEMBERED: SignedDuration = SignedDuration::from_hours(23);

/// Why a row is questionable whose call got no readable answer.
pub(super) const PERHAPS: &str = "may have been imported already; look for it";

/// What an import has done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// The rows whose records were added.
    pub added: usize,
    /// The rows whose records were changed.
    pub changed: usize,
    /// The rows whose records somebody else has added meanwhile, with the same values.
    pub unchanged: usize,
    /// The rows that may have been imported; they are among the failed ones.
    pub unknown: usize,
    /// The places of the rows that were not imported, and why.
    pub failed: Vec<(usize, String)>,
}

/// The result of sending calls.
enum Made {
    All,
    /// This call is wrong, and none was made.
    But(usize, Refusal),
    /// None was made; the reason does not say which call is wrong.
    None(String),
    /// They may have been made.
    Perhaps(String),
}

/// Why a call was refused.
struct Refusal {
    reason: String,
    /// Whether a record is in its way.
    is_conflict: bool,
}

impl Import {
    /// Makes the calls, or with `dry_run` lets the host try them. Rows that fail do not stop the others. A run that
    /// ends with an error can be repeated: it continues.
    ///
    /// # Errors
    /// A call failed for another reason than its row, or the progress could not be written.
    pub async fn run(
        &mut self,
        dry_run: bool,
        mut on_step: impl FnMut(Step),
    ) -> Result<Summary, ImportError> {
        let mut summary = Summary::default();
        if !dry_run {
            self.resume(&mut summary).await?;
        }
        let mut calls = self.calls();
        let mut total = calls.len();
        let (mut at, mut most) = (0, self.most(total));
        // The places of rows whose fate was decided again.
        let mut again = BTreeSet::new();
        // The places of calls that have failed. The calls before them were not made either, and are sent again.
        let mut wrong = BTreeSet::new();
        while at < total {
            on_step(Step { done: at, total });
            if wrong.remove(&at) {
                at += 1;
                continue;
            }
            let is_unkeyed = |call: &RowCall| self.unkeyed.contains(&call.row);
            let alike = calls[at..]
                .iter()
                .take_while(|call| is_unkeyed(call) == is_unkeyed(&calls[at]));
            let fit = at + fitting(&calls[at..], most).min(alike.count());
            let until = wrong.first().map_or(fit, |wrong| fit.min(*wrong));
            match self.send(&calls[at..until], dry_run).await? {
                Made::All => {
                    for call in &calls[at..until] {
                        match self.is_added(call) {
                            true => summary.added += 1,
                            false => summary.changed += 1,
                        }
                    }
                    (at, most) = (until, self.most(total - until));
                }
                // Somebody else may have added the record meanwhile.
                Made::But(index, refusal)
                    if refusal.is_conflict
                        && !dry_run
                        && self.key.is_some()
                        && self.is_added(&calls[at + index])
                        && again.insert(calls[at + index].row) =>
                {
                    let rest = calls.split_off(at);
                    calls.extend(self.decide_again(&rest, &mut summary).await?);
                    total = calls.len();
                    wrong.clear();
                }
                Made::But(index, refusal) => {
                    summary.failed.push((calls[at + index].row, refusal.reason));
                    wrong.insert(at + index);
                }
                Made::Perhaps(reason) => {
                    summary.unknown += until - at;
                    let calls = calls[at..until].iter();
                    let failed = calls.map(|call| (call.row, format!("{PERHAPS}: {reason}")));
                    summary.failed.extend(failed);
                    at = until;
                }
                Made::None(reason) if until - at == 1 => {
                    summary.failed.push((calls[at].row, reason));
                    at += 1;
                }
                Made::None(_) => most = (until - at) / 2,
            }
        }
        on_step(Step { done: total, total });
        Ok(summary)
    }

    /// Decides the fates of the rows of these calls by the records that exist now. Returns their calls.
    async fn decide_again(
        &mut self,
        rest: &[RowCall],
        summary: &mut Summary,
    ) -> Result<Vec<RowCall>, ImportError> {
        let key = self.key.clone();
        let existing = match &key {
            Some(key) => Some(self.existing(key).await?),
            None => None,
        };
        self.decide(existing.as_ref(), |_| {});
        let rest: BTreeSet<usize> = rest.iter().map(|call| call.row).collect();
        let same = rest
            .iter()
            .filter(|row| self.fates[**row] == Fate::Unchanged);
        summary.unchanged += same.count();
        let has_failed = |row| summary.failed.iter().any(|(failed, _)| *failed == row);
        let mut calls = self.calls();
        calls.retain(|call| rest.contains(&call.row) && !has_failed(call.row));
        Ok(calls)
    }

    /// The rows that were not imported, with their reasons: those that are questionable or wrong, and those that failed.
    pub fn failed(&self, summary: &Summary) -> Vec<(&Row, String)> {
        let failed: HashMap<usize, &String> = summary
            .failed
            .iter()
            .map(|(row, reason)| (*row, reason))
            .collect();
        let rows = self.fates().enumerate();
        let rows = rows.filter_map(|(at, (row, fate))| match fate {
            Fate::Questionable(..) | Fate::Wrong(_) => Some((row, self.told(row, fate))),
            _ => failed.get(&at).map(|reason| (row, (*reason).clone())),
        });
        rows.collect()
    }

    /// Gives up the batch of an interrupted run if it cannot be sent again: its rows may have been imported.
    pub(super) fn give_up_old(&mut self) -> Result<(), ImportError> {
        let takes_batches = self.callee.takes_batches();
        let is_known = |sent: &Sent| Timestamp::now().duration_since(sent.at) < REMEMBERED;
        let sent = self.progress.as_ref().and_then(Progress::sent);
        match sent.is_some_and(|sent| !(takes_batches && is_known(sent))) {
            true => self.give_up(),
            false => Ok(()),
        }
    }

    /// Sends the batch of an interrupted run again. It has the same key, so nothing is written twice.
    async fn resume(&mut self, summary: &mut Summary) -> Result<(), ImportError> {
        let Some(sent) = self.progress.as_ref().and_then(|one| one.sent().cloned()) else {
            return Ok(());
        };
        match self.deliver(&sent.calls, Some(sent.key.clone())).await? {
            Made::All => {
                self.settle(&sent.calls)?;
                summary.added += sent.calls.len();
            }
            Made::But(..) | Made::None(_) | Made::Perhaps(_) => self.settle(&[])?,
        }
        Ok(())
    }

    /// The calls for the rows that are to be imported.
    fn calls(&self) -> Vec<RowCall> {
        let rows = self.fates.iter().enumerate();
        let rows = rows.filter(|(row, _)| !self.is_done(*row));
        rows.filter_map(|(row, fate)| {
            let (tool, arguments) = match fate {
                Fate::Add(arguments) => (&self.tool.name, arguments),
                Fate::Change(arguments, _) => {
                    (self.change.as_ref().unwrap_or(&self.tool.name), arguments)
                }
                Fate::Unchanged | Fate::Done | Fate::Questionable(..) | Fate::Wrong(_) => {
                    return None;
                }
            };
            Some(RowCall {
                row,
                tool: tool.clone(),
                arguments: arguments.clone(),
            })
        })
        .collect()
    }

    /// Whether an earlier run has imported the row at this place.
    pub(super) fn is_done(&self, row: usize) -> bool {
        let progress = self.progress.as_ref();
        progress.is_some_and(|progress| progress.is_done(row))
    }

    fn is_added(&self, call: &RowCall) -> bool {
        call.tool == self.tool.name && !self.is_change(&call.tool)
    }

    /// The number of calls that are sent at once, of so many that are left: as many as the host makes in a slice, or
    /// more if it accepts fewer batches.
    fn most(&self, left: usize) -> usize {
        if !self.callee.takes_batches() {
            return 1;
        }
        let each = self.each.filter(|each| !each.is_zero());
        let by_time = each.map_or(BOUNDS.0, |each| {
            (SLICE.as_nanos() / each.as_nanos()) as usize
        });
        let batches = self.callee.allowance();
        let batches = batches.map(|calls| calls.saturating_sub(RESERVE).max(1) as usize);
        let by_limit = batches.map_or(0, |batches| left.div_ceil(batches));
        by_time.max(by_limit).clamp(BOUNDS.0, BOUNDS.1)
    }

    /// Sends calls, after writing down that they are sent.
    async fn send(&mut self, calls: &[RowCall], dry_run: bool) -> Result<Made, ImportError> {
        let started = Instant::now();
        let made = self.send_at_once(calls, dry_run).await?;
        if self.callee.takes_batches() {
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
            return match self.callee.takes_batches() {
                true => {
                    let batch: Vec<_> = calls
                        .iter()
                        .map(|call| (call.tool.as_str(), &call.arguments))
                        .collect();
                    made(
                        self.callee
                            .batch(&batch, true, None, self.unique(calls), Action::New)
                            .await,
                    )
                }
                false => Ok(Made::All),
            };
        }
        let text = serde_json::to_string(calls).unwrap_or_default();
        let round = self
            .progress
            .as_ref()
            .map_or(0, Progress::round)
            .to_string();
        let key = digest(&[&self.callee.place(), &self.sheet.digest, &round, &text]);
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

    async fn deliver(
        &mut self,
        calls: &[RowCall],
        key: Option<String>,
    ) -> Result<Made, ImportError> {
        if self.callee.takes_batches() {
            let batch: Vec<_> = calls
                .iter()
                .map(|call| (call.tool.as_str(), &call.arguments))
                .collect();
            let unique = self.unique(calls);
            let result = self.callee.batch(&batch, false, key, unique, self.action);
            let result = result.await;
            if let Ok(Some(action)) = &result {
                self.action = Action::Of(*action);
            }
            return made(result);
        }
        for call in calls {
            let meta = CallMeta::default();
            let result = self
                .callee
                .call(&call.tool, call.arguments.clone(), meta)
                .await;
            match result {
                Err(CallError::OutcomeUnknown(reason)) => return Ok(Made::Perhaps(reason)),
                Err(error @ CallError::Protocol(_)) => {
                    return Ok(Made::Perhaps(error.to_string()));
                }
                _ => {}
            }
            match made(result)? {
                Made::All => {}
                refused => return Ok(refused),
            }
        }
        Ok(Made::All)
    }

    /// The arguments in which the records of these calls differ from all others.
    fn unique(&self, calls: &[RowCall]) -> &[String] {
        let mut calls = calls.iter();
        match calls.any(|call| self.unkeyed.contains(&call.row)) {
            true => &[],
            false => &self.unique,
        }
    }

    fn give_up(&mut self) -> Result<(), ImportError> {
        let Some(progress) = &mut self.progress else {
            return Ok(());
        };
        let written = progress.give_up();
        written.map_err(|error| ImportError::File("the progress of the import", error))
    }

    fn settle(&mut self, calls: &[RowCall]) -> Result<(), ImportError> {
        let Some(progress) = &mut self.progress else {
            return Ok(());
        };
        let settled = progress.settle(calls.iter().map(|call| call.row));
        settled.map_err(|error| ImportError::File("the progress of the import", error))
    }
}

/// The number of calls that fit into one batch.
fn fitting(calls: &[RowCall], most: usize) -> usize {
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
