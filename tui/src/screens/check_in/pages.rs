//! The choice of pages of the guest list to request, so that the desk knows every guest, and two desks see each other's
//! check-ins soon and with few calls.
//!
//! The event is requested six times a minute and has the counts of guests and arrivals. After the whole list is loaded,
//! pages are requested only if these differ from the known ones, one by one, until the counts agree. Pages leave half
//! of the rate limit to check-ins and to the other desks of the account.

use std::collections::{HashSet, VecDeque};

use frontdesk_protocol::id::GuestId;
use jiff::{SignedDuration, Timestamp};

use crate::app::effects::effect::RequestId;

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
/// Pages a minute if the host does not say how many calls it accepts: at first, and once all guests are known.
const MOST_A_MINUTE: [usize; 2] = [10, 6];
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
    /// The offset of the next run: the end of the last one.
    next: u32,
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
    /// The number of guests still to load.
    left: u32,
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
                run.request = Some(request);
                run.offset = offset;
            }
            None => {
                let total = number(guests);
                self.run = Some(Run {
                    first: request,
                    request: Some(request),
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
        let rest = self.rest(now);
        let Some(run) = &mut self.run else {
            return Next::Rest;
        };
        let came = number(ids.len());
        run.request = None;
        run.seen.extend(ids);
        run.left = run.left.saturating_sub(came.max(1));
        self.next = match has_more {
            true => run.offset + came,
            false => 0,
        };
        run.offset = self.next;
        if let Some(polled) = polled {
            run.total = number(polled.guests);
        }
        let is_first = !self.is_whole;
        if is_first && has_more {
            // The first run continues to the end even if the counts agree.
            if self.next < MOST_GUESTS && run.total <= MOST_GUESTS {
                return Next::Ask(self.next, rest);
            }
            self.run = None;
            return Next::Rest;
        }
        self.is_whole = true;
        if !is_first && polled == Some(known) {
            self.run = None;
            return Next::Rest;
        }
        if is_first || run.left == 0 {
            if !is_first {
                self.in_vain = polled;
            }
            return match self.run.take() {
                Some(run) => Next::Keep {
                    ids: run.seen,
                    since: run.first,
                },
                None => Next::Rest,
            };
        }
        Next::Ask(self.next, rest)
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
    fn rest(&mut self, now: Timestamp) -> SignedDuration {
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
                let most = MOST_A_MINUTE[usize::from(self.is_whole)];
                let excess = self.asked.len().checked_sub(most);
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
        pages.allowed(Some(u32::MAX));
        let mut offsets = vec![pages.begin(polled, counts(0, 0), NOW).expect("begins")];
        let mut known = 0;
        loop {
            let offset = offsets[offsets.len() - 1];
            pages.asked(RequestId(1), offset, all, NOW);
            let came = page.min(all - offset as usize);
            known += came;
            let has_more = offset as usize + came < all;
            match pages.came(guests(came), has_more, polled, counts(known, 0), NOW) {
                Next::Ask(next, SignedDuration::ZERO) => offsets.push(next),
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
        assert_eq!(next, Next::Ask(100, SignedDuration::ZERO));
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
    fn very_large_events_are_left_to_the_hosts_search() {
        let mut pages = Pages::default();
        load(&mut pages, 50_100, 100);
        assert!(!pages.is_whole());
        let polled = Some(counts(50_100, 3));
        assert_eq!(pages.begin(polled, counts(100, 0), NOW), None);
    }

    #[test]
    fn a_run_that_a_failure_ends_goes_on_from_there() {
        let mut pages = Pages::default();
        let polled = Some(counts(250, 0));
        pages.allowed(Some(u32::MAX));
        pages.asked(RequestId(1), 0, 250, NOW);
        pages.came(guests(100), true, polled, counts(100, 0), NOW);
        pages.asked(RequestId(2), 100, 250, NOW);
        pages.failed();
        assert_eq!(pages.begin(polled, counts(100, 0), NOW), Some(100));
        pages.asked(RequestId(3), 100, 250, NOW);
        let more = guests(100);
        let next = pages.came(more, true, polled, counts(200, 0), NOW);
        assert_eq!(next, Next::Ask(200, SignedDuration::ZERO));
    }

    #[test]
    fn the_last_calls_of_the_rate_limit_are_left_to_others() {
        let mut pages = Pages::default();
        let polled = Some(counts(5000, 0));
        let mut rest = |allowance, asked: u64| {
            pages.allowed(allowance);
            pages.asked(RequestId(asked), 0, 5000, NOW);
            match pages.came(guests(100), true, polled, counts(100, 0), NOW) {
                Next::Ask(_, rest) => rest,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(rest(Some(51), 1), SignedDuration::ZERO);
        assert_eq!(rest(Some(50), 2), SignedDuration::from_secs(2));
        assert_eq!(rest(Some(25), 3), SignedDuration::from_secs(12));
        assert_eq!(rest(Some(0), 4), SignedDuration::from_secs(22));
        // A host that does not say is asked for ten pages a minute.
        assert_eq!(rest(None, 5), SignedDuration::ZERO);
        for asked in 6..10 {
            assert_eq!(rest(None, asked), SignedDuration::ZERO);
        }
        assert_eq!(rest(None, 10), MINUTE);
    }

    #[test]
    fn a_busy_door_does_not_use_up_the_rate_limit() {
        let mut pages = Pages::default();
        load(&mut pages, 150, 100);
        pages.allowed(None);
        for here in 0..100 {
            let polled = Some(counts(150, here + 1));
            let known = counts(150, here);
            if let Some(offset) = pages.begin(polled, known, NOW) {
                pages.asked(RequestId(9), offset, 150, NOW);
                pages.came(guests(100), true, polled, counts(150, here + 1), NOW);
            }
        }
        assert_eq!(pages.asked.len(), MOST_A_MINUTE[1]);
    }
}
