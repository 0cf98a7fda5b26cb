//! What a sign-in through the provider ends with: a code that is good for tokens, once, for a short time,
//! and for whoever began it.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use frontdesk_protocol::id::UserId;
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use url::Url;
use uuid::Uuid;

use super::flow::{Flow, hash, loopback};
use crate::database::{Access, Actor};
use crate::identity::tokens::{Account, Tokens};
use crate::identity::{AuthError, Identity, session};

/// How long a code is good: long enough to paste it by hand.
const LIFETIME: Duration = Duration::from_secs(5 * 60);
/// How long a verifier may be, in characters (RFC 7636, section 4.1).
const VERIFIER: std::ops::RangeInclusive<usize> = 43..=128;

/// What has to be shown with a code.
pub(super) struct Binding([u8; 32]);

impl Binding {
    /// What whoever began this has to show: the verifier of its challenge and, in the standard grant, who
    /// they are and where they waited.
    pub(super) fn to(flow: &Flow) -> Self {
        let client = flow.client.as_deref();
        Binding::of(
            &flow.challenge,
            client.map(|client| (client, &flow.redirect)),
        )
    }

    /// What shows this verifier, if it is one.
    pub(super) fn shown(verifier: &str) -> Option<Self> {
        Some(Binding::of(&challenge(verifier)?, None))
    }

    /// The same, shown by this client with the address that it waited at.
    pub(super) fn shown_by(verifier: &str, client_id: &str, redirect: &str) -> Option<Self> {
        let redirect = loopback(redirect)?;
        let client = hash(client_id);
        Some(Binding::of(
            &challenge(verifier)?,
            Some((&client, &redirect)),
        ))
    }

    fn of(challenge: &str, client: Option<(&str, &Url)>) -> Self {
        let mut said = Sha256::new_with_prefix(challenge);
        if let Some((client, redirect)) = client {
            // Neither a challenge nor a hash in base64url has a space in it.
            said.update(format!(" {client} {redirect}"));
        }
        Binding(said.finalize().into())
    }
}

fn challenge(verifier: &str) -> Option<String> {
    let is_one = VERIFIER.contains(&verifier.len()) && verifier.is_ascii();
    is_one.then(|| hash(verifier))
}

/// A code for the active account with this address, in lower case; None where there is no such account.
/// Codes of the account that are over go at the same time.
pub(super) async fn issue(
    identity: &Identity,
    address: &str,
    binding: Binding,
) -> Result<Option<String>, AuthError> {
    let code: [u8; 32] = rand::random();
    let now = identity.0.clock.now();
    let mut transaction = identity
        .0
        .database
        .transaction(Actor::Identity, Access::Write);
    let rows = transaction
        .query(
            "insert into auth.sign_in_codes (hash, user_id, bound_to, created_at)
             select $1, id, $2, $3 from auth.users where lower(email) = $4 and is_active
             returning user_id",
            &[
                &Sha256::digest(code).to_vec(),
                &binding.0.to_vec(),
                &now,
                &address,
            ],
        )
        .await?;
    let Some(row) = rows.first() else {
        transaction.rollback().await?;
        return Ok(None);
    };
    let user: Uuid = row.get(0);
    // Further back than there is time, nothing has ended.
    if let Ok(end) = now.checked_sub(LIFETIME) {
        transaction
            .query(
                "delete from auth.sign_in_codes where user_id = $1 and created_at <= $2",
                &[&user, &end],
            )
            .await?;
    }
    transaction.commit().await?;
    Ok(Some(URL_SAFE_NO_PAD.encode(code)))
}

/// The tokens for a code and what was shown with it. The code is good for nothing from now on, whatever
/// was shown.
///
/// # Errors
/// [`AuthError::CodeNotFound`], [`AuthError::CodeExpired`] and [`AuthError::WrongVerifier`].
pub(super) async fn redeem(
    identity: &Identity,
    code: &str,
    shown: Option<Binding>,
) -> Result<Tokens, AuthError> {
    let code = URL_SAFE_NO_PAD
        .decode(code)
        .map_err(|_| AuthError::CodeNotFound)?;
    let mut transaction = identity
        .0
        .database
        .transaction(Actor::Identity, Access::Write);
    // Of two that come at once, one finds it.
    let rows = transaction
        .query(
            "with code as (delete from auth.sign_in_codes where hash = $1
                           returning user_id, bound_to, created_at)
             select code.bound_to, code.created_at, account.id, account.email
             from code join auth.users account on account.id = code.user_id
             where account.is_active",
            &[&Sha256::digest(&code).to_vec()],
        )
        .await?;
    transaction.commit().await?;
    let row = rows.first().ok_or(AuthError::CodeNotFound)?;
    let bound_to: Vec<u8> = row.get(0);
    let created_at: Timestamp = row.get(1);
    let age = identity.0.clock.now().duration_since(created_at);
    if Duration::try_from(age).is_ok_and(|age| age >= LIFETIME) {
        return Err(AuthError::CodeExpired);
    }
    let is_bound = shown.is_some_and(|it| it.0.ct_eq(&bound_to).into());
    if !is_bound {
        return Err(AuthError::WrongVerifier);
    }
    let account = Account::new(UserId(row.get(2)), row.get(3));
    session::begin(identity, account).await
}
