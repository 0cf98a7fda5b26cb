//! The delays before a failed event is sent again.

use std::time::Duration;

use super::Failure;

/// The delays between attempts in seconds: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h.
const DELAYS: [u64; 7] = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 10 * 3600];
/// The maximum random addition to a delay, as a fraction of it, so that events that fail together are not retried
/// together.
const JITTER: f64 = 0.2;

/// The delay after this attempt, counted from 1. `None` after the last attempt, or if the receiver will never accept
/// events again.
pub(super) fn delay(attempt: u32, failure: &Failure) -> Option<Duration> {
    if failure.is_final() {
        return None;
    }
    let at = usize::try_from(attempt.saturating_sub(1)).unwrap_or(usize::MAX);
    let seconds = *DELAYS.get(at)?;
    Some(Duration::from_secs(seconds).mul_f64(1.0 + rand::random::<f64>() * JITTER))
}

#[cfg(test)]
mod tests {
    use http::StatusCode;

    use super::*;

    #[test]
    fn delays_grow_as_the_schedule_says_and_end() {
        let failure = Failure::Status(StatusCode::INTERNAL_SERVER_ERROR);
        for (attempt, seconds) in (1..).zip(DELAYS) {
            let least = Duration::from_secs(seconds);
            for _ in 0..100 {
                let delay = delay(attempt, &failure).unwrap_or_default();
                assert!(
                    least <= delay && delay <= least.mul_f64(1.2),
                    "{attempt}: {delay:?}"
                );
            }
        }
        assert_eq!(delay(8, &failure), None);
        assert_eq!(delay(u32::MAX, &failure), None);
    }

    #[test]
    fn what_failed_together_does_not_come_back_together() {
        let failure = Failure::Status(StatusCode::BAD_GATEWAY);
        let delays: std::collections::HashSet<_> = (0..20).map(|_| delay(4, &failure)).collect();
        assert!(delays.len() > 1);
    }

    #[test]
    fn a_receiver_that_is_gone_is_not_asked_again() {
        assert_eq!(delay(1, &Failure::Status(StatusCode::GONE)), None);
    }
}
