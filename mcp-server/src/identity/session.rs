//! A sign-in and its family of refresh tokens: beginning, refreshing and ending it.

use std::time::Duration;

use frontdesk_protocol::id::UserId;
use jiff::Timestamp;
use uuid::Uuid;

use super::claims::{AUDIENCE, OwnClaims, Purpose};
use super::factor::Cleared;
use super::refresh_token::RefreshToken;
use super::tokens::{Account, Tokens};
use super::{AuthError, Identity, Provider};
use crate::database::{Access, Actor, Transaction};

/// Begins a sign-in of this account by one of the service's own grants, from this client address.
pub(super) async fn begin(
    identity: &Identity,
    Cleared { account, recovery }: Cleared,
    came_from: &[u8],
    purpose: Purpose,
) -> Result<Tokens, AuthError> {
    let database = &identity.0.database;
    let mut transaction = database.transaction(Actor::Identity, Access::Write);
    let came_from = Some(came_from);
    let begun = begin_in(
        identity,
        &mut transaction,
        account,
        None,
        came_from,
        purpose,
    )
    .await?;
    transaction.commit().await?;
    Ok(Tokens {
        recovery_codes: recovery,
        ..begun.0
    })
}

/// Begins a sign-in of an account that is [`Cleared`], or was when it got its code: at the client whose id has this hash,
/// or by one of the service's own grants. Also returns the sign-in's id.
pub(super) async fn begin_in(
    identity: &Identity,
    transaction: &mut Transaction,
    account: Account,
    client: Option<&str>,
    came_from: Option<&[u8]>,
    purpose: Purpose,
) -> Result<(Tokens, Uuid), AuthError> {
    let provider = identity.provider()?;
    let now = identity.0.clock.now();
    let token = RefreshToken::random();
    let rows = transaction
        .query(
            "with account as (
               select u.id from auth.users u
               where u.id = $1 and u.is_active and u.epoch = $6 and auth.sign_in_needs(u.id) <> 'factor' for share
             ), session as (
               insert into auth.sessions (user_id, created_at, client, came_from)
               select a.id, $2, $4, $5 from account a
               returning id
             )
             insert into auth.refresh_tokens (session_id, hash, created_at)
             select id, $3, $2 from session returning session_id",
            &[
                &account.id.0,
                &now,
                &token.hash(),
                &client,
                &came_from,
                &account.epoch,
            ],
        )
        .await?;
    let session: Uuid = match rows.first() {
        Some(row) => row.get(0),
        // The password or the account's state has changed since it was checked.
        None => return Err(AuthError::InvalidCredentials),
    };
    forget_ended(
        transaction,
        &account,
        now,
        provider.settings.refresh_lifetime,
    )
    .await?;
    let tokens = issue(provider, now, session, account, &token, purpose)?;
    tracing::info!(user = %tokens.user.id, %session, "signed in");
    Ok((tokens, session))
}

/// Deletes the account's sign-ins whose last refresh token cannot be used any more.
async fn forget_ended(
    transaction: &mut Transaction,
    account: &Account,
    now: Timestamp,
    lifetime: Duration,
) -> Result<(), AuthError> {
    // Before the earliest timestamp, no session can have expired.
    let Ok(end) = now.checked_sub(lifetime) else {
        return Ok(());
    };
    transaction
        .query(
            "delete from auth.sessions s where s.user_id = $1 and not exists \
               (select from auth.refresh_tokens t where t.session_id = s.id and t.created_at > $2)",
            &[&account.id.0, &end],
        )
        .await?;
    Ok(())
}

/// A refresh token and its sign-in in the database.
struct Stored {
    id: i64,
    created_at: Timestamp,
    is_used: bool,
    /// Whether the child was used as well; `None` if no child with this hash exists.
    child_is_used: Option<bool>,
    session: Uuid,
    is_revoked: bool,
    /// The hash of its client's id.
    client: Option<String>,
    account: Account,
    is_active: bool,
    /// Whether the account has to turn a second factor on: at a sign-in.
    lacks_factor: bool,
}

