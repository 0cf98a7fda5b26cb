//! Clocks that differ from this machine's.

use super::Finding;
use crate::clock::Clock;

/// A difference between two clocks that counts, in seconds.
const CLOCK: f64 = 60.0;

/// Whether a clock is this machine's.
pub(super) fn clock(which: &str, seconds: f64) -> Option<Finding> {
    let now = Clock::system().now().as_millisecond() as f64 / 1000.0;
    let ahead = seconds - now;
    (ahead.abs() > CLOCK).then(|| {
        Finding::bad(
            "clock",
            format!("{which} and this machine's differ by {ahead:+.0} s"),
            "let both keep time by NTP",
        )
    })
}
