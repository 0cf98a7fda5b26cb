//! The clock of the hosts, compared with this machine's, which may be hours wrong.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use http::HeaderMap;
use http::header::{AGE, DATE};
use jiff::{SignedDuration, Timestamp};

/// A smaller difference counts as none: the header has whole seconds, and an answer takes its time.
const COUNTS_FROM: SignedDuration = SignedDuration::from_secs(30);
/// Answers whose differences are compared: the middle one counts, so that one wrong answer does not.
const COMPARED: usize = 5;
/// A header stands for the middle of its second.
const HALF: SignedDuration = SignedDuration::from_millis(500);

/// How far the hosts' clock is ahead of this machine's. Clones are the same clock.
#[derive(Debug, Clone, Default)]
pub(crate) struct HostClock(Arc<Mutex<VecDeque<SignedDuration>>>);

impl HostClock {
    /// Reads the time of an answer that was asked for and came at these times of this machine.
    pub(crate) fn hear(&self, headers: &HeaderMap, asked: Timestamp, came: Timestamp) {
        // A proxy answers with what it has stored: its date is not now.
        if headers.contains_key(AGE) {
            return;
        }
        if let Some(told) = told(headers) {
            let taken = came.duration_since(asked);
            let ahead = told.duration_since(came) + HALF + taken / 2;
            let mut heard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            heard.push_front(ahead);
            heard.truncate(COMPARED);
        }
    }

    /// How far it is ahead; zero for less than 30 s, nothing before the first answer.
    pub(crate) fn ahead(&self) -> Option<SignedDuration> {
        let heard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut sorted: Vec<_> = heard.iter().copied().collect();
        drop(heard);
        sorted.sort_unstable();
        let middle = sorted.get(sorted.len() / 2).copied()?;
        Some(match middle.abs() > COUNTS_FROM {
            true => middle,
            false => SignedDuration::ZERO,
        })
    }
}

/// The time at which an answer was sent, by the sender's clock.
pub(crate) fn told(headers: &HeaderMap) -> Option<Timestamp> {
    let date = headers.get(DATE)?.to_str().ok()?;
    Some(jiff::fmt::rfc2822::parse(date).ok()?.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hears(clock: &HostClock, told: &str, came: &str) {
        let mut headers = HeaderMap::new();
        headers.insert(DATE, told.parse().expect("a header"));
        let came: Timestamp = came.parse().expect("a time");
        clock.hear(&headers, came - SignedDuration::from_secs(1), came);
    }

    #[test]
    fn a_difference_counts_from_half_a_minute() {
        let clock = HostClock::default();
        assert_eq!(clock.ahead(), None);
        hears(
            &clock,
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "1994-11-06T08:49:10Z",
        );
        assert_eq!(clock.ahead(), Some(SignedDuration::ZERO));
        let clock = HostClock::default();
        hears(
            &clock,
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "1994-11-06T06:49:38Z",
        );
        assert_eq!(clock.ahead(), Some(SignedDuration::from_hours(2)));
        let clock = HostClock::default();
        hears(
            &clock,
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "1994-11-06T08:59:38Z",
        );
        assert_eq!(clock.ahead(), Some(SignedDuration::from_mins(-10)));
    }

    #[test]
    fn one_wrong_answer_counts_for_nothing() {
        let clock = HostClock::default();
        for _ in 0..2 {
            hears(
                &clock,
                "Sun, 06 Nov 1994 08:49:37 GMT",
                "1994-11-06T08:49:38Z",
            );
        }
        hears(
            &clock,
            "Sun, 06 Nov 1994 12:00:00 GMT",
            "1994-11-06T08:49:38Z",
        );
        assert_eq!(clock.ahead(), Some(SignedDuration::ZERO));
        // A clock that is set is another one from the third answer on.
        for _ in 0..2 {
            hears(
                &clock,
                "Sun, 06 Nov 1994 12:00:00 GMT",
                "1994-11-06T08:49:38Z",
            );
        }
        assert!(clock.ahead() > Some(SignedDuration::from_hours(3)));
    }
}
