//! Signing in with an address and a password.

use frontdesk_protocol::id::UserId;

use super::password::{self, HashError};
use super::tokens::{Account, Tokens};
use super::{AuthError, Identity, session};
use crate::database::{Access, Actor};

/// The longest address that is looked up, in bytes (RFC 5321, section 4.5.3.1.3, and some).
const MAX_ADDRESS: usize = 320;

/// The tokens of the account with this address and password.
pub(super) async fn sign_in(
    identity: &Identity,
    email: &str,
    password: String,
) -> Result<Tokens, AuthError> {
    let account = check(identity, email, password).await?;
    session::begin(identity, account, None).await
}

/// The account with this address and password.
///
/// # Errors
/// [`AuthError::InvalidCredentials`], [`AuthError::TooManyAttempts`] and [`AuthError::Busy`]; those of the
/// database.
pub(super) async fn check(
    identity: &Identity,
    email: &str,
    password: String,
) -> Result<Account, AuthError> {
    let provider = identity.provider()?;
    let place = provider.passwords.enter()?;
    let address = normalize(email);
    provider.attempts.count(&address)?;
    let found = find(identity, &address).await?;
    let (account, hash) = found.unzip();
    match (place.check(password, hash.flatten()).await?, account) {
        (true, Some(account)) => Ok(account),
        _ => Err(AuthError::InvalidCredentials),
    }
}

/// The address as it is looked up, and as attempts are counted: one account has exactly one.
fn normalize(email: &str) -> String {
    email.trim().to_lowercase()
}

/// The active account of this address, in lower case, and the hash of its password.
pub(super) async fn find(
    identity: &Identity,
    address: &str,
) -> Result<Option<(Account, Option<String>)>, AuthError> {
    // PostgreSQL holds no NUL, so it is nobody's.
    if address.len() > MAX_ADDRESS || address.contains('\0') {
        return Ok(None);
    }
    let mut transaction = identity
        .0
        .database
        .transaction(Actor::Identity, Access::Read);
    let rows = transaction
        .query(
            "select id, email, password_hash from auth.users where lower(email) = $1 and is_active",
            &[&address],
        )
        .await?;
    Ok(rows
        .first()
        .map(|row| (Account::new(UserId(row.get(0)), row.get(1)), row.get(2))))
}

/// Why an account was not added.
#[derive(Debug, thiserror::Error)]
pub enum AddUserError {
    /// The password could not be hashed.
    #[error(transparent)]
    Hash(#[from] HashError),
    /// The database refused it: another account has the address, for one.
    #[error("the account could not be stored: {0}")]
    Database(#[from] tokio_postgres::Error),
}

/// Adds an account that signs in with this address and password, or gives an account that is there
/// already this address and password. `client` is the owner's connection.
///
/// # Errors
/// [`AddUserError`].
pub async fn add_user(
    client: &tokio_postgres::Client,
    id: UserId,
    email: &str,
    password: &str,
) -> Result<(), AddUserError> {
    let hash = password::hash(password.to_owned()).await?;
    client
        .execute(
            "insert into auth.users (id, email, password_hash) values ($1, $2, $3)
             on conflict (id) do update
             set email = excluded.email, password_hash = excluded.password_hash",
            &[&id.0, &normalize(email), &hash],
        )
        .await?;
    Ok(())
}