/// The decision on a refresh token.
enum Verdict {
    /// First use: its child is created.
    Rotate,
    /// Its child was issued but not used: the reply was lost, so the child is sent again.
    Repeat,
    /// Two parties have the token, and one of them is a thief: the sign-in ends.
    Revoke,
    /// The token has expired, or its sign-in has ended.
    Refuse,
    /// The account was deactivated.
    Closed,
    /// The account needs a second factor, which is turned on at a sign-in.
    LacksFactor,
}

/// Exchanges a refresh token, which must belong to this client.
pub(super) async fn refresh(
    identity: &Identity,
    sent: &str,
    client: Option<&str>,
    purpose: Purpose,
) -> Result<Tokens, AuthError> {
    let provider = identity.provider()?;
    let token = RefreshToken::parse(sent).ok_or(AuthError::RefreshTokenNotFound)?;
    let child = token.child(&provider.refresh_key);
    let now = identity.0.clock.now();
    let mut transaction = identity
        .0
        .database
        .transaction(Actor::Identity, Access::Write);
    let Some(stored) = find(&mut transaction, &token, &child).await? else {
        transaction.rollback().await?;
        return Err(AuthError::RefreshTokenNotFound);
    };
    match stored.verdict(now, provider.settings.refresh_lifetime, client) {
        Verdict::Rotate => rotate(&mut transaction, &stored, &child, now).await?,
        Verdict::Repeat => {
            tracing::debug!(session = %stored.session, "the reply to a refresh was lost; it is repeated");
        }
        Verdict::Revoke => {
            revoke(identity, &mut transaction, stored.session).await?;
            transaction.commit().await?;
            tracing::warn!(
                user = %stored.account.id, session = %stored.session,
                "an old refresh token, or another client's, was used; its sign-in is ended"
            );
            return Err(AuthError::RefreshTokenAlreadyUsed);
        }
        Verdict::Refuse => {
            transaction.rollback().await?;
            return Err(AuthError::RefreshTokenNotFound);
        }
        Verdict::Closed => {
            transaction.rollback().await?;
            return Err(AuthError::Deactivated);
        }
        Verdict::LacksFactor => {
            transaction.rollback().await?;
            return Err(AuthError::FactorMissing);
        }
    }
    let tokens = issue(
        provider,
        now,
        stored.session,
        stored.account,
        &child,
        purpose,
    )?;
    transaction.commit().await?;
    Ok(tokens)
}

/// Ends the sign-in.
pub(super) async fn end(identity: &Identity, session: Uuid) -> Result<(), AuthError> {
    let mut transaction = identity
        .0
        .database
        .transaction(Actor::Identity, Access::Write);
    revoke(identity, &mut transaction, session).await?;
    transaction.commit().await?;
    tracing::info!(%session, "signed out");
    Ok(())
}

impl Stored {
    fn verdict(&self, now: Timestamp, lifetime: Duration, client: Option<&str>) -> Verdict {
        let age = now.duration_since(self.created_at);
        if !self.is_active {
            return Verdict::Closed;
        }
        if self.is_revoked {
            return Verdict::Refuse;
        }
        if self.client.as_deref() != client {
            return Verdict::Revoke;
        }
        match (self.is_used, self.child_is_used) {
            (true, Some(true) | None) => Verdict::Revoke,
            _ if self.lacks_factor => Verdict::LacksFactor,
            _ if Duration::try_from(age).is_ok_and(|age| age >= lifetime) => Verdict::Refuse,
            (true, Some(false)) => Verdict::Repeat,
            (false, _) => Verdict::Rotate,
        }
    }
}

