//! A caller's transaction. Its beginning and first statement are one flight; a read ends in that flight too.

use deadpool::managed::PoolError;
use frontdesk_postgres::{Command, Params, Row, Session};
use frontdesk_protocol::id::UserId;
use tokio_postgres::types::{ToSql, Type};
use uuid::Uuid;

use super::OpenError;
use super::gate::{Gate, Held};

/// The identity of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    /// A user, restricted by every policy.
    Caller(UserId),
    /// The identity provider: sees accounts and refresh tokens, nothing else.
    Identity,
    /// The webhook worker: sees the outbox, nothing else.
    Webhooks,
    /// An anonymous reader: sees what this organisation has published.
    Public(Option<Uuid>),
}

impl Actor {
    /// The id that the transaction starts with: the user, or a reader's organisation.
    fn entered(self) -> Option<Uuid> {
        match self {
            Actor::Caller(UserId(id)) => Some(id),
            Actor::Public(organization) => organization,
            Actor::Identity | Actor::Webhooks => None,
        }
    }
}

/// What a transaction can do. A read is a READ ONLY transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reads. Each statement is its own transaction, sent in one flight with its `COMMIT`.
    Read,
    /// Reads and writes until [`Transaction::commit`] or [`Transaction::rollback`].
    Write,
}

/// Why a statement failed.
#[derive(Debug, thiserror::Error)]
pub enum TransactionError {
    /// No connection became free in time, or too many calls are waiting already. Nothing was sent.
    #[error("every connection is busy")]
    Busy,
    /// A new connection could not be opened.
    #[error(transparent)]
    Connect(OpenError),
    /// PostgreSQL refused the statement, or the connection was lost.
    #[error(transparent)]
    Statement(#[from] frontdesk_postgres::Error),
}

impl From<PoolError<OpenError>> for TransactionError {
    fn from(error: PoolError<OpenError>) -> Self {
        match error {
            PoolError::Backend(error) => TransactionError::Connect(error),
            _ => TransactionError::Busy,
        }
    }
}

/// A transaction. Dropping it early cancels its running statement if possible, and always rolls back.
pub struct Transaction {
    gate: Gate,
    actor: Actor,
    access: Access,
    /// The entry of the history that captures what a caller's write changes.
    change: Option<Uuid>,
    /// The connection of a write, from its first statement to its end.
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

/// A connection in a transaction. Only [`Open::finish`] returns it to the pool; dropping it closes it,
/// and PostgreSQL rolls back.
struct Open(Option<Held>);

impl Open {
    fn session(&mut self) -> &mut Session {
        match &mut self.0 {
            Some(held) => held.session(),
            None => unreachable!("the connection is taken only by finish and drop"),
        }
    }

