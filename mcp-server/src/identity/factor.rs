//! The second factor of a sign-in: codes of an authenticator (RFC 6238), and recovery codes for the day on which it is
//! lost. Every way to tokens goes through [`clear`].

mod routes;

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use frontdesk_protocol::id::UserId;
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use sha2::{Digest, Sha256};
use totp_rs::{Builder, Secret, Totp};
use uuid::Uuid;

pub(super) use routes::router;

use super::attempts::Client;
use super::authorization::FlowKey;
use super::tokens::Account;
use super::visitor::Visitor;
use super::{AuthError, Identity};
use crate::database::{Access, Actor, params};
use crate::telemetry;

/// The length of a key in bytes (RFC 4226, section 4).
const KEY: usize = 20;
/// The number of recovery codes, and the length of each in bytes.
const RECOVERY: (usize, usize) = (8, 10);
/// Wrong codes of an authenticator within [`MISSED`] after which its codes are refused until the end of that time: guesses
/// at six digits succeed with one in 1,400 a day.
const MOST_MISSES: i32 = 10;
const MISSED: SignedDuration = SignedDuration::from_hours(1);

/// What a person shows besides a password.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Shown<'a> {
    /// A code of the authenticator, or a recovery code.
    pub(super) code: Option<&'a str>,
    /// The [`Enrolment`] that the code confirms.
    pub(super) enrolment: Option<&'a str>,
}

/// An account that can get tokens. Only [`clear`] makes one, so that no way to tokens passes the second factor by.
pub(super) struct Cleared {
    pub(super) account: Account,
    /// The recovery codes, if its second factor was turned on just now.
    pub(super) recovery: Option<Vec<String>>,
}

/// A key for an authenticator, before a code has confirmed it. Nothing is stored yet.
#[derive(Serialize)]
pub struct Enrolment {
    /// The key in Base32, to type in.
    pub(super) secret: String,
    /// The same as an address, for a QR code.
    pub(super) uri: String,
    /// The signed record, to send along with the code.
    pub(super) enrolment: String,
}

impl fmt::Debug for Enrolment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Enrolment")
    }
}

/// The content of the record: account, epoch, key, and when it began.
type Record = (UserId, i32, String, i64);

impl Enrolment {
    /// A new key for this account.
    fn begin(identity: &Identity, account: &Account) -> Result<Enrolment, AuthError> {
        let key = rand::random::<[u8; KEY]>();
        let now = identity.0.clock.now().as_second();
        let record: Record = (account.id, account.epoch, URL_SAFE_NO_PAD.encode(key), now);
        let signing = FlowKey::new(&identity.provider()?.sign_in_key);
        let sealed = signing.sign_enrolment(&record);
        Enrolment::of(account, &key, sealed.unwrap_or_default())
    }

    fn of(account: &Account, key: &[u8], enrolment: String) -> Result<Enrolment, AuthError> {
        let failed = AuthError::Internal("an authenticator's address could not be made");
        // The separator of issuer and name.
        let name = account.email.replace(':', " ");
        let totp = totp(key).with_account_name(name);
        let totp = totp.with_issuer(Some("Frontdesk")).build_noncompliant();
        Ok(Enrolment {
            secret: totp.secret().to_base32(),
            uri: totp.to_url().map_err(|_| failed)?,
            enrolment,
        })
    }

    /// The key of a record that was signed here, for this account as it is, within the last ten minutes.
    fn key(
        identity: &Identity,
        account: &Account,
        sealed: &str,
    ) -> Result<Option<Vec<u8>>, AuthError> {
        let signing = FlowKey::new(&identity.provider()?.sign_in_key);
        let record: Option<Record> = signing.read_enrolment(sealed, identity.0.clock.now());
        let record =
            record.filter(|(user, epoch, ..)| (*user, *epoch) == (account.id, account.epoch));
        Ok(record.and_then(|(_, _, key, _)| URL_SAFE_NO_PAD.decode(key).ok()))
    }
}

fn totp(key: &[u8]) -> Builder {
    Builder::new().with_secret(Secret::from(key))
}

