//! The way to a connection: some may wait for one, and who comes then is told so at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use deadpool::managed::{self, Object, PoolError, TimeoutType, Timeouts};

use super::TransactionError;
use super::pool::Manager;

/// The pool with a bounded queue before it: what is beyond capacity is refused while those who wait
/// keep their place, instead of everybody waiting ever longer. Cheap to clone.
#[derive(Clone)]
pub(super) struct Gate {
    pool: managed::Pool<Manager>,
    waiting: Arc<AtomicUsize>,
    /// How many may wait.
    most: usize,
}

/// One who waits; counted until this is dropped.
struct Place(Arc<AtomicUsize>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Gate {
    pub(super) fn new(pool: managed::Pool<Manager>, most: usize) -> Self {
        Gate {
            pool,
            waiting: Arc::default(),
            most,
        }
    }

    /// The same pool and the same queue, in which so many may wait.
    pub(super) fn with_room(mut self, most: usize) -> Self {
        self.most = most;
        self
    }

    /// A connection: one that is free, or the next one that becomes free.
    ///
    /// # Errors
    /// [`TransactionError::Busy`], at once where too many wait already, and otherwise where none
    /// becomes free in time.
    pub(super) async fn connection(&self) -> Result<Object<Manager>, TransactionError> {
        if let Some(free) = self.free().await? {
            return Ok(free);
        }
        let place = Place(Arc::clone(&self.waiting));
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= self.most {
            return Err(TransactionError::Busy);
        }
        let connection = self.pool.get().await;
        drop(place);
        Ok(connection?)
    }

    /// A connection, if one is free.
    ///
    /// # Errors
    /// [`TransactionError::Connect`] where a new one cannot be opened.
    pub(super) async fn free(&self) -> Result<Option<Object<Manager>>, TransactionError> {
        let at_once = Timeouts {
            wait: Some(Duration::ZERO),
            ..self.pool.timeouts()
        };
        match self.pool.timeout_get(&at_once).await {
            Ok(connection) => Ok(Some(connection)),
            Err(PoolError::Timeout(TimeoutType::Wait)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// A connection, however many wait: for those whom nobody can ask to come back later.
    ///
    /// # Errors
    /// As [`Gate::connection`].
    #[cfg(feature = "embedded")]
    pub(super) async fn patiently(&self) -> Result<Object<Manager>, TransactionError> {
        Ok(self.pool.get().await?)
    }

    /// Gives out no more connections.
    pub(super) fn close(&self) {
        self.pool.close();
    }
}
