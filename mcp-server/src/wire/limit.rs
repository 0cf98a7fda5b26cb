//! The rate limit: calls a minute for each caller and host (specification, section 8). A call that is allowed soon waits.
//! Handshakes have an allowance of their own, of the same size.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use frontdesk_protocol::id::UserId;
use frontdesk_protocol::{ErrorCode, Host, ToolError};
use governor::clock::Clock as _;
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep};

use super::refusal::Refusal;
use crate::clock::{Clock, Monotonic};

/// The maximum time that a call waits.
const PATIENCE: Duration = Duration::from_secs(2);
/// The maximum number of calls that wait at the same time; others are refused.
const MOST_WAITING: usize = 256;

/// What a request counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Call,
    Handshake,
}

type Counted = (UserId, Host, Kind);
type Keyed =
    RateLimiter<Counted, DashMapStateStore<Counted>, Monotonic, StateInformationMiddleware>;

/// Counts the calls.
#[derive(Debug)]
pub(super) struct Limiter {
    keyed: Option<Keyed>,
    clock: Monotonic,
    calls: AtomicU32,
    waiting: Semaphore,
}

impl Limiter {
    /// A limit on calls a minute; 0 is unlimited.
    pub(super) fn new(calls_per_minute: u32, clock: Clock) -> Self {
        let clock = Monotonic::new(clock);
        let keyed = NonZeroU32::new(calls_per_minute).map(|calls| {
            RateLimiter::new(
                Quota::per_minute(calls),
                DashMapStateStore::default(),
                clock.clone(),
            )
        });
        Limiter {
            keyed,
            clock,
            calls: AtomicU32::new(0),
            waiting: Semaphore::new(MOST_WAITING),
        }
    }

    /// Counts a request, and returns how many more are allowed at once; `None` is unlimited. If the request is allowed
    /// soon, waits for that, and otherwise refuses it with the time until then.
    pub(super) async fn check(
        &self,
        caller: UserId,
        host: Host,
        kind: Kind,
    ) -> Result<Option<u32>, Refusal> {
        self.check_several((caller, host, kind), 1).await
    }

    /// As [`Limiter::check`], for a request that counts as several.
    pub(super) async fn check_several(
        &self,
        counted: Counted,
        calls: u32,
    ) -> Result<Option<u32>, Refusal> {
        let (Some(keyed), Some(calls)) = (&self.keyed, NonZeroU32::new(calls)) else {
            return Ok(None);
        };
        // Forget callers without recent calls, so that memory stays bounded.
        if self.calls.fetch_add(1, Ordering::Relaxed) % 4096 == 4095 {
            keyed.retain_recent();
        }
        let until = Instant::now() + PATIENCE;
        let mut place = None;
        loop {
            let wait = match keyed.check_key_n(&counted, calls) {
                Ok(Ok(state)) => return Ok(Some(state.remaining_burst_capacity())),
                Ok(Err(not_until)) => not_until.wait_time_from(self.clock.now()),
                Err(capacity) => return Err(too_many_at_once(counted.1, calls, capacity.0)),
            };
            if place.is_none() {
                place = self.waiting.try_acquire().ok();
            }
            if place.is_none() || Instant::now() + wait > until {
                return Err(refuse(wait));
            }
            sleep(wait).await;
        }
    }

    /// The time since the start, by the clock that counts calls.
    pub(super) fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }

    /// Counts calls afterwards, as far as the allowance goes.
    pub(super) fn charge(&self, counted: Counted, mut calls: u32) {
        let Some(keyed) = &self.keyed else { return };
        while let Some(some) = NonZeroU32::new(calls)
            && !matches!(keyed.check_key_n(&counted, some), Ok(Ok(_)))
        {
            calls /= 2;
        }
    }
}

fn too_many_at_once(host: Host, calls: NonZeroU32, allowed: u32) -> Refusal {
    let error = ToolError::new(
        ErrorCode::InvalidArgument,
        format!("this counts as {calls} calls; host {host} allows {allowed} a minute"),
    );
    Refusal::new(&error.hint("send fewer calls at once"))
}

pub(super) fn refuse(wait: Duration) -> Refusal {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    let error = ToolError::new(
        ErrorCode::RateLimited,
        format!("too many calls; wait {seconds} s"),
    )
    .hint(format!("try again in {seconds} s"))
    .retry_after(seconds);
    Refusal::new(&error)
}
