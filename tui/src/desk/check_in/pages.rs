//! The choice of pages of the guest list to request, so that the desk knows every guest.
//!
//! The whole list is loaded once. Answers about the event then have the guests that changed, and its counts: only if these
//! do not agree with the known ones, because a guest was removed, pages are requested until they do. Pages leave half of
//! the rate limit to check-ins and to the other desks of the account.

#[cfg(test)]
mod tests;

use std::collections::{HashSet, VecDeque};

use frontdesk_protocol::id::GuestId;
use jiff::{SignedDuration, Timestamp};

use crate::app::owner::RequestId;

/// Guests per page: the maximum of the host.
pub(crate) const PAGE: u32 = 100;
/// Larger events are not loaded completely: there the host searches.
const MOST_GUESTS: u32 = 500 * PAGE;
/// Calls that pages leave of those that the host still accepts from the account, which perhaps four desks share.
const RESERVE: u32 = 50;
/// The rest before the next page if only the reserve is left, and for each call of it that is gone. Four desks that
/// load at once then share what the rate limit adds.
const REST: SignedDuration = SignedDuration::from_secs(2);
const REST_EACH: SignedDuration = SignedDuration::from_millis(400);
/// Pages a minute if the host does not say how many calls it accepts.
const MOST_A_MINUTE: usize = 10;
const MINUTE: SignedDuration = SignedDuration::from_mins(1);

/// How many guests there are, and how many are in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) guests: usize,
    pub(crate) here: usize,
}

/// The loading of pages.
#[derive(Debug, Default)]
pub(crate) struct Pages {
    run: Option<Run>,
    /// Whether every guest has been loaded once.
    is_whole: bool,
    /// Counts that a complete run did not confirm. They start no other run.
    in_vain: Option<Counts>,
    asked: VecDeque<Timestamp>,
    /// The calls that the host still accepted after its last answer, if it says.
    allowance: Option<u32>,
}

#[derive(Debug)]
struct Run {
    first: RequestId,
    /// The request in progress; `None` while the run rests, or after a failure.
    request: Option<RequestId>,
    /// The offset of the page that is requested, or comes next.
    offset: u32,
    /// The last guest of the page before. The next page begins with the same guest; if it does not, a guest was removed
    /// meanwhile, and another one has moved to an earlier page.
    last: Option<GuestId>,
    seen: HashSet<GuestId>,
    total: u32,
}

/// The next step after a page.
#[derive(Debug, PartialEq)]
pub(crate) enum Next {
    /// Request the page at this offset after this time.
    Ask(u32, SignedDuration),
    /// Nothing for now.
    Rest,
    /// Nothing; guests known before `since` and not loaded again are gone.
    Keep {
        ids: HashSet<GuestId>,
        since: RequestId,
    },
}

impl Pages {
    /// Whether all guests are known.
    pub(crate) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// The list is known from an earlier time, and all changes since then will be.
    pub(crate) fn resume(&mut self) {
        self.is_whole = true;
    }

    /// Whether more calls are left than pages leave.
    pub(crate) fn has_allowance(&self) -> bool {
        self.allowance.is_some_and(|left| left > RESERVE)
    }

    pub(crate) fn is_loading(&self) -> bool {
        self.request().is_some()
    }

    /// The request in progress.
    pub(crate) fn request(&self) -> Option<RequestId> {
        self.run.as_ref().and_then(|run| run.request)
    }

    /// Whether this is the request in progress.
    pub(crate) fn waits_for(&self, request: RequestId) -> bool {
        self.request() == Some(request)
    }

    /// Notes guests that are known from elsewhere to be on the list.
    pub(crate) fn saw(&mut self, ids: impl Iterator<Item = GuestId>) {
        if let Some(run) = &mut self.run {
            run.seen.extend(ids);
        }
    }

    /// Notes how many calls the host still accepts.
    pub(crate) fn allowed(&mut self, allowance: Option<u32>) {
        self.allowance = allowance;
    }

