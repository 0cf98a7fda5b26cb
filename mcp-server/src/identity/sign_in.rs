//! Signing in with an e-mail address and a password.

use std::fmt;
use std::net::IpAddr;

use axum::http::HeaderValue;
use frontdesk_protocol::id::UserId;
use hmac::{Hmac, Mac};
use sha2::Sha256;
use tokio_postgres::types::ToSql;

use super::attempts::Client;
use super::password::{self, HashError};
use super::queue::Requester;
use super::tokens::Account;
use super::visitor::Visitor;
use super::{AuthError, Identity, Organization};
use crate::database::{Access, Actor, Database};
use crate::telemetry;

/// The maximum length of an e-mail address in bytes: that of RFC 5321, section 4.5.3.1.3, and a margin.
const MAX_ADDRESS: usize = 320;

/// The maximum number of concurrent account lookups for sign-ins, which share the database with all calls.
pub(super) const LOOKUPS: usize = 4;

/// A person who gave the right password.
pub(super) struct SignedIn {
    pub(super) account: Account,
    /// The cookie by which the account recognises the device from now on.
    pub(super) device: Option<HeaderValue>,
    /// The client address, in the form stored with the account.
    pub(super) came_from: Vec<u8>,
}

/// The account to sign in to, of those with an e-mail address.
pub(super) enum Wanted<'a> {
    /// The account that the password matches.
    Any,
    /// The account at the organisation with this id or name.
    At(&'a str),
    /// The account with this id.
    Only(UserId),
}

impl Wanted<'_> {
    fn is(&self, found: &Found) -> bool {
        match self {
            Wanted::Any => true,
            Wanted::At(named) => found.organization.as_ref().is_some_and(|organization| {
                organization.name.to_lowercase() == named.trim().to_lowercase()
                    || named.parse() == Ok(organization.id)
            }),
            Wanted::Only(account) => found.account.id == *account,
        }
    }
}

/// The account with this e-mail address and password. The password selects it, because an e-mail address can have an
/// account at each of several organisations.
///
/// # Errors
/// [`AuthError::InvalidCredentials`], [`AuthError::OrganizationRequired`], [`AuthError::TooManyAttempts`],
/// [`AuthError::Busy`] and database errors.
pub(super) async fn check(
    identity: &Identity,
    email: &str,
    password: String,
    wanted: Wanted<'_>,
    visitor: &Visitor,
) -> Result<SignedIn, AuthError> {
    let checked = check_password(identity, email, password, wanted, visitor).await;
    let outcome = checked
        .as_ref()
        .map_or_else(AuthError::error_code, |_| "ok");
    telemetry::record_sign_in(&normalize(email), visitor.address, outcome);
    if let Some(ahead) = visitor.clock_ahead(identity.0.clock.now()) {
        telemetry::record_wrong_clock(visitor.address, ahead);
    }
    checked
}

