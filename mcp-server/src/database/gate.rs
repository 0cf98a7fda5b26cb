//! The pool of connections, behind a bounded queue.

use std::sync::Arc;
use std::time::{Duration, Instant};

use deadpool::managed::{Object, Pool, PoolError, TimeoutType, Timeouts};
use frontdesk_postgres::Session;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::error::TransactionError;
use super::manager::Manager;
use super::opening::Access;
use super::source::OpenError;
use crate::telemetry::Counted;

/// The pool of connections. The number of calls that wait for one and the time each waits are bounded; further
/// calls are refused at once. Writes can wait for rows locked by other writes, so they never get all
/// connections: reads continue. Cheap to clone.
#[derive(Clone)]
pub(super) struct Gate {
    pool: Pool<Manager>,
    /// One permit for each call that has a connection or waits for one.
    calls: Arc<Semaphore>,
    /// One permit for each connection that writes can use.
    writes: Arc<Semaphore>,
    /// One permit for each write that waits for a connection.
    waiting_writes: Arc<Semaphore>,
    /// The time a call waits for a connection before it is refused as busy.
    wait: Duration,
    /// The statement with which each transaction makes its settings, if its session does not have them.
    settings: Option<Arc<str>>,
    /// Whether the database is a cluster, whose primary another node can replace.
    is_cluster: bool,
}

/// The time that a call waits for a cluster to have a primary. Clients wait for 10 s for an answer: until then they have
/// one that says that nothing was done.
const FAILOVER: Duration = Duration::from_secs(8);
/// The pause between two attempts to find it.
const AGAIN: Duration = Duration::from_millis(200);

/// A session of the pool, and the permits of its call.
pub(super) struct Held {
    object: Object<Manager>,
    _call: OwnedSemaphorePermit,
    _write: Option<OwnedSemaphorePermit>,
    _counted: Counted,
}

impl Held {
    pub(super) fn session(&mut self) -> &mut Session {
        &mut self.object
    }

    /// When the session was opened.
    pub(super) fn created(&self) -> Instant {
        Object::metrics(&self.object).created
    }

    /// Removes the session from the pool.
    pub(super) fn take(self) -> Session {
        Object::take(self.object)
    }
}

/// A connection in a transaction. Only [`Open::finish`] returns it to the pool; dropping it closes it,
/// and PostgreSQL rolls back.
pub(super) struct Open(Option<Held>);

impl Open {
    pub(super) fn of(held: Held) -> Open {
        Open(Some(held))
    }

    pub(super) fn session(&mut self) -> &mut Session {
        match &mut self.0 {
            Some(held) => held.session(),
            None => unreachable!("the connection is taken only by finish and drop"),
        }
    }

    /// Returns an idle connection to the pool and closes any other.
    pub(super) fn finish(mut self) {
        if self.session().is_idle() {
            self.0.take();
        }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        // The connection is closed in any case, which rolls its transaction back.
        if let Some(held) = self.0.take()
            && let Some(end) = held.take().abandon()
        {
            tokio::spawn(end);
        }
    }
}

impl Gate {
    /// `queue` bounds the waiting reads, and separately the waiting writes.
    pub(super) fn new(
        pool: Pool<Manager>,
        queue: usize,
        wait: Duration,
        settings: Option<Arc<str>>,
        is_cluster: bool,
    ) -> Self {
        let size = pool.status().max_size;
        // A quarter is reserved for reads, and at least one connection.
        let writes = size.saturating_sub((size / 4).max(1)).max(1);
        let permits = |count: usize| Arc::new(Semaphore::new(count.min(Semaphore::MAX_PERMITS)));
        Gate {
            pool,
            calls: permits(size.saturating_add(queue)),
            writes: permits(writes),
            waiting_writes: permits(queue),
            wait,
            settings,
            is_cluster,
        }
    }

    /// Whether a lost connection can mean that another node takes over.
    pub(super) fn is_cluster(&self) -> bool {
        self.is_cluster
    }

    /// The statement with which each transaction makes its settings.
    pub(super) fn settings(&self) -> Option<&str> {
        self.settings.as_deref()
    }

    /// The number of connections.
    pub(super) fn connections(&self) -> usize {
        self.pool.status().max_size
    }

    /// The number of calls that it would still take.
    pub(super) fn places(&self) -> usize {
        self.calls.available_permits()
    }

    /// The same pool with a different queue length.
    pub(super) fn with_queue(self, queue: usize) -> Self {
        Gate::new(self.pool, queue, self.wait, self.settings, self.is_cluster)
    }

    /// A free connection, or the next one released.
    ///
    /// # Errors
    /// [`TransactionError::Busy`], at once if the queue is full, or later if no connection becomes free in time.
    pub(super) async fn connection(&self, access: Access) -> Result<Held, TransactionError> {
        let waiting = Counted::by("frontdesk_calls_waiting");
        let write = match access {
            Access::Read => None,
            Access::Write => Some(self.write().await?),
        };
        let call = at_once(&self.calls)?;
        let object = self.object().await?;
        drop(waiting);
        Ok(Held {
            object,
            _call: call,
            _write: write,
            _counted: Counted::by("frontdesk_database_connections"),
        })
    }

    /// A connection of the pool. Nothing was sent yet, so a call can wait for a failover to end.
    async fn object(&self) -> Result<Object<Manager>, PoolError<OpenError>> {
        if !self.is_cluster {
            return self.pool.get().await;
        }
        let found = async {
            loop {
                match self.pool.get().await {
                    Err(PoolError::Backend(_) | PoolError::Timeout(TimeoutType::Create)) => {
                        tokio::time::sleep(AGAIN).await;
                    }
                    other => return other,
                }
            }
        };
        let found = tokio::time::timeout(FAILOVER, found).await;
        found.unwrap_or_else(|_| {
            let late = std::io::ErrorKind::TimedOut.into();
            let late = frontdesk_postgres::Error::Unreachable(late);
            Err(PoolError::Backend(OpenError::Connect(late)))
        })
    }

    /// A permit for the connection of a write.
    async fn write(&self) -> Result<OwnedSemaphorePermit, TransactionError> {
        if let Ok(permit) = at_once(&self.writes) {
            return Ok(permit);
        }
        let _waiting = at_once(&self.waiting_writes)?;
        let permit = Arc::clone(&self.writes).acquire_owned();
        match tokio::time::timeout(self.wait, permit).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => Err(TransactionError::Busy),
        }
    }

    /// A connection, if one is free.
    ///
    /// # Errors
    /// [`TransactionError::Connect`] if a new one cannot be opened.
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

    /// A connection, however long the queue is: for the server's own work.
    ///
    /// # Errors
    /// As [`Gate::connection`].
    #[cfg(feature = "embedded")]
    pub(super) async fn patiently(&self) -> Result<Object<Manager>, TransactionError> {
        Ok(self.pool.get().await?)
    }

    /// Refuses all further requests for a connection.
    pub(super) fn close(&self) {
        self.pool.close();
    }
}

fn at_once(semaphore: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, TransactionError> {
    let permit = Arc::clone(semaphore).try_acquire_owned();
    permit.map_err(|_| TransactionError::Busy)
}
