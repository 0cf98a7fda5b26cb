//! Signing in with an address and a password.

use std::net::IpAddr;

use axum::http::HeaderValue;
use frontdesk_protocol::id::UserId;
use hmac::{Hmac, Mac};
use sha2::Sha256;

use super::attempts::Client;
use super::password::{self, HashError};
use super::queue::Place;
use super::tokens::Account;
use super::visitor::Visitor;
use super::{AuthError, Identity};
use crate::database::{Access, Actor};

/// The longest address that is looked up, in bytes (RFC 5321, section 4.5.3.1.3, and some).
const MAX_ADDRESS: usize = 320;

/// How many accounts are looked up at once for people who sign in: others need the database, too.
pub(super) const LOOKUPS: usize = 4;

/// Somebody who gave the right password.
pub(super) struct SignedIn {
    pub(super) account: Account,
    /// The cookie by which the account knows the device from now on.
    pub(super) device: Option<HeaderValue>,
    /// The client address, as the account remembers it.
    pub(super) came_from: Vec<u8>,
}

/// The account with this address and password, for this client.
///
/// # Errors
/// [`AuthError::InvalidCredentials`], [`AuthError::TooManyAttempts`] and [`AuthError::Busy`]; those of the
/// database.
pub(super) async fn check(
    identity: &Identity,
    email: &str,
    password: String,
    visitor: &Visitor,
) -> Result<SignedIn, AuthError> {
    let provider = identity.provider()?;
    let address = normalize(email);
    let came_from = came_from(&provider.sign_in_key, visitor.address);
    let found = {
        let _lookup = provider.lookups.acquire().await;
        find(identity, &address, &came_from).await?
    };
    let device = found
        .as_ref()
        .and_then(|found| visitor.device(provider, found.account.id));
    let client = match (&device, &found) {
        (Some(device), _) => Client::Device(device),
        (None, Some(found)) if found.is_known_address => Client::KnownAddress(visitor.address),
        _ => Client::Stranger(visitor.address),
    };
    provider.attempts.count(&address, client)?;
    let place = Place {
        is_known: !matches!(client, Client::Stranger(_)),
        address: visitor.address,
        account: address,
    };
    let (account, hash) = found.map(|found| (found.account, found.hash)).unzip();
    let is_right = provider
        .passwords
        .check(place, password, hash.flatten())
        .await?;
    match account.filter(|_| is_right) {
        Some(account) => Ok(SignedIn {
            device: visitor.cookie(identity, provider, account.id),
            account,
            came_from,
        }),
        None => Err(AuthError::InvalidCredentials),
    }
}

/// A client address as it is stored: an HMAC, since there are few addresses to try.
fn came_from(key: &[u8; 32], address: IpAddr) -> Vec<u8> {
    let mut mac = match Hmac::<Sha256>::new_from_slice(key) {
        Ok(mac) => mac,
        Err(error) => unreachable!("HMAC takes a key of any length: {error}"),
    };
    mac.update(format!("address\0{address}").as_bytes());
    mac.finalize().into_bytes().to_vec()
}

/// The address as it is looked up, and as attempts are counted: one account has exactly one.
fn normalize(email: &str) -> String {
    email.trim().to_lowercase()
}

/// An active account.
pub(super) struct Found {
    pub(super) account: Account,
    /// The hash of its password; none where it signs in through a provider only.
    hash: Option<String>,
    /// Whether somebody has signed in to it from the client address.
    is_known_address: bool,
}

/// The active account of this address, in lower case.
pub(super) async fn find(
    identity: &Identity,
    address: &str,
    came_from: &[u8],
) -> Result<Option<Found>, AuthError> {
    // PostgreSQL holds no NUL.
    if address.len() > MAX_ADDRESS || address.contains('\0') {
        return Ok(None);
    }
    let mut transaction = identity
        .0
        .database
        .transaction(Actor::Identity, Access::Read);
    let rows = transaction
        .query(
            "select id, email, password_hash, exists (
               select from auth.sessions where user_id = u.id and came_from = $2
             )
             from auth.users u where lower(email) = $1 and is_active",
            &[&address, &came_from],
        )
        .await?;
    Ok(rows.first().map(|row| Found {
        account: Account::new(UserId(row.get(0)), row.get(1)),
        hash: row.get(2),
        is_known_address: row.get(3),
    }))
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
