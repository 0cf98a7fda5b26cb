//! One caller's transaction: its beginning and its first statement in one flight, and a read's end too.

use deadpool::managed::PoolError;
use frontdesk_postgres::{Command, Params, Row, Session};
use frontdesk_protocol::id::UserId;
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::OpenError;
use super::gate::{Gate, Held};

/// Whom a transaction runs as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    /// A caller, under every policy.
    Caller(UserId),
    /// The identity provider: sees accounts and refresh tokens, nothing else.
    Identity,
    /// The webhook worker: sees the outbox, nothing else.
    Webhooks,
    /// A reader who is not signed in: sees what this organisation has published, or the first one that has.
    Public(Option<Uuid>),
}

impl Actor {
    /// What the transaction is entered with: the user, or a reader's organisation.
    fn entered(self) -> Option<Uuid> {
        match self {
            Actor::Caller(UserId(id)) => Some(id),
            Actor::Public(organization) => organization,
            Actor::Identity | Actor::Webhooks => None,
        }
    }
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
struct Open(Option<Held>);

impl Open {
    fn session(&mut self) -> &mut Session {
        match &mut self.0 {
            Some(held) => held.session(),
            None => unreachable!("the connection is taken only by finish and drop"),
        }
    }

    /// The connection is idle again; where it is not, it is closed.
    fn finish(mut self) {
        if self.session().is_idle() {
            self.0.take();
        }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        // In any case the connection is closed then, and what was done over it rolled back.
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
        if let Some(open) = &mut self.open {
            return Ok(open.session().query(&[], sql, params, &[]).await?);
        }
        let entered = self.actor.entered();
        let entered: Params<'_> = &[&entered];
        let opening = opening(self.access, self.actor, entered);
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

    /// Makes what was written last.
    ///
    /// # Errors
    /// [`TransactionError::Statement`] where a deferred constraint fails or the connection is lost.
    pub async fn commit(self) -> Result<(), TransactionError> {
        self.end(COMMIT).await
    }

    /// Undoes what was written.
    ///
    /// # Errors
    /// [`TransactionError::Statement`] where the connection is lost; it is undone all the same.
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

/// What a transaction begins with: as which role it runs, and for whom.
fn opening(access: Access, actor: Actor, entered: Params<'_>) -> Vec<Command<'_>> {
    let begin = match access {
        Access::Read => BEGIN_READ_ONLY,
        Access::Write => BEGIN,
    };
    let enter = |sql| Command {
        sql,
        types: &[Type::UUID],
        params: entered,
    };
    match actor {
        Actor::Caller(_) => vec![
            begin,
            Command::plain("set local role authenticated"),
            enter("select app.enter($1)"),
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

/// The transaction of a read: one flight, or two where the statement is not prepared yet. It is over
/// whatever becomes of the statement.
async fn read(
    session: &mut Session,
    opening: &[Command<'_>],
    sql: &str,
    params: Params<'_>,
) -> Result<Vec<Row>, frontdesk_postgres::Error> {
    let rows = session.query(opening, sql, params, &[COMMIT]).await;
    // What failed has kept PostgreSQL from the COMMIT behind it.
    if rows.is_err() && session.is_within() {
        session.run(&[ROLLBACK]).await?;
    }
    rows
}
