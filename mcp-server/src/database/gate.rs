//! The way to a connection: some may wait for one, and who comes then is told so at once.

use std::sync::Arc;
use std::time::{Duration, Instant};

use deadpool::managed::{self, Object, PoolError, TimeoutType, Timeouts};
use frontdesk_postgres::Session;

use super::TransactionError;
use super::pool::Manager;
use super::room::{Place, Room};

/// The pool with a bounded queue before it: what is beyond capacity is refused while those who wait
/// keep their place, instead of everybody waiting ever longer. Cheap to clone.
#[derive(Clone)]
pub(super) struct Gate {
    pool: managed::Pool<Manager>,
    room: Arc<Room>,
    started: Instant,
}

/// A session that somebody has who was let in.
pub(super) struct Held {
    object: Object<Manager>,
    _place: Place,
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
    /// A pool of so many connections, for which anybody may wait.
    pub(super) fn new(pool: managed::Pool<Manager>, connections: usize) -> Self {
        Gate {
            pool,
            room: Arc::new(Room::without_end(connections)),
            started: Instant::now(),
        }
    }

    /// The same pool, for which so many may wait.
    pub(super) fn with_room(mut self, waiting: usize) -> Self {
        self.room = Arc::new(Room::for_waiting(self.room.connections(), waiting));
        self
    }

    /// A connection: one that is free, or the next one that becomes free.
    ///
    /// # Errors
    /// [`TransactionError::Busy`], at once where too many wait already, and otherwise where none
    /// becomes free in time.
    pub(super) async fn connection(&self) -> Result<Held, TransactionError> {
        let place = self.room.enter(self.started.elapsed());
        let place = place.ok_or(TransactionError::Busy)?;
        let object = match self.free().await? {
            Some(free) => free,
            None => self.pool.get().await?,
        };
        Ok(Held {
            object,
            _place: place,
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
