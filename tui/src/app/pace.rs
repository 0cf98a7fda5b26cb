//! When the visible screen is renewed, and the pace of calls.

use std::collections::VecDeque;

use frontdesk_protocol::Host;
use jiff::{SignedDuration, Timestamp};

use super::owner::{RequestId, ScreenId};

/// The interval that a rate limit counts, and the rest after a refusal.
pub(super) const MINUTE: SignedDuration = SignedDuration::from_mins(1);
/// How long after the last input the terminal is in use.
pub(super) const IN_USE: SignedDuration = SignedDuration::from_mins(10);
/// Calls of a host within a minute after which nothing is renewed: half of the default limit, which
/// the devices of an account share.
const SHARE: usize = 50;

/// When the visible screen is renewed.
#[derive(Debug, Default)]
pub(crate) struct Renewal {
    pub(super) timer: Option<(RequestId, Timestamp)>,
    /// The last input.
    pub(super) used: Option<Timestamp>,
    /// The last attempt: its screen, the time of the data before it, and its time.
    pub(super) tried: Option<(ScreenId, Timestamp, Timestamp)>,
}

impl Renewal {
    /// Whether the terminal is in use.
    pub(super) fn is_in_use(&self, now: Timestamp) -> bool {
        self.used.is_some_and(|used| now < used + IN_USE)
    }

    /// Notes an input.
    pub(super) fn used(&mut self, now: Timestamp) {
        self.used = Some(now);
    }
}

/// The calls of hosts within the last minute.
#[derive(Debug, Default)]
pub(crate) struct Pace(VecDeque<(Timestamp, Host)>);

impl Pace {
    /// Notes a call.
    pub(super) fn note(&mut self, now: Timestamp, host: Host) {
        let is_old = |(at, _): &(Timestamp, Host)| *at + MINUTE <= now;
        while self.0.front().is_some_and(is_old) {
            self.0.pop_front();
        }
        self.0.push_back((now, host));
    }

    /// When each host has been called less than its share within a minute.
    pub(super) fn allows_at(&self) -> Option<Timestamp> {
        let mut calls = [0; Host::ALL.len()];
        let spent = self.0.iter().rev().filter_map(|(at, host)| {
            let calls = &mut calls[*host as usize];
            *calls += 1;
            (*calls == SHARE).then_some(*at + MINUTE)
        });
        spent.max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_renewal_leaves_half_of_the_calls_of_a_minute() {
        let start = Timestamp::UNIX_EPOCH;
        let second = SignedDuration::from_secs(1);
        let mut pace = Pace::default();
        for call in 0..49 {
            pace.note(start + second * call, Host::Work);
            pace.note(start, Host::Learn);
        }
        assert_eq!(pace.allows_at(), None);
        pace.note(start + second * 50, Host::Work);
        assert_eq!(pace.allows_at(), Some(start + MINUTE));
        pace.note(start + second * 61, Host::Learn);
        assert_eq!(pace.allows_at(), None);
    }
}
