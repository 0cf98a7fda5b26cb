//! How long a call may take, without a timer of its own for each.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep};

/// The timer of a connection, which answers one request after another. To put off a timer that runs costs
/// nothing; to start one for each call would wake whoever waits for the next to ring, just to have it wait
/// for less.
#[derive(Debug, Clone)]
pub(crate) struct Timer(Arc<Mutex<Pin<Box<Sleep>>>>);

impl Timer {
    /// One that has not been used.
    pub(crate) fn new() -> Timer {
        Timer(Arc::new(Mutex::new(Box::pin(sleep(Duration::ZERO)))))
    }

    /// What this comes to within so long; nothing where it takes longer.
    pub(crate) async fn within<T>(
        &self,
        limit: Duration,
        work: impl Future<Output = T>,
    ) -> Option<T> {
        let mut work = pin!(work);
        let end = Instant::now() + limit;
        let timer = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        timer().as_mut().reset(end);
        poll_fn(|cx| match work.as_mut().poll(cx) {
            Poll::Ready(done) => Poll::Ready(Some(done)),
            Poll::Pending => timer().as_mut().poll(cx).map(|()| None),
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    const LIMIT: Duration = Duration::from_secs(30);

    #[tokio::test(start_paused = true)]
    async fn what_takes_too_long_is_given_up_every_time() {
        let timer = Timer::new();
        for _ in 0..3 {
            let began = Instant::now();
            assert_eq!(timer.within(LIMIT, pending::<()>()).await, None);
            assert!(began.elapsed() >= LIMIT, "{:?}", began.elapsed());
            assert!(began.elapsed() < LIMIT * 2, "{:?}", began.elapsed());
        }
    }

    #[tokio::test(start_paused = true)]
    async fn each_has_the_whole_time() {
        let timer = Timer::new();
        for number in 0..3 {
            let work = async {
                sleep(LIMIT - Duration::from_millis(1)).await;
                number
            };
            assert_eq!(timer.within(LIMIT, work).await, Some(number));
        }
    }
}
