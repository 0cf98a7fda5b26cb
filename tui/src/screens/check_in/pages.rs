//! The choice of pages of the guest list to request, so that two desks see each other's check-ins
//! soon and with few calls.
//!
//! The event is requested six times a minute and has the counts of guests and arrivals. Pages are
//! requested only if these differ from the known ones, one by one, until the counts agree. Lists of
//! very large events are not loaded; there the host searches.

use std::collections::{HashSet, VecDeque};

use frontdesk_protocol::id::GuestId;
use jiff::{SignedDuration, Timestamp};

use crate::app::effects::effect::RequestId;

/// Guests per page: the maximum of the host.
pub(crate) const PAGE: u32 = 100;
/// Larger events are not loaded completely.
const MOST_GUESTS: u32 = 10 * PAGE;
/// Pages per minute and desk after the first complete load. The rate limit is 100 calls a minute
/// for an account with perhaps four desks, and must leave room for the event, searches and
/// check-ins.
const MOST_A_MINUTE: usize = 6;

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
    /// The offset of the next run: the end of the last one.
    next: u32,
    /// Counts that a complete run did not confirm. They start no other run.
    in_vain: Option<Counts>,
    asked: VecDeque<Timestamp>,
}

#[derive(Debug)]
struct Run {
    first: RequestId,
    request: RequestId,
    offset: u32,
    /// The number of guests still to load.
    left: u32,
    seen: HashSet<GuestId>,
    total: u32,
}

/// The next step after a page.
#[derive(Debug, PartialEq)]
pub(crate) enum Next {
    /// Request the page at this offset.
    Ask(u32),
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

    pub(crate) fn is_loading(&self) -> bool {
        self.run.is_some()
    }

    /// The request in progress.
    pub(crate) fn request(&self) -> Option<RequestId> {
        self.run.as_ref().map(|run| run.request)
    }

    /// Whether this is the request in progress.
    pub(crate) fn waits_for(&self, request: RequestId) -> bool {
        self.request() == Some(request)
    }

    /// The offset of the first page to request, if one is needed now. `polled` are the host's
    /// counts, `known` ours.
    pub(crate) fn begin(
        &mut self,
        polled: Option<Counts>,
        known: Counts,
        now: Timestamp,
    ) -> Option<u32> {
        if self.run.is_some() || !self.has_budget(now) {
            return None;
        }
        let Some(polled) = polled else {
            // The first page does not wait for the event.
            return (known.guests == 0).then_some(0);
        };
        let is_too_large = polled.guests > MOST_GUESTS as usize;
        let is_current = match self.is_whole {
            true => polled == known || self.in_vain == Some(polled),
            // For a large event, the host's search covers the rest.
            false => is_too_large && known.guests >= PAGE as usize,
        };
        if is_current {
            return None;
        }
        Some(match self.is_whole {
            true if self.next < number(polled.guests) => self.next,
            _ => 0,
        })
    }

    /// Records the request for a page.
    pub(crate) fn asked(&mut self, request: RequestId, offset: u32, guests: usize, now: Timestamp) {
        self.asked.push_back(now);
        match &mut self.run {
            Some(run) => {
                run.request = request;
                run.offset = offset;
            }
            None => {
                let total = number(guests);
                self.run = Some(Run {
                    first: request,
                    request,
                    offset,
                    left: total,
                    seen: HashSet::new(),
                    total,
                });
            }
        }
    }

    /// Handles a page; `known` are the counts including it. A host may shorten a page whose answer
    /// would be too large: the next one starts after its last guest.
    pub(crate) fn came(
        &mut self,
        ids: impl ExactSizeIterator<Item = GuestId>,
        has_more: bool,
        polled: Option<Counts>,
        known: Counts,
        now: Timestamp,
    ) -> Next {
        let has_budget = self.has_budget(now);
        let Some(run) = &mut self.run else {
            return Next::Rest;
        };
        let came = number(ids.len());
        run.seen.extend(ids);
        run.left = run.left.saturating_sub(came.max(1));
        self.next = match has_more {
            true => run.offset + came,
            false => 0,
        };
        if let Some(polled) = polled {
            run.total = number(polled.guests);
        }
        if !self.is_whole {
            // The first run continues to the end even if the counts agree.
            if has_more && self.next < MOST_GUESTS && run.total <= MOST_GUESTS {
                return Next::Ask(self.next);
            }
            self.is_whole = !has_more;
            self.run = None;
            return Next::Rest;
        }
        if polled == Some(known) {
            self.run = None;
            return Next::Rest;
        }
        if run.left == 0 {
            self.in_vain = polled;
            return match self.run.take() {
                Some(run) => Next::Keep {
                    ids: run.seen,
                    since: run.first,
                },
                None => Next::Rest,
            };
        }
        if !has_budget {
            self.run = None;
            return Next::Rest;
        }
        Next::Ask(self.next)
    }