async fn check_password(
    identity: &Identity,
    email: &str,
    password: String,
    wanted: Wanted<'_>,
    visitor: &Visitor,
) -> Result<SignedIn, AuthError> {
    let provider = identity.provider()?;
    let address = normalize(email);
    let came_from = came_from(&provider.sign_in_key, visitor.address);
    let found = {
        let _lookup = provider.lookups.acquire().await;
        find(identity, &address, &came_from).await?
    };
    // Counted in every case: otherwise the remaining attempts would reveal other accounts with the address.
    let stranger = Client::Stranger(visitor.address);
    let strangers = provider.attempts.count(&address, stranger);
    let (mut is_known, mut hashes) = (false, Vec::with_capacity(found.len()));
    for found in &found {
        let account = found.account.id.to_string();
        let device = visitor.device(provider, found.account.id);
        let client = match &device {
            Some(device) => Some(Client::Device(device)),
            None if found.is_known_address => Some(Client::KnownAddress(visitor.address)),
            None => None,
        };
        is_known |= client.is_some();
        let is_tried = match client {
            Some(client) => {
                provider.attempts.count(&account, client)?;
                true
            }
            None => strangers.is_ok(),
        };
        hashes.push(found.hash.clone().filter(|_| is_tried));
    }
    if !is_known {
        strangers?;
    }
    let requester = Requester {
        is_known,
        address: visitor.address,
        account: address,
    };
    let is_right = provider
        .passwords
        .check(requester, password, hashes)
        .await?;
    let fits = found.into_iter().zip(is_right);
    let fits = fits.filter(|(found, is_right)| *is_right && wanted.is(found));
    let (mut fits, deactivated): (Vec<Found>, Vec<Found>) =
        fits.map(|(found, _)| found).partition(|one| one.is_active);
    match (fits.pop(), fits.is_empty()) {
        (None, _) if !deactivated.is_empty() => Err(AuthError::Deactivated),
        (None, _) => Err(AuthError::InvalidCredentials),
        (Some(one), true) => Ok(SignedIn {
            device: visitor.cookie(identity, provider, one.account.id),
            account: one.account,
            came_from,
        }),
        (Some(last), false) => {
            fits.push(last);
            Err(AuthError::OrganizationRequired(fits))
        }
    }
}

/// A client address in the form that is stored. An HMAC, because all addresses could be hashed and compared.
fn came_from(key: &[u8; 32], address: IpAddr) -> Vec<u8> {
    let mut mac = match Hmac::<Sha256>::new_from_slice(key) {
        Ok(mac) => mac,
        Err(error) => unreachable!("HMAC takes a key of any length: {error}"),
    };
    mac.update(format!("address\0{address}").as_bytes());
    mac.finalize().into_bytes().to_vec()
}

/// The e-mail address for lookups and for counting attempts, in its only normal form.
fn normalize(email: &str) -> String {
    email.trim().to_lowercase()
}

/// An account.
pub struct Found {
    pub(super) account: Account,
    is_active: bool,
    /// `None` if it belongs to no organisation yet.
    pub(super) organization: Option<Organization>,
    /// The hash of its password; `None` if it only signs in through a provider.
    hash: Option<String>,
    /// Whether somebody has signed in to it from this client address.
    is_known_address: bool,
}

impl fmt::Debug for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Found").field(&self.account).finish()
    }
}

impl Found {
    /// The name by which its holder distinguishes it from others with the same e-mail address.
    pub(super) fn name(&self) -> &str {
        let organization = self.organization.as_ref();
        organization.map_or("no organisation", |organization| &organization.name)
    }
}

/// Selects accounts as [`Found`]; `$2` is the client address. The condition is appended.
macro_rules! accounts {
    ($where:literal) => {
        concat!(
            "select u.id, u.email, u.organization_id, auth.organization(u.organization_id) as name, \
                    u.password_hash, exists ( \
                      select from auth.sessions s where s.user_id = u.id and s.came_from = $2 \
                    ), u.epoch, u.is_active \
             from auth.users u where ",
            $where,
            " order by name, u.id"
        )
    };
}

/// The accounts with this e-mail address, in lower case.
async fn find(
    identity: &Identity,
    address: &str,
    came_from: &[u8],
) -> Result<Vec<Found>, AuthError> {
    let of_address = accounts!("lower(u.email) = $1");
    search(identity, of_address, address, &[&address, &came_from]).await
}

/// The active accounts that this address at the provider signs in to: those with the same e-mail address, unless
/// created by invitation, and those that their holders have linked with it.
#[cfg(feature = "code-host")]
pub(super) async fn opened_by(
    identity: &Identity,
    provider: &str,
    address: &str,
) -> Result<Vec<Found>, AuthError> {
    let opened = accounts!(
        "u.is_active and (lower(u.email) = $1 and not u.is_invited \
          or u.id in (select l.user_id from auth.provider_links l where l.address = $1 and l.provider = $3))"
    );
    let from_nowhere: &[u8] = &[];
    search(
        identity,
        opened,
        address,
        &[&address, &from_nowhere, &provider],
    )
    .await
}

