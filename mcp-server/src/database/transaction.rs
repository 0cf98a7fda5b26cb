//! A caller's transaction. Its beginning and first statement are one flight; a read ends in that flight too, and so does
//! a write with a single statement.

use std::borrow::Cow;
use std::sync::Arc;

use frontdesk_postgres::{Command, Params, Row};
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{ToSql, Type};
use uuid::Uuid;

use super::Param;
use super::error::TransactionError;
use super::gate::{Gate, Open};
use super::opening::{
    Access, Actor, COMMIT, Entered, Opening, Proof, ROLLBACK, Role, opening, read,
};
use super::reads::Reads;
use super::replica::{Reader, Replicas};
use crate::telemetry;

/// A statement whose rows nobody needs: a check that fails, or a write.
struct First {
    sql: Cow<'static, str>,
    types: &'static [Type],
    value: Option<Param>,
}

impl First {
    fn params(&self) -> Vec<&(dyn ToSql + Sync)> {
        let value = self.value.iter();
        value.map(|value| value as &(dyn ToSql + Sync)).collect()
    }
}

/// What a transaction has left in the history.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Recorded {
    /// The id of its entry.
    pub(crate) change: Uuid,
    /// Whether its caller has made the same in the last minutes.
    pub(crate) is_repeated: bool,
}

impl Recorded {
    /// What an earlier transaction has left, which this one repeats.
    pub(crate) fn before(change: Uuid) -> Recorded {
        Recorded {
            change,
            is_repeated: false,
        }
    }
}

/// A transaction. Dropping it early cancels its running statement if possible, and rolls back unless the commit had
/// been sent.
pub struct Transaction {
    gate: Gate,
    /// The replicas that can answer a read.
    replicas: Option<Arc<Replicas>>,
    /// What answers it, if it is a read.
    reader: Reader,
    actor: Actor,
    access: Access,
    /// The entry of the history that captures what a caller's write changes.
    change: Option<Uuid>,
    /// The proof that the caller's token is still valid.
    proof: Option<Proof>,
    /// What notes the tables that a read has read.
    reads: Option<Arc<Reads>>,
    /// What runs in the flight of the next statement, before it.
    first: Vec<First>,
    /// The connection of a write, from its first statement to its end.
    open: Option<Open>,
    /// Whether it was committed with its last statement.
    is_over: bool,
}

impl std::fmt::Debug for Transaction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Transaction")
            .field("actor", &self.actor)
            .field("access", &self.access)
            .finish_non_exhaustive()
    }
}

impl Transaction {
    pub(super) fn new(
        gate: Gate,
        replicas: Option<Arc<Replicas>>,
        actor: Actor,
        access: Access,
    ) -> Self {
        Transaction {
            gate,
            replicas,
            reader: Reader::Any,
            actor,
            access,
            change: None,
            proof: None,
            reads: None,
            first: Vec::new(),
            open: None,
            is_over: false,
        }
    }

    /// A read of the same actor on the primary, before this transaction; `None` if that has begun.
    pub(crate) fn ahead(&self) -> Option<Transaction> {
        if self.open.is_some() {
            return None;
        }
        let mut ahead = Transaction::new(self.gate.clone(), None, self.actor, Access::Read);
        ahead.prove(self.proof);
        ahead.note_reads(self.reads.clone());
        Some(ahead)
    }

    /// Enters as the bearer of a token, with this proof of its validity.
    pub(crate) fn prove(&mut self, proof: Option<Proof>) {
        self.proof = proof;
    }

    /// Has the tables noted that it reads.
    pub(crate) fn note_reads(&mut self, reads: Option<Arc<Reads>>) {
        self.reads = reads;
    }

    /// Captures the rows that a caller's write changes, from the first statement on.
    pub(crate) fn capture(&mut self) {
        let is_write = matches!((self.actor, self.access), (Actor::Caller(_), Access::Write));
        self.change = is_write.then(Uuid::now_v7);
    }

