//! Opens the sessions of a pool, with their settings and without rights of their own.

use deadpool::managed::{self, Metrics, RecycleResult};
use frontdesk_postgres::Session;

use super::source::{OpenError, Source};
use crate::limits::Limits;

/// The settings of calls besides their limits.
///
/// A statement is planned once per connection, not for each call: it contains only the conditions that the
/// call has, so a plan gains nothing from their values. By default PostgreSQL would plan a page of a long
/// list for each call, because it cannot know how short the page is, and would start parallel workers for
/// a page of twenty rows.
///
/// The others are what a role or a database can have been given, and what our statements do not work with.
const SETTINGS: [(&str, &str); 8] = [
    ("timezone", "UTC"),
    ("datestyle", "ISO, MDY"),
    ("intervalstyle", "postgres"),
    ("standard_conforming_strings", "on"),
    ("row_security", "on"),
    ("default_transaction_isolation", "read committed"),
    ("plan_cache_mode", "force_generic_plan"),
    ("max_parallel_workers_per_gather", "0"),
];

/// Opens the sessions of a pool.
pub(super) struct Manager {
    pub(super) source: Source,
    pub(super) limits: Limits,
}

impl managed::Manager for Manager {
    type Type = Session;
    type Error = OpenError;

    async fn create(&self) -> Result<Session, OpenError> {
        let mut session = self.source.session().await?;
        // A pooler would give the settings and the role to others: each transaction has its own.
        if !self.source.is_pooled() {
            session.batch(&settings(&self.limits, false)).await?;
            disarm(&mut session).await?;
        }
        Ok(session)
    }

    async fn recycle(&self, session: &mut Session, _: &Metrics) -> RecycleResult<OpenError> {
        if session.is_closed() {
            return Err(managed::RecycleError::message("the connection is closed"));
        }
        Ok(())
    }
}

/// The statement that makes the settings, for the session or only its transaction.
pub(super) fn settings(limits: &Limits, is_local: bool) -> String {
    let limits = [
        ("statement_timeout", limits.statement),
        ("lock_timeout", limits.lock),
        ("idle_in_transaction_session_timeout", limits.idle),
    ];
    let limits = limits.map(|(name, limit)| (name, limit.as_millis().to_string()));
    let settings = SETTINGS.map(|(name, value)| (name, value.to_owned()));
    let set = limits.into_iter().chain(settings);
    let set = set.map(|(name, value)| format!("set_config('{name}', '{value}', {is_local})"));
    format!("select {}", set.collect::<Vec<_>>().join(", "))
}

/// Makes the session run as `authenticator`, which has no rights of its own. A superuser switches
/// permanently; other users must have logged in as `authenticator` or take it on as a role.
async fn disarm(session: &mut Session) -> Result<(), OpenError> {
    let who = "select rolsuper, session_user = 'authenticator' from pg_roles where rolname = session_user";
    let rows = session.query(&[], who, &[], &[]).await?;
    let who = rows.first().map(|row| (row.get(0), row.get(1)));
    let statement = match who {
        Some((true, _)) => "set session authorization authenticator",
        Some((false, true)) => return Ok(()),
        _ => "set role authenticator",
    };
    session.batch(statement).await?;
    Ok(())
}
