//! Replicas that answer reads. A read sees every change that was confirmed before it began.
//!
//! Before a read, the primary is asked for its position: where its log ends. One question serves all reads that wait at that
//! moment. A replica that has replayed the log up to this position answers. If none has within [`PATIENCE`], or anything fails, the primary
//! answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use frontdesk_postgres::{Params, Row};
use parking_lot::Mutex;
use tokio::time::timeout;
use tokio_postgres::error::SqlState;

use super::error::TransactionError;
use super::gate::{Gate, Open};
use super::opening::{Access, Opening, read};
use super::reads::Reads;
use super::sampler::{Position, Sampler};
use super::source::Source;

/// The time that a read waits for a replica to replay what the read must see.
const PATIENCE: Duration = Duration::from_millis(50);
/// The pause between two questions to a replica that has not replayed it yet.
const AGAIN: Duration = Duration::from_millis(1);

/// The timeline of a primary, and the position up to which its log is flushed, as every confirmed commit is. Log that is
/// inserted and not flushed belongs to open transactions, and standbys get it late. Fails on a standby.
const WRITTEN: &str = "select left(pg_walfile_name(pg_current_wal_flush_lsn()), 8),
       (case current_setting('synchronous_commit')
          when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end - '0/0')::bigint";

/// The timeline that a standby replays, and its position, which is null on a primary. A login that cannot read
/// `pg_stat_wal_receiver` sees a new timeline after the next restart point.
const REPLAYED: &str = "select lpad(upper(to_hex(greatest(
                (pg_control_recovery()).min_recovery_end_timeline, (pg_control_checkpoint()).timeline_id,
                (select received_tli from pg_stat_wal_receiver)))), 8, '0'),
       case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::bigint end";

/// The replicas of a database.
#[derive(Debug)]
pub(super) struct Replicas {
    primary: Arc<Sampler>,
    all: Vec<Arc<Replica>>,
    /// Counts reads, so that equal replicas take turns.
    turn: AtomicUsize,
}

/// A replica.
pub(super) struct Replica {
    gate: Gate,
    sampler: Arc<Sampler>,
    /// What it had not replayed in time. Until it has, reads do not wait for it.
    behind: Mutex<Option<Position>>,
}

impl std::fmt::Debug for Replica {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Replica")
    }
}

/// What answers the statements of one read.
#[derive(Debug, Clone)]
pub(super) enum Reader {
    /// It is not chosen yet.
    Any,
    /// A replica that has replayed the log up to here.
    Replica(Arc<Replica>, Arc<Position>),
    /// The primary.
    Primary,
}

impl Replicas {
    /// The replicas of this primary, each with the gate of its connections. Must be called in a runtime.
    pub(super) fn of(primary: Source, replicas: Vec<(Source, Gate)>) -> Self {
        let replica = |(source, gate)| {
            Arc::new(Replica {
                gate,
                sampler: Arc::new(Sampler::of(source, REPLAYED)),
                behind: Mutex::default(),
            })
        };
        Replicas {
            primary: Arc::new(Sampler::of(primary, WRITTEN)),
            all: replicas.into_iter().map(replica).collect(),
            turn: AtomicUsize::default(),
        }
    }

    /// The same replicas with a different queue length.
    pub(super) fn with_queue(&self, queue: usize) -> Self {
        let replica = |replica: &Arc<Replica>| {
            Arc::new(Replica {
                gate: replica.gate.clone().with_queue(queue),
                sampler: Arc::clone(&replica.sampler),
                behind: Mutex::default(),
            })
        };
        Replicas {
            primary: Arc::clone(&self.primary),
            all: self.all.iter().map(replica).collect(),
            turn: AtomicUsize::default(),
        }
    }

    /// Chooses what answers a read that begins now.
    pub(super) async fn reader(&self) -> Reader {
        let Some(replica) = self.least_busy() else {
            return Reader::Primary;
        };
        match self.primary.next().await.position {
            Some(position) => Reader::Replica(Arc::clone(replica), position),
            None => Reader::Primary,
        }
    }

    /// The replica with the fewest calls, of those for which it is worth waiting.
    fn least_busy(&self) -> Option<&Arc<Replica>> {
        let turn = self.turn.fetch_add(1, Ordering::Relaxed);
        let count = self.all.len();
        let in_turn = (0..count).map(|at| &self.all[turn.wrapping_add(at) % count]);
        let useful = in_turn.filter(|replica| replica.is_useful());
        useful.min_by_key(|replica| std::cmp::Reverse(replica.gate.places()))
    }

    /// Refuses all further reads.
    pub(super) fn close(&self) {
        for replica in &self.all {
            replica.gate.close();
        }
    }
}

impl Replica {
    /// Whether it answers and is not known to be behind. If not, asks it again, without waiting.
    fn is_useful(&self) -> bool {
        let last = self.sampler.last();
        let mut behind = self.behind.lock();
        if behind.as_ref().is_some_and(|behind| last.reaches(behind)) {
            *behind = None;
        }
        let is_useful = last.position.is_some() && behind.is_none();
        if !is_useful {
            self.sampler.ask();
        }
        is_useful
    }

    /// Runs one statement of a read that must see everything before `position`; `None` if the primary has to.
    pub(super) async fn read(
        &self,
        position: &Position,
        opening: &Opening<'_>,
        sql: &str,
        params: Params<'_>,
        reads: Option<&Reads>,
    ) -> Option<Result<Vec<Row>, TransactionError>> {
        tokio::select! {
            answer = self.answer(position, opening, sql, params, reads) => answer,
            () = self.sampler.gone() => None,
        }
    }

    async fn answer(
        &self,
        position: &Position,
        opening: &Opening<'_>,
        sql: &str,
        params: Params<'_>,
        reads: Option<&Reads>,
    ) -> Option<Result<Vec<Row>, TransactionError>> {
        let asked = self.replays(position, None).await?;
        let held = self.gate.connection(Access::Read).await.ok()?;
        // A replica that restarts can be behind what it had replayed. It cuts the connections from before.
        if held.created() > asked {
            self.replays(position, Some(held.created())).await?;
        }
        let mut open = Open::of(held);
        let rows = read(open.session(), opening, sql, params, reads).await;
        open.finish();
        match rows {
            Ok(rows) => Some(Ok(rows)),
            Err(error) if error.code() == Some(&SqlState::QUERY_CANCELED) => {
                Some(Err(error.into()))
            }
            // The primary says whether that is so.
            Err(_) => None,
        }
    }

    /// Waits until it has replayed the log up to here, asked at or after `since`. Returns when it was asked; `None` if it
    /// does not in time.
    async fn replays(&self, position: &Position, since: Option<Instant>) -> Option<Instant> {
        // Asked in any case, so that a replica that hangs is noticed.
        self.sampler.ask();
        let known = self.sampler.last();
        if known.reaches(position) && since.is_none_or(|since| known.asked >= since) {
            return Some(known.asked);
        }
        let replayed = async {
            loop {
                let sample = self.sampler.next().await;
                if sample.position.is_none() || sample.reaches(position) {
                    return sample;
                }
                tokio::time::sleep(AGAIN).await;
            }
        };
        match timeout(PATIENCE, replayed).await {
            Ok(sample) => sample.position.map(|_| sample.asked),
            Err(_) => {
                let mut behind = self.behind.lock();
                behind.get_or_insert_with(|| position.clone());
                None
            }
        }
    }
}
