//! One caller's transaction: the preamble and the statement in one flight.
//!
//! Flights: `BEGIN`, the preamble and the first statement are sent together, and a read's `COMMIT`
//! with them, without waiting for an answer in between. Only a statement that the connection has
//! prepared can fly so: preparing waits for an answer, and `COMMIT` would overtake the query.

use std::pin::pin;

use deadpool::managed::{Object, PoolError};
use frontdesk_protocol::id::UserId;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Row, Statement};

use super::OpenError;
use super::gate::Gate;
use super::pool::{Connection, Manager};

/// Whom a transaction runs as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    /// A caller, under every policy.
    Caller(UserId),
    /// The identity provider: sees accounts and refresh tokens, nothing else.
    Identity,
    /// The webhook worker: sees the outbox, nothing else.
    Webhooks,
}

/// What a transaction may do. A read runs in a READ ONLY transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reads; each statement is a transaction of its own, in one flight with its `COMMIT`.
    Read,
    /// Reads and writes, until [`Transaction::commit`] or [`Transaction::rollback`].
    Write,
}

/// Why a statement brought nothing.
#[derive(Debug, thiserror::Error)]
pub enum TransactionError {
    /// No connection became free in time, or too many calls wait for one already. Nothing was sent.
    #[error("every connection is busy")]
    Busy,
    /// A new connection could not be opened.
    #[error(transparent)]
    Connect(OpenError),
    /// PostgreSQL refused the statement, or the connection was lost.
    #[error("{}", explain(.0))]
    Statement(#[from] tokio_postgres::Error),
}

/// The error as the log should have it: PostgreSQL's message says which statement failed and why.
fn explain(error: &tokio_postgres::Error) -> String {
    match error.as_db_error() {
        Some(error) => format!("{} {}", error.code().code(), error.message()),
        None => error.to_string(),
    }
}

impl From<PoolError<OpenError>> for TransactionError {
    fn from(error: PoolError<OpenError>) -> Self {
        match error {
            PoolError::Backend(error) => TransactionError::Connect(error),
            _ => TransactionError::Busy,
        }
    }
}

/// The most statements that a connection keeps prepared.
const MOST_STATEMENTS: usize = 500;

type Params<'a> = &'a [&'a (dyn ToSql + Sync)];

/// A transaction. Dropping it before it is over gives up: what runs is cancelled where it can be,
/// and rolled back everywhere.
pub struct Transaction {
    gate: Gate,
    actor: Actor,
    access: Access,
    /// Held from the first statement of a write until the end.
    open: Option<Open>,
}

impl std::fmt::Debug for Transaction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Transaction")
            .field("actor", &self.actor)
            .field("access", &self.access)
            .finish_non_exhaustive()
    }
}

/// A connection that is in the middle of something. It goes back to the pool only by
/// [`Open::finish`]; dropped, it is closed, and PostgreSQL rolls back.
struct Open(Option<Object<Manager>>);

impl Open {
    fn connection(&mut self) -> &mut Connection {
        match &mut self.0 {
            Some(object) => object,
            None => unreachable!("the connection is taken only by finish and drop"),
        }
    }

    /// The connection is idle again.
    fn finish(mut self) {
        self.0.take();
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        if let Some(object) = self.0.take() {
            let connection = Object::take(object);
            if let Some((token, tls)) = connection.cancel {
                tokio::spawn(async move {
                    // It may have ended by itself; the closed connection rolls back in any case.
                    let _ = token.cancel_query(tls).await;
                });
            }
        }
    }
}

impl Transaction {
    pub(super) fn new(gate: Gate, actor: Actor, access: Access) -> Self {
        Transaction {
            gate,
            actor,
            access,
            open: None,
        }
    }

    /// Runs one statement and returns its rows.
    ///
    /// # Errors
    /// [`TransactionError`]; a write is to be rolled back then.
    pub async fn query(
        &mut self,
        sql: &str,
        params: Params<'_>,
    ) -> Result<Vec<Row>, TransactionError> {
        match self.access {
            Access::Read => {
                let mut open = Open(Some(self.gate.connection().await?));
                let rows = read(open.connection(), self.actor, sql, params).await;
                // The flight ended with COMMIT, whatever the statement did: unless the connection
                // itself failed, which the pool finds out, it is idle for whoever comes next.
                open.finish();
                Ok(rows?)
            }
            Access::Write => match &mut self.open {
                Some(open) => Ok(further(open.connection(), sql, params).await?),
                None => {
                    let object = self.gate.connection().await?;
                    let open = self.open.insert(Open(Some(object)));
                    Ok(first(open.connection(), self.actor, sql, params).await?)
                }
            },
        }
    }

