//! The difference between the hosts' clock and this machine's, which can be hours wrong.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use http::HeaderMap;
use http::header::{AGE, DATE};
use jiff::fmt::rfc2822::DateTimePrinter;
use jiff::{SignedDuration, Timestamp};

/// Smaller differences count as zero: the header has whole seconds, and an answer takes time.
const COUNTS_FROM: SignedDuration = SignedDuration::from_secs(30);
/// From this difference on, the user is warned: certificates and tokens would seem expired.
const WORTH_SAYING: SignedDuration = SignedDuration::from_mins(2);
/// Number of answers compared. The median is used, so one wrong answer has no effect.
const COMPARED: usize = 5;
/// A header has whole seconds; half a second is added on average.
const HALF: SignedDuration = SignedDuration::from_millis(500);

/// How much the hosts' clock is ahead of this machine's. Clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct HostClock(Arc<Mutex<VecDeque<SignedDuration>>>);

impl HostClock {
    /// Reads the time in an answer. `asked` and `came` are this machine's times of request and
    /// answer.
    pub(crate) fn hear(&self, headers: &HeaderMap, asked: Timestamp, came: Timestamp) {
        let before = self.ahead().unwrap_or_default();
        self.read(headers, asked, came);
        if clock_warning(before).is_none()
            && let Some(warning) = clock_warning(self.ahead().unwrap_or_default())
        {
            tracing::warn!("{warning}");
        }
    }

    fn read(&self, headers: &HeaderMap, asked: Timestamp, came: Timestamp) {
        // A cached answer has an old date.
        if headers.contains_key(AGE) {
            return;
        }
        if let Some(sent) = sent_at(headers) {
            let taken = came.duration_since(asked);
            let ahead = sent.duration_since(came) + HALF + taken / 2;
            let mut heard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            heard.push_front(ahead);
            heard.truncate(COMPARED);
        }
    }

    /// The difference; zero if less than 30 s, `None` before the first answer.
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

/// The error of this machine's clock in words, such as "2 h 5 min slow".
pub fn clock_error(ahead: SignedDuration) -> String {
    let minutes = (ahead.abs().as_secs() + 30) / 60;
    let apart = match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes} min"),
        (hours, 0) => format!("{hours} h"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    };
    match ahead.is_positive() {
        true => format!("{apart} slow"),
        false => format!("{apart} fast"),
    }
}

/// The warning for a clock that is minutes off.
pub fn clock_warning(ahead: SignedDuration) -> Option<String> {
    (ahead.abs() >= WORTH_SAYING).then(|| {
        let error = clock_error(ahead);
        format!("compared with the server, this machine's clock is {error}; set one of them")
    })
}

/// The `Date` header of a request, from which the server sees a wrong clock.
pub(crate) fn date_header() -> String {
    let now = DateTimePrinter::new().timestamp_to_rfc9110_string(&Timestamp::now());
    now.unwrap_or_default()
}

/// The time of sending, by the sender's clock.
pub(crate) fn sent_at(headers: &HeaderMap) -> Option<Timestamp> {
    let date = headers.get(DATE)?.to_str().ok()?;
    Some(jiff::fmt::rfc2822::parse(date).ok()?.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hears(clock: &HostClock, date: &str, came: &str) {
        let mut headers = HeaderMap::new();
        headers.insert(DATE, date.parse().expect("a header"));
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
        // After a clock was set, the third answer changes the median.
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