/// The time step of a code, if the authenticator with this key shows it now, a step before or a step later. Codes are
/// compared in constant time.
fn step(key: &[u8], code: &str, now: Timestamp) -> Option<i64> {
    let totp: Totp = totp(key).build_noncompliant();
    let step = totp.check(code, u64::try_from(now.as_second()).ok()?);
    i64::try_from(step?).ok()
}

/// A code without the spaces and hyphens that people type.
fn typed(code: &str) -> String {
    let typed = code.chars().filter(char::is_ascii_alphanumeric);
    typed.collect::<String>().to_ascii_uppercase()
}

fn hash(code: &str) -> Vec<u8> {
    Sha256::digest(typed(code)).to_vec()
}

/// An account whose password, or address at the code host, was shown: it can get tokens, unless it needs a second factor.
///
/// # Errors
/// [`AuthError::CodeRequired`], [`AuthError::WrongCode`] and [`AuthError::EnrolmentRequired`];
/// [`AuthError::InvalidCredentials`] if the account has changed since; [`AuthError::TooManyAttempts`] and database errors.
pub(super) async fn clear(
    identity: &Identity,
    user: UserId,
    epoch: i32,
    shown: Shown<'_>,
    visitor: &Visitor,
) -> Result<Cleared, AuthError> {
    let database = &identity.0.database;
    let mut transaction = database.transaction(Actor::Identity, Access::Read);
    let sql = "select u.email, auth.sign_in_needs(u.id) from auth.users u where u.id = $1";
    let rows = transaction.query(sql, params![user.0]).await?;
    let row = rows.first().ok_or(AuthError::InvalidCredentials)?;
    let (email, needs): (String, Option<String>) = (row.get(0), row.get(1));
    let account = Account::new(user, email, epoch);
    match (needs.as_deref(), shown.code) {
        (Some("nothing"), _) => Ok(Cleared {
            account,
            recovery: None,
        }),
        (Some("code"), None) => Err(AuthError::CodeRequired),
        (Some("code"), Some(code)) => {
            let checked = check(identity, user, code, visitor).await;
            if let Err(error) = checked {
                telemetry::record_sign_in(&account.email, visitor.address, error.error_code());
                return Err(error);
            }
            Ok(Cleared {
                account,
                recovery: None,
            })
        }
        // Nobody gets through with a need that is not known.
        (_, None) => Err(AuthError::EnrolmentRequired(Box::new(Enrolment::begin(
            identity, &account,
        )?))),
        (_, Some(_)) => turn_on(identity, account, shown, visitor, None).await,
    }
}

/// Turns the account's second factor on, if the code confirms the enrolment. Its sign-ins end, except one.
///
/// # Errors
/// As [`clear`]; [`AuthError::EnrolmentRequired`] also if the enrolment began more than ten minutes ago.
async fn turn_on(
    identity: &Identity,
    mut account: Account,
    shown: Shown<'_>,
    visitor: &Visitor,
    except: Option<Uuid>,
) -> Result<Cleared, AuthError> {
    let sealed = shown.enrolment.unwrap_or_default();
    let Some(key) = Enrolment::key(identity, &account, sealed)? else {
        let again = Enrolment::begin(identity, &account)?;
        return Err(AuthError::EnrolmentRequired(Box::new(again)));
    };
    count(identity, account.id, visitor)?;
    let code = typed(shown.code.unwrap_or_default());
    let Some(step) = step(&key, &code, identity.0.clock.now()) else {
        let same = Enrolment::of(&account, &key, sealed.to_owned())?;
        return Err(AuthError::WrongCode(Some(Box::new(same))));
    };
    let recovery: Vec<String> = (0..RECOVERY.0).map(|_| recovery_code()).collect();
    let hashes: Vec<Vec<u8>> = recovery.iter().map(|code| hash(code)).collect();
    let database = &identity.0.database;
    let mut transaction = database.transaction(Actor::Identity, Access::Write);
    let sql = "select auth.turn_on_factor($1, $2, $3, $4, $5, $6)";
    let rows = transaction
        .query(
            sql,
            &[&account.id.0, &account.epoch, &except, &key, &step, &hashes],
        )
        .await?;
    let epoch: Option<i32> = rows.first().and_then(|row| row.get(0));
    let Some(epoch) = epoch else {
        transaction.rollback().await?;
        return Err(AuthError::InvalidCredentials);
    };
    transaction.commit().await?;
    tracing::info!(user = %account.id, "a second factor was turned on");
    account.epoch = epoch;
    Ok(Cleared {
        account,
        recovery: Some(recovery),
    })
}