    /// Makes what was written last.
    ///
    /// # Errors
    /// [`TransactionError::Statement`] where a deferred constraint fails or the connection is lost.
    pub async fn commit(self) -> Result<(), TransactionError> {
        self.end("commit").await
    }

    /// Undoes what was written.
    ///
    /// # Errors
    /// [`TransactionError::Statement`] where the connection is lost; it is undone all the same.
    pub async fn rollback(self) -> Result<(), TransactionError> {
        self.end("rollback").await
    }

    async fn end(mut self, how: &str) -> Result<(), TransactionError> {
        if let Some(mut open) = self.open.take() {
            open.connection().client.batch_execute(how).await?;
            open.finish();
        }
        Ok(())
    }
}

/// `BEGIN` and the preamble, who this is and what they are, as one message.
fn opening(actor: Actor, access: Access) -> String {
    let begin = match access {
        Access::Read => "begin read only",
        Access::Write => "begin",
    };
    match actor {
        // A UUID, written by us: there is nothing in it to be quoted.
        Actor::Caller(UserId(id)) => {
            format!("{begin}; set local role authenticated; select app.enter('{id}')")
        }
        Actor::Identity => format!("{begin}; set local role frontdesk_identity"),
        Actor::Webhooks => format!("{begin}; set local role frontdesk_webhooks"),
    }
}

/// The transaction of a read: one flight, or two where the statement is not prepared yet.
async fn read(
    connection: &mut Connection,
    actor: Actor,
    sql: &str,
    params: Params<'_>,
) -> Result<Vec<Row>, tokio_postgres::Error> {
    const COMMIT: &str = "commit";
    let opening = opening(actor, Access::Read);
    if let Some(statement) = connection.statements.get(sql) {
        let client = &connection.client;
        let asked = futures::future::join(
            client.batch_execute(&opening),
            client.query(statement, params),
        );
        // Nothing was written that the COMMIT could make last, and whoever has the connection next is
        // answered after it.
        let (begun, rows) = without_waiting(asked, client.batch_execute(COMMIT)).await;
        begun?;
        return rows;
    }
    let rows = first_in(connection, &opening, sql, params).await;
    connection.client.batch_execute(COMMIT).await?;
    rows
}

/// What the first comes to. The second is sent behind it, whatever becomes of the first and however soon,
/// and not waited for.
async fn without_waiting<T>(first: impl Future<Output = T>, second: impl Future) -> T {
    let mut second = pin!(second);
    let (done, _) = futures::join!(first, async { futures::poll!(second.as_mut()) });
    done
}

/// The first statement of a write, with `BEGIN` and the preamble.
async fn first(
    connection: &mut Connection,
    actor: Actor,
    sql: &str,
    params: Params<'_>,
) -> Result<Vec<Row>, tokio_postgres::Error> {
    let opening = opening(actor, Access::Write);
    if let Some(statement) = connection.statements.get(sql) {
        let client = &connection.client;
        let (begun, rows) = futures::join!(
            client.batch_execute(&opening),
            client.query(statement, params),
        );
        begun?;
        return rows;
    }
    first_in(connection, &opening, sql, params).await
}

async fn first_in(
    connection: &mut Connection,
    opening: &str,
    sql: &str,
    params: Params<'_>,
) -> Result<Vec<Row>, tokio_postgres::Error> {
    connection.client.batch_execute(opening).await?;
    further(connection, sql, params).await
}

/// A statement within an open transaction.
async fn further(
    connection: &mut Connection,
    sql: &str,
    params: Params<'_>,
) -> Result<Vec<Row>, tokio_postgres::Error> {
    let statement = prepare(connection, sql).await?;
    connection.client.query(&statement, params).await
}

/// The statement, prepared on this connection once.
async fn prepare(
    connection: &mut Connection,
    sql: &str,
) -> Result<Statement, tokio_postgres::Error> {
    if let Some(statement) = connection.statements.get(sql) {
        return Ok(statement.clone());
    }
    // An update has a statement for every set of fields that somebody sends: too many to keep them all
    // for ever. Whoever needs one of those that go prepares it once more.
    if connection.statements.len() >= MOST_STATEMENTS {
        connection.statements.clear();
    }
    let statement = connection.client.prepare(sql).await?;
    connection
        .statements
        .insert(sql.to_owned(), statement.clone());
    Ok(statement)
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use super::*;

    #[tokio::test]
    async fn a_commit_is_sent_however_soon_the_answer_is_there_and_nobody_waits_for_it() {
        let mut sent = Vec::new();
        let commit = async {
            sent.push("commit");
            pending::<()>().await;
        };
        assert_eq!(without_waiting(ready("rows"), commit).await, "rows");
        assert_eq!(sent, ["commit"]);
    }
}
