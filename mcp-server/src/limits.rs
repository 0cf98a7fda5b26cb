//! The time limits of a server and of its database.

use std::time::Duration;

/// Time limits. What takes longer is refused or ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// For a database connection to open, or to become free.
    pub connection: Duration,
    /// For a statement. The embedded engine does not enforce the limits of statements, locks and idle transactions.
    pub statement: Duration,
    /// For a lock of the database.
    pub lock: Duration,
    /// For an idle transaction.
    pub idle: Duration,
    /// For a call.
    pub call: Duration,
    /// For a batch that is tried: from its first write, it can hold records that others wait for.
    pub trial: Duration,
    /// For a client to read its answer.
    pub answer: Duration,
}

impl Default for Limits {
    /// 5, 10, 3, 30, 30, 1 and 30 seconds.
    fn default() -> Self {
        Limits {
            connection: Duration::from_secs(5),
            statement: Duration::from_secs(10),
            lock: Duration::from_secs(3),
            idle: Duration::from_secs(30),
            call: Duration::from_secs(30),
            trial: Duration::from_secs(1),
            answer: Duration::from_secs(30),
        }
    }
}
