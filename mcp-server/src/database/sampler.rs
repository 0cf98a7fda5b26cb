//! Asks one node of a cluster for its position in the log, only when a read needs it. One answer serves all reads that
//! waited when the question was sent.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use frontdesk_postgres::Session;
use tokio::sync::{Notify, watch};

use super::source::Source;

/// The time after which a node that does not answer is given up.
const SILENT: Duration = Duration::from_secs(1);
/// The pause before a node that failed is asked again.
const PAUSE: Duration = Duration::from_millis(500);

/// The database, the same in all copies of it and in no other.
const DATABASE: &str = "select concat_ws('/', (pg_control_system()).system_identifier,
              (select oid from pg_database where datname = current_database()))";

/// A position in the log of a cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Position {
    /// The log: the database and the timeline. Positions in different logs cannot be compared.
    log: String,
    /// The number of bytes before it.
    at: i64,
}

impl Position {
    /// Whether everything before `other` is before this too.
    pub(super) fn reaches(&self, other: &Position) -> bool {
        self.log == other.log && self.at >= other.at
    }
}

/// What a node answered.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    /// The number of the last request that it answers.
    up_to: u64,
    /// When it was asked.
    pub(super) asked: Instant,
    /// `None` if it did not answer, or is in another role.
    pub(super) position: Option<Arc<Position>>,
}

impl Sample {
    /// Whether the node has everything before this position.
    pub(super) fn reaches(&self, position: &Position) -> bool {
        (self.position.as_ref()).is_some_and(|reached| reached.reaches(position))
    }
}

/// Asks a node for its position. Dropping it ends the connection.
#[derive(Debug)]
pub(super) struct Sampler {
    requests: Arc<Requests>,
    samples: watch::Receiver<Sample>,
}

#[derive(Debug, Default)]
struct Requests {
    count: AtomicU64,
    is_new: Notify,
}

impl Sampler {
    /// Asks this node with a statement that returns the timeline, and the position or null.
    pub(super) fn of(node: Source, sql: &'static str) -> Sampler {
        let requests = Arc::<Requests>::default();
        let (say, samples) = watch::channel(Sample {
            up_to: 0,
            asked: Instant::now(),
            position: None,
        });
        tokio::spawn(answer(node, sql, Arc::clone(&requests), say));
        Sampler { requests, samples }
    }

    /// The last answer, however old.
    pub(super) fn last(&self) -> Sample {
        self.samples.borrow().clone()
    }

    /// An answer to a question that is asked after this call; without a position as soon as the node fails.
    pub(super) async fn next(&self) -> Sample {
        let mine = self.ask();
        self.wait_for(|sample| sample.up_to >= mine || sample.position.is_none())
            .await
    }

    async fn wait_for(&self, is_enough: impl Fn(&Sample) -> bool) -> Sample {
        let mut samples = self.samples.clone();
        match samples.wait_for(is_enough).await {
            Ok(sample) => sample.clone(),
            // The task has ended with the runtime.
            Err(_) => Sample {
                position: None,
                ..self.samples.borrow().clone()
            },
        }
    }

    /// Waits until the node does not answer, or is in another role.
    pub(super) async fn gone(&self) {
        self.wait_for(|sample| sample.position.is_none()).await;
    }

    /// Asks, without waiting. Returns the number of the request.
    pub(super) fn ask(&self) -> u64 {
        let number = self.requests.count.fetch_add(1, Ordering::SeqCst) + 1;
        self.requests.is_new.notify_one();
        number
    }
}

/// Asks the node whenever there are new requests, until nobody can ask any more.
async fn answer(
    node: Source,
    sql: &'static str,
    requests: Arc<Requests>,
    say: watch::Sender<Sample>,
) {
    let mut connection = None;
    loop {
        tokio::select! {
            () = requests.is_new.notified() => {}
            () = say.closed() => return,
        }
        let up_to = requests.count.load(Ordering::SeqCst);
        let asked = Instant::now();
        let answered = tokio::time::timeout(SILENT, position(&node, sql, &mut connection)).await;
        let position = answered.ok().and_then(Result::ok).flatten();
        let has_failed = position.is_none();
        let position = position.map(Arc::new);
        say.send_replace(Sample {
            up_to,
            asked,
            position,
        });
        if has_failed {
            connection = None;
            tokio::time::sleep(PAUSE).await;
        }
    }
}

/// A connection to a node.
struct Connection {
    session: Session,
    database: String,
}

/// Connects to a node, and learns which database that is.
async fn connect(node: &Source) -> Result<Connection, frontdesk_postgres::Error> {
    let mut session = node.session().await?;
    let rows = session.query(&[], DATABASE, &[], &[]).await?;
    let database = rows.first().map(|row| row.get(0)).unwrap_or_default();
    Ok(Connection { session, database })
}

async fn position(
    node: &Source,
    sql: &str,
    connection: &mut Option<Connection>,
) -> Result<Option<Position>, frontdesk_postgres::Error> {
    let Connection { session, database } = match connection {
        Some(open) => open,
        None => connection.insert(connect(node).await?),
    };
    let rows = session.query(&[], sql, &[], &[]).await?;
    Ok(rows.first().and_then(|row| {
        let (timeline, at): (&str, Option<i64>) = (row.get(0), row.get(1));
        Some(Position {
            log: format!("{database}/{timeline}"),
            at: at?,
        })
    }))
}
