//! How a transaction begins: who enters it, with which rights, and in which flight.

use std::borrow::Cow;

use frontdesk_postgres::{Command, Params, Row, Session};
use frontdesk_protocol::id::UserId;
use jiff::Timestamp;
use tokio_postgres::types::{ToSql, Type};
use uuid::Uuid;

use super::reads::Reads;

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
    pub(super) fn entered(self) -> Option<Uuid> {
        match self {
            Actor::Caller(UserId(id)) => Some(id),
            Actor::Public(organization) => organization,
            Actor::Identity | Actor::Webhooks => None,
        }
    }
}

/// What shows that a caller's access token is still valid. It is compared with the database as the caller's rights are
/// read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// The sign-in of one of this server's tokens. It must not have ended.
    SignIn(Uuid),
    /// The time at which another identity provider issued the token. It must be later than the last time at which
    /// rights of the account were taken.
    IssuedAt(Timestamp),
}

/// What a transaction can do. A read is a READ ONLY transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reads. Each statement is its own transaction, sent in one flight with its `COMMIT`.
    Read,
    /// Reads and writes until its commit or rollback.
    Write,
}

/// The values that a transaction starts with: who enters, the entry that captures the changes, and a [`Proof`].
pub(super) struct Entered {
    pub(super) actor: Option<Uuid>,
    pub(super) change: Option<Uuid>,
    pub(super) sign_in: Option<Uuid>,
    pub(super) issued_at: Option<Timestamp>,
}

impl Entered {
    const TYPES: &'static [Type] = &[Type::UUID, Type::UUID, Type::UUID, Type::TIMESTAMPTZ];

    pub(super) fn params(&self) -> [&(dyn ToSql + Sync); 4] {
        [&self.actor, &self.change, &self.sign_in, &self.issued_at]
    }
}

/// The statements that take on a role: within a transaction, and in a flight that is a read-only one.
pub(super) struct Role {
    pub(super) set: Cow<'static, str>,
    pub(super) read_only: Cow<'static, str>,
}

const BEGIN: Command<'_> = Command::plain("begin isolation level read committed");
const BEGIN_READ_ONLY: Command<'_> =
    Command::plain("begin isolation level read committed, read only");
pub(super) const COMMIT: Command<'_> = Command::plain("commit");
pub(super) const ROLLBACK: Command<'_> = Command::plain("rollback");
/// What a transaction has read, by its locks.
const TABLES_READ: &str = "select app.tables_read()";

/// The commands that begin a transaction.
pub(super) struct Opening<'a> {
    /// `begin`, the role, who enters, and what runs before the first statement.
    pub(super) commands: Vec<Command<'a>>,
    /// In place of the first two in a flight that is a read-only transaction: sets the role, too.
    read_only_role: &'a str,
}

impl<'a> Opening<'a> {
    /// The commands after the role.
    pub(super) fn entering(&self) -> impl Iterator<Item = Command<'a>> {
        self.commands.iter().skip(2).copied()
    }
}

/// The commands that begin a transaction: they set its role and caller. `entered` has the values of [`Entered`].
pub(super) fn opening<'a>(
    access: Access,
    actor: Actor,
    role: &'a Role,
    entered: Params<'a>,
) -> Opening<'a> {
    let begin = match access {
        Access::Read => BEGIN_READ_ONLY,
        Access::Write => BEGIN,
    };
    let enter = |sql, count: usize| Command {
        sql,
        types: &Entered::TYPES[..count],
        params: &entered[..count],
    };
    let mut opening = vec![begin, Command::plain(&role.set)];
    match actor {
        Actor::Caller(_) => opening.push(enter("select app.enter($1, $2, $3, $4)", 4)),
        Actor::Public(_) => opening.push(enter("select app.enter_public($1)", 1)),
        Actor::Identity | Actor::Webhooks => {}
    }
    Opening {
        commands: opening,
        read_only_role: &role.read_only,
    }
}

/// Runs a read's transaction: one flight, or two if the statement is not prepared yet. The transaction is over
/// afterwards, even if the statement fails.
///
/// What PostgreSQL gets in one flight is one transaction without `begin` and `commit`, which take a tenth of a short read.
pub(super) async fn read(
    session: &mut Session,
    opening: &Opening<'_>,
    sql: &str,
    params: Params<'_>,
    reads: Option<&Reads>,
) -> Result<Vec<Row>, frontdesk_postgres::Error> {
    if let Some(reads) = reads {
        return read_noting(session, opening, sql, params, reads).await;
    }
    if session.has_prepared(sql) {
        let mut commands = vec![Command::plain(opening.read_only_role)];
        commands.extend(opening.entering());
        return session.query(&commands, sql, params, &[]).await;
    }
    let rows = session
        .query(&opening.commands, sql, params, &[COMMIT])
        .await;
    // After an error PostgreSQL skips the COMMIT of the flight.
    if rows.is_err() && session.is_within() {
        session.run(&[ROLLBACK]).await?;
    }
    rows
}

/// As [`read`]; also notes the tables, which takes another flight.
async fn read_noting(
    session: &mut Session,
    opening: &Opening<'_>,
    sql: &str,
    params: Params<'_>,
    reads: &Reads,
) -> Result<Vec<Row>, frontdesk_postgres::Error> {
    let both = async {
        let rows = session.query(&opening.commands, sql, params, &[]).await?;
        let tables = session.query(&[], TABLES_READ, &[], &[COMMIT]).await?;
        Ok((rows, tables))
    };
    let both: Result<_, frontdesk_postgres::Error> = both.await;
    let tables = both.as_ref().ok().and_then(|(_, tables)| tables.first());
    reads.note(tables.and_then(|row| row.get(0)));
    if both.is_err() && session.is_within() {
        session.run(&[ROLLBACK]).await?;
    }
    both.map(|(rows, _)| rows)
}
