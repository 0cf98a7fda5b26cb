//! The pool of connections, with a bounded queue before it.

use std::sync::Arc;
use std::time::Duration;

use deadpool::managed::{Object, Pool, PoolError, TimeoutType, Timeouts};
use frontdesk_postgres::Session;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::TransactionError;
use super::pool::Manager;

/// The pool, for which a bounded number of calls wait, each for the pool's time-out at most. Further calls
/// are refused at once, so that those that wait keep their place. Cheap to clone.
#[derive(Clone)]
pub(super) struct Gate {
    pool: Pool<Manager>,
    /// A permit for each call that has a connection or waits for one.
    calls: Arc<Semaphore>,
}

/// A session of the pool, and the permit of the call that uses it.
pub(super) struct Held {
    object: Object<Manager>,
    _permit: OwnedSemaphorePermit,
}

impl Held {
    pub(super) fn session(&mut self) -> &mut Session {
        &mut self.object
    }

    /// The session, which does not go back to the pool.
    pub(super) fn take(self) -> Session {
        Object::take(self.object)
    }
}

impl Gate {
    /// The pool, for which at most this many calls wait.
    pub(super) fn new(pool: Pool<Manager>, queue: usize) -> Self {
        let calls = pool.status().max_size.saturating_add(queue);
        Gate {
            pool,
            calls: Arc::new(Semaphore::new(calls.min(Semaphore::MAX_PERMITS))),
        }
    }

    /// The same pool with a queue of another length.
    pub(super) fn with_queue(self, queue: usize) -> Self {
        Gate::new(self.pool, queue)
    }

    /// A connection: one that is free, or the next one that becomes free.
    ///
    /// # Errors
    /// [`TransactionError::Busy`], at once where the queue is full, and otherwise where no connection becomes
    /// free in time.
    pub(super) async fn connection(&self) -> Result<Held, TransactionError> {
        let permit = Arc::clone(&self.calls).try_acquire_owned();
        let permit = permit.map_err(|_| TransactionError::Busy)?;
        Ok(Held {
            object: self.pool.get().await?,
            _permit: permit,
        })
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

    /// A connection, however long the queue is: for work of the server's own.
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