    /// Returns an idle connection to the pool and closes any other.
    fn finish(mut self) {
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

impl Transaction {
    pub(super) fn new(gate: Gate, actor: Actor, access: Access) -> Self {
        Transaction {
            gate,
            actor,
            access,
            change: None,
            open: None,
        }
    }

    /// Captures the rows that a caller's write changes, from the first statement on.
    pub(crate) fn capture(&mut self) {
        let is_write = matches!((self.actor, self.access), (Actor::Caller(_), Access::Write));
        self.change = is_write.then(Uuid::now_v7);
    }

    /// Runs one statement and returns its rows.
    ///
    /// # Errors
    /// [`TransactionError`]; the caller must then roll back a write.
    pub async fn query(
        &mut self,
        sql: &str,
        params: Params<'_>,
    ) -> Result<Vec<Row>, TransactionError> {
        if let Some(open) = &mut self.open {
            return Ok(open.session().query(&[], sql, params, &[]).await?);
        }
        let entered = [self.actor.entered(), self.change];
        let entered: [&(dyn ToSql + Sync); 2] = [&entered[0], &entered[1]];
        let opening = opening(self.access, self.actor, &entered[..self.entered()]);
        let mut open = Open(Some(self.gate.connection(self.access).await?));
        match self.access {
            Access::Read => {
                let rows = read(open.session(), &opening, sql, params).await;
                open.finish();
                Ok(rows?)
            }
            Access::Write => {
                let open = self.open.insert(open);
                Ok(open.session().query(&opening, sql, params, &[]).await?)
            }
        }
    }

    /// Reads the caller's rights again, as at the beginning of a transaction.
    ///
    /// # Errors
    /// As [`Transaction::query`].
    pub async fn enter_again(&mut self) -> Result<(), TransactionError> {
        let entered = [self.actor.entered(), self.change];
        let entered: [&(dyn ToSql + Sync); 2] = [&entered[0], &entered[1]];
        let opening = opening(self.access, self.actor, &entered[..self.entered()]);
        if let Some(open) = &mut self.open {
            open.session().run(&opening[1..]).await?;
        }
        Ok(())
    }

    /// The number of values that the transaction starts with.
    fn entered(&self) -> usize {
        1 + usize::from(self.change.is_some())
    }

    /// Runs a last statement and commits the transaction, in one flight. Does nothing if the transaction has not begun.
    ///
    /// # Errors
    /// As [`Transaction::commit`]; if the statement fails, nothing is committed.
    pub(crate) async fn commit_with(
        mut self,
        sql: &str,
        params: Params<'_>,
    ) -> Result<Vec<Row>, TransactionError> {
        let Some(mut open) = self.open.take() else {
            return Ok(Vec::new());
        };
        let rows = open.session().query(&[], sql, params, &[COMMIT]).await?;
        open.finish();
        Ok(rows)
    }

    /// Commits the transaction.
    ///
    /// # Errors
    /// [`TransactionError::Statement`] if a deferred constraint fails or the connection is lost.
    pub async fn commit(self) -> Result<(), TransactionError> {
        self.end(COMMIT).await
    }

    /// Rolls back the transaction.
    ///
    /// # Errors
    /// [`TransactionError::Statement`] if the connection is lost, which also rolls back.
    pub async fn rollback(self) -> Result<(), TransactionError> {
        self.end(ROLLBACK).await
    }

    async fn end(mut self, how: Command<'_>) -> Result<(), TransactionError> {
        if let Some(mut open) = self.open.take() {
            open.session().run(&[how]).await?;
            open.finish();
        }
        Ok(())
    }
}

const BEGIN: Command<'_> = Command::plain("begin");
const BEGIN_READ_ONLY: Command<'_> = Command::plain("begin read only");
const COMMIT: Command<'_> = Command::plain("commit");
const ROLLBACK: Command<'_> = Command::plain("rollback");

/// The commands that begin a transaction: they set its role and caller. `entered` is the caller, and the entry that
/// captures its changes, if there is one.
fn opening(access: Access, actor: Actor, entered: Params<'_>) -> Vec<Command<'_>> {
    let begin = match access {
        Access::Read => BEGIN_READ_ONLY,
        Access::Write => BEGIN,
    };
    let enter = |sql| Command {
        sql,
        types: &[Type::UUID, Type::UUID][..entered.len()],
        params: entered,
    };
    match actor {
        Actor::Caller(_) => vec![
            begin,
            Command::plain("set local role authenticated"),
            enter(match entered.len() {
                1 => "select app.enter($1)",
                _ => "select app.enter($1, $2)",
            }),
        ],
        Actor::Public(_) => vec![
            begin,
            Command::plain("set local role anonymous"),
            enter("select app.enter_public($1)"),
        ],
        Actor::Identity => vec![begin, Command::plain("set local role frontdesk_identity")],
        Actor::Webhooks => vec![begin, Command::plain("set local role frontdesk_webhooks")],
    }
}

/// Runs a read's transaction: one flight, or two if the statement is not prepared yet. The transaction is over
/// afterwards, even if the statement fails.
async fn read(
    session: &mut Session,
    opening: &[Command<'_>],
    sql: &str,
    params: Params<'_>,
) -> Result<Vec<Row>, frontdesk_postgres::Error> {
    let rows = session.query(opening, sql, params, &[COMMIT]).await;
    // After an error PostgreSQL skips the COMMIT of the flight.
    if rows.is_err() && session.is_within() {
        session.run(&[ROLLBACK]).await?;
    }
    rows
}