    /// Runs this in the flight of the next statement, before it; its error is that statement's. `value` has the type
    /// `types` if there is one.
    pub(crate) fn first(
        &mut self,
        sql: impl Into<Cow<'static, str>>,
        types: &'static [Type],
        value: Option<Param>,
    ) {
        let sql = sql.into();
        self.first.push(First { sql, types, value });
    }

    /// Whether something still waits for a statement to run before.
    pub(crate) fn has_first(&self) -> bool {
        !self.first.is_empty()
    }

    /// Makes it a read, if it has not begun: then each statement is a transaction of its own.
    pub(crate) fn only_read(&mut self) {
        if self.open.is_none() {
            self.access = Access::Read;
        }
    }

    /// Whether it was committed with its last statement.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over
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
        if self.is_over {
            return Err(TransactionError::Over);
        }
        let first = std::mem::take(&mut self.first);
        let values: Vec<_> = first.iter().map(First::params).collect();
        let first = commands(&first, &values);
        if let Some(open) = &mut self.open {
            return Ok(open.session().query(&first, sql, params, &[]).await?);
        }
        let entered = self.entered();
        let entered = entered.params();
        let role = self.role();
        let mut opening = opening(self.access, self.actor, &role, &entered);
        opening.commands.extend(first);
        if self.access == Access::Read
            && let Some(answer) = self.on_replica(&opening, sql, params).await
        {
            return answer;
        }
        let reads = self.reads.as_deref();
        let mut is_repeated = false;
        loop {
            let mut open = Open::of(self.gate.connection(self.access).await?);
            let rows = match self.access {
                Access::Read => read(open.session(), &opening, sql, params, reads).await,
                Access::Write => {
                    let session = open.session();
                    session.query(&opening.commands, sql, params, &[]).await
                }
            };
            // Nothing is committed: the node that takes over can begin again.
            let is_lost = !is_repeated && rows.as_ref().is_err_and(is_lost);
            if is_lost && self.gate.is_cluster() {
                is_repeated = true;
                continue;
            }
            match self.access {
                Access::Read => open.finish(),
                Access::Write => self.open = Some(open),
            }
            return Ok(rows?);
        }
    }

    /// The answer of a replica; `None` if the primary has to answer.
    async fn on_replica(
        &mut self,
        opening: &Opening<'_>,
        sql: &str,
        params: Params<'_>,
    ) -> Option<Result<Vec<Row>, TransactionError>> {
        let replicas = self.replicas.as_ref()?;
        if let Reader::Any = self.reader {
            self.reader = match self.actor {
                Actor::Caller(_) | Actor::Public(_) => replicas.reader().await,
                Actor::Identity | Actor::Webhooks => Reader::Primary,
            };
        }
        let answer = match &self.reader {
            Reader::Replica(replica, position) => {
                let reads = self.reads.as_deref();
                replica.read(position, opening, sql, params, reads).await
            }
            Reader::Any | Reader::Primary => None,
        };
        telemetry::record_read(answer.is_some());
        if answer.is_none() {
            // What it sees is newer than what a replica showed, so its other statements stay there.
            self.reader = Reader::Primary;
        }
        answer
    }

    /// Reads the caller's rights again, as at the beginning of a transaction.
    ///
    /// # Errors
    /// As [`Transaction::query`].
    pub async fn enter_again(&mut self) -> Result<(), TransactionError> {
        let entered = self.entered();
        let entered = entered.params();
        let role = self.role();
        let opening = opening(self.access, self.actor, &role, &entered);
        if let Some(open) = &mut self.open {
            open.session().run(&opening.commands[1..]).await?;
        }
        Ok(())
    }

    /// The statements that take on the actor's role and make the settings that its session does not have.
    fn role(&self) -> Role {
        macro_rules! role {
            ($name:literal) => {
                (
                    $name,
                    concat!("set local role ", $name),
                    concat!(
                        "select set_config('role', '",
                        $name,
                        "', true), set_config('transaction_read_only', 'on', true)"
                    ),
                )
            };
        }
        let (name, set, read_only) = match self.actor {
            Actor::Caller(_) => role!("authenticated"),
            Actor::Public(_) => role!("anonymous"),
            Actor::Identity => role!("frontdesk_identity"),
            Actor::Webhooks => role!("frontdesk_webhooks"),
        };
        match self.gate.settings() {
            Some(settings) => {
                let set = format!("{settings}, set_config('role', '{name}', true)");
                Role {
                    read_only: format!("{set}, set_config('transaction_read_only', 'on', true)")
                        .into(),
                    set: set.into(),
                }
            }
            None => Role {
                set: set.into(),
                read_only: read_only.into(),
            },
        }
    }

    /// The values that the transaction starts with.
    fn entered(&self) -> Entered {
        let (sign_in, issued_at) = match self.proof {
            Some(Proof::SignIn(id)) => (Some(id), None),
            Some(Proof::IssuedAt(at)) => (None, Some(at)),
            None => (None, None),
        };
        Entered {
            actor: self.actor.entered(),
            change: self.change,
            sign_in,
            issued_at,
        }
    }

    /// Runs the last statement of a write and commits, in one flight. `entry` is the command that writes the entry of the
    /// history; it returns a row if there is something to write. Returns the statement's rows, and the entry's id if it
    /// was written.
    ///
    /// # Errors
    /// As [`Transaction::commit`]; nothing is committed if PostgreSQL refuses.
    pub(crate) async fn query_and_commit(
        &mut self,
        sql: &str,
        params: Params<'_>,
        entry: Option<Command<'_>>,
    ) -> Result<(Vec<Row>, Option<Recorded>), TransactionError> {
        if self.is_over {
            return Err(TransactionError::Over);
        }
        let after: Vec<_> = entry.into_iter().chain([COMMIT]).collect();
        let first = std::mem::take(&mut self.first);
        let values: Vec<_> = first.iter().map(First::params).collect();
        let entered = self.entered();
        let entered = entered.params();
        let role = self.role();
        let (mut open, mut before) = match self.open.take() {
            Some(open) => (open, Vec::new()),
            None => {
                let opening = opening(self.access, self.actor, &role, &entered);
                let held = self.gate.connection(self.access).await?;
                (Open::of(held), opening.commands)
            }
        };
        before.extend(commands(&first, &values));
        self.is_over = true;
        let session = open.session();
        let answer = session.query_counting(&before, sql, params, &after).await;
        if answer.is_err() && session.is_within() {
            session.run(&[ROLLBACK]).await?;
        }
        open.finish();
        let answer = answer?;
        Ok((answer.rows, self.recorded(answer.further)))
    }

    /// Commits the transaction, with the entry of the history as in [`Transaction::query_and_commit`].
    ///
    /// # Errors
    /// As [`Transaction::commit`].
    pub(crate) async fn commit_with(
        mut self,
        entry: Command<'_>,
    ) -> Result<Option<Recorded>, TransactionError> {
        let Some(mut open) = self.open.take() else {
            return Ok(None);
        };
        let written = open.session().run(&[entry, COMMIT]).await?;
        open.finish();
        Ok(self.recorded(written))
    }

    /// What the command that records a call has said by its number of rows.
    fn recorded(&self, rows: usize) -> Option<Recorded> {
        let change = self.change.filter(|_| rows > 0)?;
        Some(Recorded {
            change,
            is_repeated: rows > 1,
        })
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

fn commands<'a>(first: &'a [First], values: &'a [Vec<&(dyn ToSql + Sync)>]) -> Vec<Command<'a>> {
    let commands = first.iter().zip(values);
    commands
        .map(|(first, params)| Command {
            sql: &first.sql,
            types: first.types,
            params,
        })
        .collect()
}

/// Whether the connection has ended, or is about to.
fn is_lost(error: &frontdesk_postgres::Error) -> bool {
    use frontdesk_postgres::Error;
    match error {
        Error::Refused(refusal) => {
            refusal.code != SqlState::QUERY_CANCELED
                && matches!(&refusal.code.code()[..2], "08" | "57")
        }
        Error::Lost(_) => true,
        _ => false,
    }
}