    /// Handles a failed request.
    pub(crate) fn failed(&mut self) {
        self.run = None;
    }

    /// Starts again from the beginning.
    pub(crate) fn restart(&mut self) {
        self.run = None;
        self.is_whole = false;
        self.in_vain = None;
    }

    fn has_budget(&mut self, now: Timestamp) -> bool {
        let minute_ago = now - SignedDuration::from_mins(1);
        while self.asked.front().is_some_and(|at| *at <= minute_ago) {
            self.asked.pop_front();
        }
        self.asked.len() < MOST_A_MINUTE
    }
}

fn number(guests: usize) -> u32 {
    u32::try_from(guests).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn counts(guests: usize, here: usize) -> Counts {
        Counts { guests, here }
    }

    /// This many guests.
    fn guests(count: usize) -> impl ExactSizeIterator<Item = GuestId> {
        (0..count).map(|n| GuestId(uuid::Uuid::from_u128(n as u128)))
    }

    /// Loads the list with this page size; returns the requested offsets.
    fn load(pages: &mut Pages, all: usize, page: usize) -> Vec<u32> {
        let polled = Some(counts(all, 0));
        let mut offsets = vec![pages.begin(polled, counts(0, 0), NOW).expect("begins")];
        let mut known = 0;
        loop {
            let offset = offsets[offsets.len() - 1];
            pages.asked(RequestId(1), offset, all, NOW);
            let came = page.min(all - offset as usize);
            known += came;
            let has_more = offset as usize + came < all;
            match pages.came(guests(came), has_more, polled, counts(known, 0), NOW) {
                Next::Ask(next) => offsets.push(next),
                _ => return offsets,
            }
        }
    }

    #[test]
    fn a_list_is_loaded_whole_and_then_left_alone() {
        let mut pages = Pages::default();
        assert_eq!(load(&mut pages, 250, 100), [0, 100, 200]);
        assert!(pages.is_whole());
        assert_eq!(pages.begin(Some(counts(250, 0)), counts(250, 0), NOW), None);
    }

    #[test]
    fn a_page_that_the_host_has_cut_short_leaves_nobody_out() {
        let mut pages = Pages::default();
        assert_eq!(load(&mut pages, 250, 90), [0, 90, 180]);
        assert!(pages.is_whole());
    }

    #[test]
    fn after_a_change_pages_are_asked_for_until_the_numbers_agree() {
        let mut pages = Pages::default();
        load(&mut pages, 250, 100);
        let polled = Some(counts(250, 1));
        assert_eq!(pages.begin(polled, counts(250, 0), NOW), Some(0));
        pages.asked(RequestId(5), 0, 250, NOW);
        let next = pages.came(guests(100), true, polled, counts(250, 0), NOW);
        assert_eq!(next, Next::Ask(100));
        pages.asked(RequestId(6), 100, 250, NOW);
        let next = pages.came(guests(100), true, polled, counts(250, 1), NOW);
        assert_eq!(next, Next::Rest);
        assert!(!pages.is_loading());
    }

    #[test]
    fn numbers_that_never_agree_are_not_asked_about_for_ever() {
        let mut pages = Pages::default();
        load(&mut pages, 50, 100);
        let polled = Some(counts(51, 0));
        assert_eq!(pages.begin(polled, counts(50, 0), NOW), Some(0));
        pages.asked(RequestId(5), 0, 51, NOW);
        let next = pages.came(guests(51), false, polled, counts(50, 0), NOW);
        let seen = Next::Keep {
            ids: guests(51).collect(),
            since: RequestId(5),
        };
        assert_eq!(next, seen);
        assert_eq!(pages.begin(polled, counts(50, 0), NOW), None);
        assert_eq!(
            pages.begin(Some(counts(52, 0)), counts(50, 0), NOW),
            Some(0)
        );
    }

    #[test]
    fn large_events_are_left_to_the_hosts_search() {
        let mut pages = Pages::default();
        load(&mut pages, 5000, 100);
        assert!(!pages.is_whole());
        assert_eq!(
            pages.begin(Some(counts(5000, 3)), counts(100, 0), NOW),
            None
        );
    }

    #[test]
    fn a_busy_door_does_not_use_up_the_rate_limit() {
        let mut pages = Pages::default();
        load(&mut pages, 150, 100);
        for here in 0..100 {
            let polled = Some(counts(150, here + 1));
            let known = counts(150, here);
            if let Some(offset) = pages.begin(polled, known, NOW) {
                pages.asked(RequestId(9), offset, 150, NOW);
                pages.came(guests(100), true, polled, counts(150, here + 1), NOW);
            }
        }
        assert_eq!(pages.asked.len(), MOST_A_MINUTE);
    }
}