    /// The offset of the first page to request, if one is needed now. `polled` are the host's
    /// counts, `known` ours.
    pub(crate) fn begin(
        &mut self,
        polled: Option<Counts>,
        known: Counts,
        now: Timestamp,
    ) -> Option<u32> {
        if self.is_loading() || !self.rest(now).is_zero() {
            return None;
        }
        let Some(polled) = polled else {
            // The first page does not wait for the event.
            return (known.guests == 0 && self.run.is_none()).then_some(0);
        };
        if let Some(run) = &self.run {
            return Some(run.offset);
        }
        let is_too_large = polled.guests > MOST_GUESTS as usize;
        let is_current = match self.is_whole {
            true => polled == known || self.in_vain == Some(polled),
            // For a very large event, the host's search covers the rest.
            false => is_too_large && known.guests >= PAGE as usize,
        };
        (!is_current).then_some(0)
    }

    /// Counts a request for changes among those for pages.
    pub(crate) fn counts(&mut self, now: Timestamp) {
        self.asked.push_back(now);
    }

    /// Records the request for a page.
    pub(crate) fn asked(&mut self, request: RequestId, offset: u32, guests: usize, now: Timestamp) {
        self.counts(now);
        match &mut self.run {
            Some(run) => {
                run.request = Some(request);
                run.offset = offset;
            }
            None => {
                self.run = Some(Run {
                    first: request,
                    request: Some(request),
                    offset,
                    last: None,
                    seen: HashSet::new(),
                    total: number(guests),
                });
            }
        }
    }

    /// Handles a page; `known` are the counts including it. A host may shorten a page whose answer
    /// would be too large: the next one starts after its last guest.
    pub(crate) fn came(
        &mut self,
        ids: &[GuestId],
        has_more: bool,
        polled: Option<Counts>,
        known: Counts,
        now: Timestamp,
    ) -> Next {
        let rest = self.rest(now);
        let Some(run) = &mut self.run else {
            return Next::Rest;
        };
        run.request = None;
        if run.last.take().is_some_and(|last| !ids.contains(&last)) {
            run.offset = 0;
            run.seen.clear();
            return Next::Ask(0, rest);
        }
        run.offset += number(ids.len());
        run.seen.extend(ids);
        if let [_, .., last] = ids
            && has_more
        {
            run.offset -= 1;
            run.last = Some(*last);
        }
        if let Some(polled) = polled {
            run.total = number(polled.guests);
        }
        let is_current = polled == Some(known) || polled.is_some() && polled == self.in_vain;
        // The first run continues to the end even if the counts agree.
        let is_over = self.is_whole && is_current;
        if has_more && !is_over {
            if run.offset < MOST_GUESTS && run.total <= MOST_GUESTS {
                return Next::Ask(run.offset, rest);
            }
            self.run = None;
            return Next::Rest;
        }
        if self.is_whole && !is_over {
            self.in_vain = polled;
        }
        match self.run.take() {
            Some(run) if !is_over => {
                self.is_whole = true;
                Next::Keep {
                    ids: run.seen,
                    since: run.first,
                }
            }
            _ => Next::Rest,
        }
    }

    /// The offset of the next page, if the run rests.
    pub(crate) fn rested(&self) -> Option<u32> {
        let run = self.run.as_ref()?;
        run.request.is_none().then_some(run.offset)
    }

    /// Handles a failed request: the run continues after the next answer of the host.
    pub(crate) fn failed(&mut self) {
        if let Some(run) = &mut self.run {
            run.request = None;
        }
    }

    /// Starts again from the beginning.
    pub(crate) fn restart(&mut self) {
        self.run = None;
        self.is_whole = false;
        self.in_vain = None;
    }

    /// How long the next page has to wait, so that calls are left for the others.
    pub(crate) fn rest(&mut self, now: Timestamp) -> SignedDuration {
        while self.asked.front().is_some_and(|at| *at <= now - MINUTE) {
            self.asked.pop_front();
        }
        let due = match self.allowance {
            Some(left) => {
                let missing = i32::try_from(RESERVE.saturating_sub(left)).unwrap_or(0);
                let last = self.asked.back().filter(|_| left <= RESERVE);
                last.map(|at| *at + REST + REST_EACH * missing)
            }
            None => {
                let excess = self.asked.len().checked_sub(MOST_A_MINUTE);
                let oldest = excess.and_then(|excess| self.asked.get(excess));
                oldest.map(|at| *at + MINUTE)
            }
        };
        let rest = due.map(|due| due.duration_since(now));
        rest.unwrap_or_default().max(SignedDuration::ZERO)
    }
}

fn number(guests: usize) -> u32 {
    u32::try_from(guests).unwrap_or(u32::MAX)
}