/// The active account with this id.
#[cfg(feature = "code-host")]
pub(super) async fn with_id(
    identity: &Identity,
    account: UserId,
) -> Result<Option<Found>, AuthError> {
    let from_nowhere: &[u8] = &[];
    let of_id = accounts!("u.is_active and u.id = $1");
    let found = search(identity, of_id, "", &[&account.0, &from_nowhere]).await?;
    Ok(found.into_iter().next())
}

async fn search(
    identity: &Identity,
    sql: &str,
    address: &str,
    params: &[&(dyn ToSql + Sync)],
) -> Result<Vec<Found>, AuthError> {
    // PostgreSQL text cannot contain NUL.
    if address.len() > MAX_ADDRESS || address.contains('\0') {
        return Ok(Vec::new());
    }
    let database = &identity.0.database;
    let mut transaction = database.transaction(Actor::Identity, Access::Read);
    let rows = transaction.query(sql, params).await?;
    let found = rows.iter().map(|row| Found {
        account: Account::new(UserId(row.get(0)), row.get(1), row.get(6)),
        organization: Option::zip(row.get(2), row.get(3))
            .map(|(id, name)| Organization { id, name }),
        hash: row.get(4),
        is_known_address: row.get(5),
        is_active: row.get(7),
    });
    Ok(found.collect())
}

/// The addresses of the active accounts, of those with these addresses, that have this password.
///
/// # Errors
/// Database errors.
pub(crate) async fn with_password(
    database: &Database,
    emails: &[&str],
    password: &'static str,
) -> Result<Vec<String>, AuthError> {
    let mut transaction = database.transaction(Actor::Identity, Access::Read);
    let find = "select email, password_hash from auth.users \
                where is_active and lower(email) = any ($1) and password_hash is not null order by email";
    let rows = transaction.query(find, &[&emails]).await?;
    let found: Vec<(String, String)> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
    let checked = tokio::task::spawn_blocking(move || password::of_password(found, password));
    let failed = AuthError::Internal("the demo's passwords could not be checked");
    checked.await.map_err(|_| failed)
}

/// The hash of a new password for an account with this address.
pub(super) async fn hash(
    identity: &Identity,
    address: &str,
    password: String,
) -> Result<String, AuthError> {
    let other = {
        let database = &identity.0.database;
        let mut transaction = database.transaction(Actor::Identity, Access::Read);
        let rows = transaction.query(OTHER_HASH, &[&address]).await?;
        rows.first().map(|row| row.get(0))
    };
    let hash = password::hash(password, other).await;
    hash.map_err(|_| AuthError::Internal("a password could not be hashed"))
}

/// The password hash of another account with the e-mail address.
const OTHER_HASH: &str = "select password_hash from auth.users \
     where lower(email) = $1 and password_hash is not null order by created_at, id limit 1";

/// Why an account was not added.
#[derive(Debug, thiserror::Error)]
pub enum AddUserError {
    /// The password could not be hashed.
    #[error(transparent)]
    Hash(#[from] HashError),
    /// The database refused the account, for example because another account of the organisation has the address.
    #[error("the account could not be stored: {0}")]
    Database(#[from] tokio_postgres::Error),
}

/// Adds an account with this e-mail address and password, or sets both on an existing account. `client` is the owner's
/// connection.
///
/// # Errors
/// [`AddUserError`].
pub async fn add_user(
    client: &tokio_postgres::Client,
    id: UserId,
    email: &str,
    password: &str,
) -> Result<(), AddUserError> {
    let email = normalize(email);
    let other = client.query_opt(OTHER_HASH, &[&email]).await?;
    let other = other.map(|row| row.get(0));
    let hash = password::hash(password.to_owned(), other).await?;
    client
        .execute(
            "insert into auth.users (id, email, password_hash) values ($1, $2, $3)
             on conflict (id) do update
             set email = excluded.email, password_hash = excluded.password_hash",
            &[&id.0, &email, &hash],
        )
        .await?;
    Ok(())
}