/// Ten random bytes in Base32, in groups of four.
fn recovery_code() -> String {
    let code = Secret::from(rand::random::<[u8; RECOVERY.1]>()).to_base32();
    let groups: Vec<_> = code
        .as_bytes()
        .chunks(4)
        .map(String::from_utf8_lossy)
        .collect();
    groups.join("-")
}

/// Counts an attempt by this client, as at a password.
fn count(identity: &Identity, user: UserId, visitor: &Visitor) -> Result<(), AuthError> {
    let attempts = &identity.provider()?.attempts;
    attempts.count(&format!("code\0{user}"), Client::Stranger(visitor.address))
}

/// Uses up a code of the account's authenticator, or a recovery code.
///
/// # Errors
/// [`AuthError::WrongCode`], also for a code that was used before; [`AuthError::TooManyAttempts`] and database errors.
async fn check(
    identity: &Identity,
    user: UserId,
    code: &str,
    visitor: &Visitor,
) -> Result<(), AuthError> {
    count(identity, user, visitor)?;
    let (code, now) = (typed(code), identity.0.clock.now());
    let database = &identity.0.database;
    let mut transaction = database.transaction(Actor::Identity, Access::Write);
    // Two tries of one code come one after the other.
    let sql =
        "select key, last_step, misses, missed_at from auth.factors where user_id = $1 for update";
    let rows = transaction.query(sql, params![user.0]).await?;
    let Some(row) = rows.first() else {
        transaction.rollback().await?;
        return Err(AuthError::InvalidCredentials);
    };
    let sql = "delete from auth.recovery_codes where user_id = $1 and hash = $2 returning user_id";
    if !transaction
        .query(sql, &[&user.0, &hash(&code)])
        .await?
        .is_empty()
    {
        transaction.commit().await?;
        tracing::info!(%user, "a recovery code was used");
        return Ok(());
    }
    let (key, last): (Vec<u8>, i64) = (row.get(0), row.get(1));
    let began: Option<Timestamp> = row.get(3);
    let left = began.map(|at| MISSED - now.duration_since(at));
    let left = left.filter(|left| left.is_positive());
    let misses: i32 = if left.is_some() { row.get(2) } else { 0 };
    if let Some(left) = left.filter(|_| misses >= MOST_MISSES) {
        transaction.rollback().await?;
        let retry_after = left.try_into().unwrap_or_default();
        return Err(AuthError::TooManyAttempts { retry_after });
    }
    let step = step(&key, &code, now).filter(|step| *step > last);
    let (misses, began) = match (step, misses) {
        (Some(_), _) => (0, None),
        (None, 0) => (1, Some(now)),
        (None, misses) => (misses + 1, began),
    };
    let sql =
        "update auth.factors set last_step = $2, misses = $3, missed_at = $4 where user_id = $1";
    let params = params![user.0, step.unwrap_or(last), misses, began];
    transaction.query(sql, params).await?;
    transaction.commit().await?;
    match step {
        Some(_) => Ok(()),
        None => {
            tracing::warn!(%user, misses, "a wrong code of a second factor");
            Err(AuthError::WrongCode(None))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_rfc_6238() {
        let key = b"12345678901234567890";
        for (second, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_234_567_890, "005924"),
            (20_000_000_000, "353130"),
        ] {
            let at = |second| Timestamp::from_second(second).unwrap_or_default();
            let of = second / 30;
            assert_eq!(step(key, code, at(second)), Some(of));
            assert_eq!(step(key, code, at(second + 30)), Some(of), "a step before");
            assert_eq!(step(key, code, at(second + 60)), None);
            assert_eq!(step(key, &code[1..], at(second)), None);
        }
    }

    #[test]
    fn a_recovery_code_is_read_as_people_type_it() {
        let code = recovery_code();
        assert_eq!((code.len(), typed(&code).len()), (19, 16), "{code}");
        let typed = code.to_lowercase().replace('-', "  ");
        assert_eq!(hash(&typed), hash(&code));
    }
}
