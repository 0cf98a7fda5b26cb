//! The rate limit: calls a minute for each caller and host (specification, section 8).

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use axum::http::header;
use frontdesk_protocol::id::UserId;
use frontdesk_protocol::{ErrorCode, Host, ToolError};
use governor::clock::Clock as _;
use governor::middleware::NoOpMiddleware;
use governor::nanos::Nanos;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};

use super::refusal::Refusal;
use crate::clock::{Clock, Monotonic};

type Caller = (UserId, Host);
type Keyed = RateLimiter<Caller, DashMapStateStore<Caller>, Monotonic, NoOpMiddleware<Nanos>>;

/// Counts the calls.
#[derive(Debug)]
pub(super) struct Limiter {
    keyed: Option<Keyed>,
    clock: Monotonic,
    calls: AtomicU32,
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
        }
    }

    /// Counts a call, or refuses it with the time until the next one is allowed.
    pub(super) fn check(&self, caller: UserId, host: Host) -> Result<(), Refusal> {
        self.check_several(caller, host, 1)
    }

    /// As [`Limiter::check`], for a request that counts as several calls.
    pub(super) fn check_several(
        &self,
        caller: UserId,
        host: Host,
        calls: u32,
    ) -> Result<(), Refusal> {
        let Some(calls) = NonZeroU32::new(calls) else {
            return Ok(());
        };
        let Some(keyed) = &self.keyed else {
            return Ok(());
        };
        // Forget callers without recent calls, so that memory stays bounded.
        if self.calls.fetch_add(1, Ordering::Relaxed) % 4096 == 4095 {
            keyed.retain_recent();
        }
        match keyed.check_key_n(&(caller, host), calls) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(not_until)) => Err(refuse(not_until.wait_time_from(self.clock.now()))),
            Err(capacity) => Err(Refusal::new(
                &ToolError::new(
                    ErrorCode::InvalidArgument,
                    format!(
                        "this counts as {calls} calls; host {host} allows {} a minute",
                        capacity.0
                    ),
                )
                .hint("send fewer calls at once"),
            )),
        }
    }
}

pub(super) fn refuse(wait: Duration) -> Refusal {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    let error = ToolError::new(
        ErrorCode::RateLimited,
        format!("too many calls; wait {seconds} s"),
    )
    .hint(format!("the next call is welcome in {seconds} s"));
    Refusal::new(&error).header(header::RETRY_AFTER, seconds.to_string())
}
