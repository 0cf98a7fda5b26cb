//! The work of a server's background processes, and upkeep that only this engine needs. It runs
//! between the requests of a client.
//!
//! - Checkpoints: without them the write-ahead log grows without limit, and a start after a crash
//!   reads all of it.
//! - Vacuum and analyze.
//! - Replacing the instance. An error leaves the engine's stack pointer where it was raised, some
//!   kilobytes lower each time, because error recovery jumps out of the guest without restoring it.
//!   At the limit every statement would fail with `54001`, so the instance is replaced well before
//!   that, after a hundred errors or more. Replacing takes about 0.4 seconds, and the client does not
//!   notice, because its session is carried over.

use std::time::Duration;

use crate::engine::Engine;
use crate::fatal::{Fatal, STACK_DEPTH_EXCEEDED};
use crate::session::{Session, Users, rows};

/// The number of errors between two checks of the stack depth. An ordinary error uses 3 kB of stack;
/// even at ten times as much, this many errors use less than the margin that the check requires.
const ERRORS: u32 = 64;

/// The engine's working time between two checks of the size of the write-ahead log.
const CHECKPOINT_WORK: Duration = Duration::from_secs(1);

/// The engine's working time between two searches for tables to vacuum and analyze.
const VACUUM_WORK: Duration = Duration::from_secs(10);

/// The statements of one request are one transaction: at its end the session's user is restored.
const AS_SUPERUSER: &str = "set local session authorization postgres; set local role none;";

/// Half of `max_stack_depth`.
const STACK_IS_FINE: &str = "set local max_stack_depth = '3MB'; select 1";

/// Half of `max_wal_size`.
const LOG_IS_LONG: &str = "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) \
    > 32 * 1024 * 1024 from pg_control_checkpoint()";

/// Autovacuum's own conditions, at its default settings.
const IS_WORN: &str = "n_dead_tup > 50 + 0.2 * greatest(reltuples, 0) \
    or n_mod_since_analyze > 50 + 0.1 * greatest(reltuples, 0)";

/// Without statistics PostgreSQL takes all indexes of a growing table for equally good.
const IS_UNKNOWN: &str = "reltuples < 0 and n_mod_since_analyze > 50";

/// Does the upkeep that is due. Call it only if no request waits.
pub(crate) fn keep_up(engine: &mut Engine) -> Result<(), Fatal> {
    engine.check()?;
    if !engine.is_idle() {
        return Ok(());
    }
    if engine.worked.errors >= ERRORS {
        engine.worked.errors = 0;
        if stack_is_deep(engine)? {
            let session = Session::of(engine)?;
            engine.replace()?;
            session.restore(engine)?;
        }
    }
    if engine.worked.since_checkpoint >= CHECKPOINT_WORK {
        engine.worked.since_checkpoint = Duration::ZERO;
        report("checkpoint", checkpoint(engine));
        report("analyze", analyze(engine));
    }
    if engine.worked.since_vacuum >= VACUUM_WORK {
        engine.worked.since_vacuum = Duration::ZERO;
        match tables(engine, IS_WORN) {
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

fn analyze(engine: &mut Engine) -> Result<(), Fatal> {
    let unknown = tables(engine, IS_UNKNOWN)?;
    if !unknown.is_empty() {
        engine.run(&format!("{AS_SUPERUSER} analyze {}", unknown.join(", ")))?;
    }
    Ok(())
}

/// The names of the tables for which this holds.
fn tables(engine: &mut Engine, condition: &str) -> Result<Vec<String>, Fatal> {
    let sql = format!(
        "{AS_SUPERUSER} select format('%I.%I', t.schemaname, t.relname) \
         from pg_stat_all_tables t join pg_class c on c.oid = t.relid \
         where c.relpersistence <> 't' and t.schemaname <> 'pg_toast' and ({condition})"
    );
    Ok(rows(engine, &sql)?.concat())
}

fn vacuum(engine: &mut Engine, tables: &[String]) -> Result<(), Fatal> {
    // VACUUM cannot run with another statement in the same request.
    let users = Users::of(engine)?;
    engine.run("set session authorization postgres")?;
    engine.run("set role none")?;
    let vacuumed = engine.run(&format!("vacuum (analyze) {}", tables.join(", ")));
    report("vacuum", vacuumed.map(drop));
    users.restore(engine)
}

/// Only logs a failure: it does not affect the client, and upkeep is retried.
fn report(what: &str, outcome: Result<(), Fatal>) {
    if let Err(fatal) = outcome {
        tracing::warn!(?fatal, "upkeep of the embedded database: {what} failed");
    }
}
