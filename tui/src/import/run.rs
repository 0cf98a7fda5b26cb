//! The calls of an import.

use std::collections::{BTreeSet, HashMap};

use frontdesk_client::REMEMBERED;
use frontdesk_client::imports::{Progress, RowCall, Sent};
use jiff::Timestamp;

use super::sending::{Made, fitting};
use super::{Fate, Import, ImportError, Row, Step};

/// Why a row is questionable whose call got no readable answer.
pub(super) const PERHAPS: &str = "may have been imported already; look for it";
/// Why a row is questionable whose record was undone or deleted.
pub(super) const GONE: &str = "was imported earlier, and its record is gone";

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
    /// The rows that were left when it was stopped. Another run continues with them.
    pub left: usize,
    /// The places of the rows that were not imported, and why.
    pub failed: Vec<(usize, String)>,
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
        on_step: impl FnMut(Step),
    ) -> Result<Summary, ImportError> {
        self.run_until(dry_run, || false, on_step).await
    }

    /// As [`Import::run`], until it is stopped between two batches.
    ///
    /// # Errors
    /// As [`Import::run`].
    pub async fn run_until(
        &mut self,
        dry_run: bool,
        is_stopped: impl Fn() -> bool,
        mut on_step: impl FnMut(Step),
    ) -> Result<Summary, ImportError> {
        let mut summary = Summary::default();
        if !dry_run {
            self.reopen()?;
            self.resume(&mut summary).await?;
        }
        let mut calls = self.calls();
        let mut total = calls.len();
        let mut least = self.least(total);
        let (mut at, mut most) = (0, self.most(least));
        // The places of rows whose fate was decided again.
        let mut again = BTreeSet::new();
        // The places of calls that have failed. The calls before them were not made either, and are sent again.
        let mut wrong = BTreeSet::new();
        while at < total {
            on_step(Step { done: at, total });
            if is_stopped() {
                summary.left = total - at;
                return Ok(summary);
            }
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
                    // The first answer says how many calls the host accepts.
                    if least == 0 {
                        least = self.least(total - until);
                    }
                    (at, most) = (until, self.most(least));
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
        let takes_batches = self.caller.takes_batches();
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
}