/// Finds the token and locks its sign-in: two refreshes of one family run one after the other.
async fn find(
    transaction: &mut Transaction,
    token: &RefreshToken,
    child: &RefreshToken,
) -> Result<Option<Stored>, AuthError> {
    let hash = token.hash();
    // A separate statement: the next one then sees what the previous holder of the lock has written.
    transaction
        .query(
            "select from auth.sessions
             where id = (select session_id from auth.refresh_tokens where hash = $1) for update",
            &[&hash],
        )
        .await?;
    let rows = transaction
        .query(
            "select token.id, token.created_at, token.used_at is not null, child.used_at is not null,
                    session.id, session.revoked_at is not null, account.id, account.email,
                    account.is_active, child.id is not null, session.client, account.epoch,
                    auth.sign_in_needs(account.id) = 'factor'
             from auth.refresh_tokens token
             join auth.sessions session on session.id = token.session_id
             join auth.users account on account.id = session.user_id
             left join auth.refresh_tokens child on child.parent_id = token.id and child.hash = $2
             where token.hash = $1",
            &[&hash, &child.hash()],
        )
        .await?;
    Ok(rows.first().map(|row| Stored {
        id: row.get(0),
        created_at: row.get(1),
        is_used: row.get(2),
        child_is_used: row.get::<_, bool>(9).then(|| row.get(3)),
        session: row.get(4),
        is_revoked: row.get(5),
        client: row.get(10),
        account: Account::new(UserId(row.get(6)), row.get(7), row.get(11)),
        is_active: row.get(8),
        lacks_factor: row.get(12),
    }))
}

async fn rotate(
    transaction: &mut Transaction,
    stored: &Stored,
    child: &RefreshToken,
    now: Timestamp,
) -> Result<(), AuthError> {
    transaction
        .query(
            "with used as (update auth.refresh_tokens set used_at = $4 where id = $1)
             insert into auth.refresh_tokens (session_id, hash, parent_id, created_at)
             values ($2, $3, $1, $4)",
            &[&stored.id, &stored.session, &child.hash(), &now],
        )
        .await?;
    Ok(())
}

pub(super) async fn revoke(
    identity: &Identity,
    transaction: &mut Transaction,
    session: Uuid,
) -> Result<(), AuthError> {
    let now = identity.0.clock.now();
    transaction
        .query(
            "update auth.sessions set revoked_at = coalesce(revoked_at, $2) where id = $1",
            &[&session, &now],
        )
        .await?;
    Ok(())
}

/// Ends the account's sign-ins, except one.
pub(super) async fn end_others(
    transaction: &mut Transaction,
    account: UserId,
    kept: Option<Uuid>,
) -> Result<(), AuthError> {
    let ended = "select auth.end_sign_ins($1, $2)";
    transaction.query(ended, &[&account.0, &kept]).await?;
    Ok(())
}

fn issue(
    provider: &Provider,
    now: Timestamp,
    session: Uuid,
    account: Account,
    refresh_token: &RefreshToken,
    purpose: Purpose,
) -> Result<Tokens, AuthError> {
    let issued_at = now.as_second();
    let (access_token, expires_in) = access_token(provider, now, session, &account, purpose)?;
    Ok(Tokens {
        access_token,
        token_type: "bearer",
        expires_in,
        expires_at: issued_at.saturating_add(expires_in),
        refresh_token: refresh_token.reveal(),
        user: account,
        recovery_codes: None,
    })
}

/// An access token of this sign-in, and its lifetime in seconds.
pub(super) fn access_token(
    provider: &Provider,
    now: Timestamp,
    session: Uuid,
    account: &Account,
    purpose: Purpose,
) -> Result<(String, i64), AuthError> {
    let issued_at = now.as_second();
    let expires_in = i64::try_from(provider.settings.access_lifetime.as_secs()).unwrap_or(i64::MAX);
    let token = provider.key.sign(&OwnClaims {
        iss: &provider.settings.issuer,
        sub: account.id,
        aud: AUDIENCE,
        role: AUDIENCE,
        email: &account.email,
        session_id: session,
        frontdesk_access: (purpose == Purpose::Reading).then_some("read"),
        frontdesk_person: purpose == Purpose::Person,
        iat: issued_at,
        exp: issued_at.saturating_add(expires_in),
    })?;
    Ok((token, expires_in))
}
