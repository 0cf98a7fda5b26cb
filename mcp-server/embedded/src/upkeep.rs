//! What a server's background processes do, and what this engine needs besides, between the
//! requests of a client.
//!
//! - Nobody else writes checkpoints, without which the write-ahead log grows for ever and a start
//!   after a crash reads all of it.
//! - Nobody else vacuums and analyses.
//! - An error leaves the engine's stack pointer where it was raised, some kilobytes lower each
//!   time (error recovery jumps out of the guest without restoring it). At the limit every
//!   statement would fail with `54001`, so the instance is replaced well before it. That takes
//!   about 0.4 seconds, after some hundred errors or more, and the client does not notice: its
//!   session is carried over.

use std::time::Duration;

use crate::engine::Engine;
use crate::fatal::{Fatal, STACK_DEPTH_EXCEEDED};
use crate::session::{Session, Users, rows};

/// Errors after which the depth of the stack is looked at. At the 3 kB that an ordinary error
/// costs, and at ten times as much, this is less than the margin that is looked for.
const ERRORS: u32 = 64;

/// Work of the engine after which the size of the write-ahead log is looked at.
const CHECKPOINT_WORK: Duration = Duration::from_secs(1);

/// Work of the engine after which it is looked for tables to vacuum and to analyse.
const VACUUM_WORK: Duration = Duration::from_secs(10);

/// Statements of one request are one transaction: it ends with the session's user as it was.
const AS_SUPERUSER: &str = "set local session authorization postgres; set local role none;";

/// Half of `max_stack_depth`.
const STACK_IS_FINE: &str = "set local max_stack_depth = '3MB'; select 1";

/// Half of `max_wal_size`.
const LOG_IS_LONG: &str = "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) \
    > 32 * 1024 * 1024 from pg_control_checkpoint()";

/// Autovacuum's own conditions, at its default settings.
const WORN_TABLES: &str = "select format('%I.%I', t.schemaname, t.relname) \
    from pg_stat_all_tables t join pg_class c on c.oid = t.relid \
    where c.relpersistence <> 't' and t.schemaname <> 'pg_toast' \
    and (n_dead_tup > 50 + 0.2 * greatest(reltuples, 0) \
    or n_mod_since_analyze > 50 + 0.1 * greatest(reltuples, 0))";

/// What has happened since it was last seen to.
#[derive(Debug, Default)]
pub(crate) struct Upkeep {
    errors: u32,
    since_checkpoint: Duration,
    since_vacuum: Duration,
}

impl Upkeep {
    /// The engine has worked for so long.
    pub(crate) fn worked(&mut self, time: Duration) {
        self.since_checkpoint += time;
        self.since_vacuum += time;
    }

    /// The engine has answered with an error.
    pub(crate) fn erred(&mut self) {
        self.errors += 1;
    }
}

/// Does what is due. To be called while no request waits.
pub(crate) fn keep_up(engine: &mut Engine) -> Result<(), Fatal> {
    engine.check()?;
    if !engine.is_idle() {
        return Ok(());
    }
    if engine.upkeep.errors >= ERRORS {
        engine.upkeep.errors = 0;
        if stack_is_deep(engine)? {
            let session = Session::of(engine)?;
            engine.replace()?;
            session.restore(engine)?;
        }
    }
    if engine.upkeep.since_checkpoint >= CHECKPOINT_WORK {
        engine.upkeep.since_checkpoint = Duration::ZERO;
        report("checkpoint", checkpoint(engine));
    }
    if engine.upkeep.since_vacuum >= VACUUM_WORK {
        engine.upkeep.since_vacuum = Duration::ZERO;
        match worn_tables(engine) {
            Ok(tables) if tables.is_empty() => {}
            Ok(tables) => vacuum(engine, &tables)?,
            Err(fatal) => report("vacuum", Err(fatal)),
        }
    }
    engine.check()
}

fn stack_is_deep(engine: &mut Engine) -> Result<bool, Fatal> {
    match engine.run(&format!("{AS_SUPERUSER} {STACK_IS_FINE}")) {
        Ok(_) => Ok(false),
        Err(fatal) if fatal.code() == STACK_DEPTH_EXCEEDED => Ok(true),
        Err(fatal) => Err(fatal),
    }
}

fn checkpoint(engine: &mut Engine) -> Result<(), Fatal> {
    let long = rows(engine, &format!("{AS_SUPERUSER} {LOG_IS_LONG}"))?;
    if long == [["t"]] {
        engine.run(&format!("{AS_SUPERUSER} checkpoint"))?;
    }
    Ok(())
}

fn worn_tables(engine: &mut Engine) -> Result<Vec<String>, Fatal> {
    Ok(rows(engine, &format!("{AS_SUPERUSER} {WORN_TABLES}"))?.concat())
}

fn vacuum(engine: &mut Engine, tables: &[String]) -> Result<(), Fatal> {
    // VACUUM refuses to run beside another statement in a request.
    let users = Users::of(engine)?;
    engine.run("set session authorization postgres")?;
    engine.run("set role none")?;
    let vacuumed = engine.run(&format!("vacuum (analyze) {}", tables.join(", ")));
    report("vacuum", vacuumed.map(drop));
    users.restore(engine)
}

/// The client is not concerned, and it will be tried again.
fn report(what: &str, outcome: Result<(), Fatal>) {
    if let Err(fatal) = outcome {
        tracing::warn!(?fatal, "upkeep of the embedded database: {what} failed");
    }
}
