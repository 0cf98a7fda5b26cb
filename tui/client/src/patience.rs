//! When a call is made again, and for how long: the policy for a host that cannot make it now.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::error::CallError;

/// The time for which a lost host is waited for: another node of the hosts' database takes over in less.
pub(crate) const FAILOVER: Duration = Duration::from_secs(30);
/// The total time for which a command waits because a host asks it to.
const ASKED: Duration = Duration::from_secs(5 * 60);
/// The pause before the first repetition, if the host asks for no longer one. Each further one is twice as long, up to the
/// longest.
const PAUSES: std::ops::RangeInclusive<Duration> =
    Duration::from_millis(200)..=Duration::from_secs(2);

/// How long a call waits for a host that cannot make it now.
///
/// A call that was not made is always made again. A call that may have been made is made again only if it is repeatable: it
/// changes nothing, or the host keeps its result under its idempotency key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// For a person before a screen: waits so long for a failover. The screen shows everything else at once.
    Screen(Duration),
    /// For a command or an import: also waits as long as a host asks, up to 5 minutes, and up to 30 s for an answer
    /// that was lost.
    Job,
}

impl Patience {
    /// Makes a call until its outcome is known or the time is over. A host that never answered is not waited for.
    /// `on_wait` is called before each pause.
    ///
    /// # Errors
    /// As the last attempt.
    pub async fn repeat<T, F>(
        self,
        is_repeatable: bool,
        has_answered: impl Fn() -> bool,
        on_wait: impl Fn(Duration),
        mut attempt: impl FnMut() -> F,
    ) -> Result<T, CallError>
    where
        F: Future<Output = Result<T, CallError>>,
    {
        let (is_job, failover) = match self {
            Patience::Screen(failover) => (false, failover),
            Patience::Job => (true, FAILOVER),
        };
        let began = Instant::now();
        // Since when the host says nothing.
        let mut lost = None;
        let mut pause = *PAUSES.start();
        loop {
            let error = match attempt().await {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            let (asked, until) = match &error {
                CallError::RateLimited { .. } if !is_job => return Err(error),
                CallError::RateLimited { retry_after } | CallError::Busy { retry_after } => {
                    lost = None;
                    let longest = if is_job { ASKED } else { failover };
                    (*retry_after, began + longest)
                }
                error => {
                    let is_waited_for = match error {
                        CallError::Host { status: 504, .. } => is_repeatable,
                        CallError::OutcomeUnknown(doubt) => {
                            (is_job || doubt.is_answered) && is_repeatable
                        }
                        CallError::Unreachable { .. } => is_job && has_answered(),
                        _ => false,
                    };
                    if !is_waited_for {
                        return Err(error.clone());
                    }
                    let since = lost.get_or_insert_with(Instant::now);
                    (Duration::ZERO, *since + failover)
                }
            };
            let wait = asked.max(pause);
            if Instant::now() + wait >= until {
                return Err(error);
            }
            on_wait(wait);
            sleep(wait).await;
            pause = (pause * 2).min(*PAUSES.end());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// The number of attempts at a host that always fails like this, and the seconds until it is given up.
    async fn tries(patience: Patience, is_repeatable: bool, error: CallError) -> (usize, u64) {
        let (began, attempts) = (Instant::now(), Cell::new(0));
        let attempt = || {
            attempts.set(attempts.get() + 1);
            std::future::ready(Err::<(), _>(error.clone()))
        };
        let ended = patience
            .repeat(is_repeatable, || true, |_| {}, attempt)
            .await;
        assert_eq!(ended, Err(error.clone()));
        (attempts.get(), began.elapsed().as_secs())
    }

    #[tokio::test(start_paused = true)]
    async fn only_a_job_waits_for_more_than_a_failover() {
        let limited = |seconds| {
            let retry_after = Duration::from_secs(seconds);
            CallError::RateLimited { retry_after }
        };
        let busy = |seconds| {
            let retry_after = Duration::from_secs(seconds);
            CallError::Busy { retry_after }
        };
        let away = || CallError::Unreachable {
            host: "a host".to_owned(),
            reason: "cannot be reached".to_owned(),
        };
        assert_eq!(
            tries(Patience::Screen(FAILOVER), true, limited(1)).await,
            (1, 0)
        );
        assert_eq!(
            tries(Patience::Screen(FAILOVER), true, away()).await,
            (1, 0)
        );
        assert_eq!(
            tries(Patience::Screen(FAILOVER), false, busy(9)).await,
            (4, 27)
        );
        assert_eq!(tries(Patience::Job, false, limited(60)).await, (5, 240));
        assert_eq!(tries(Patience::Job, false, limited(300)).await, (1, 0));
        assert_eq!(tries(Patience::Job, false, away()).await.1, 29);
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_that_may_have_been_made_is_repeated_if_that_is_safe() {
        let unknown = || CallError::no_answer("no answer");
        let lost = || CallError::Host {
            status: 504,
            message: "the database was lost".to_owned(),
        };
        for error in [unknown(), lost()] {
            assert_eq!(tries(Patience::Job, false, error.clone()).await, (1, 0));
            assert!(tries(Patience::Job, true, error).await.0 > 10);
        }
        assert_eq!(
            tries(Patience::Screen(FAILOVER), true, unknown()).await,
            (1, 0)
        );
        assert!(tries(Patience::Screen(FAILOVER), true, lost()).await.0 > 10);
    }

    #[tokio::test(start_paused = true)]
    async fn a_host_that_never_answered_is_not_waited_for() {
        let away = CallError::Unreachable {
            host: "a host".to_owned(),
            reason: "cannot be reached".to_owned(),
        };
        let attempt = || std::future::ready(Err::<(), _>(away.clone()));
        let waits = Cell::new(0);
        let count = |_| waits.set(waits.get() + 1);
        let ended = Patience::Job.repeat(true, || false, count, attempt).await;
        assert_eq!((ended, waits.get()), (Err(away.clone()), 0));
    }
}
