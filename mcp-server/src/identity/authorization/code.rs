//! The code at the end of a sign-in in a browser. The client that began the sign-in can exchange it once, within a
//! short time, for tokens.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use frontdesk_protocol::id::UserId;
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use url::Url;
use uuid::Uuid;

use super::client::redirect;
use super::flow::{Flow, hash};
use crate::database::{Access, Actor, Transaction};
use crate::identity::claims::Purpose;
use crate::identity::factor::Cleared;
use crate::identity::tokens::{Account, Tokens};
use crate::identity::{AuthError, Identity, session};

/// The lifetime of a code: long enough to paste it by hand.
const LIFETIME: Duration = Duration::from_secs(5 * 60);
/// The length of a verifier in characters (RFC 7636, section 4.1).
const VERIFIER: std::ops::RangeInclusive<usize> = 43..=128;

/// The data that must accompany a code: the verifier of the challenge and, in the standard grant, the client and its
/// redirect address.
pub(in crate::identity) struct Binding {
    hash: [u8; 32],
    /// The hash of the client's id, in the standard grant.
    client: Option<String>,
}

impl Binding {
    /// The binding of the code of this sign-in.
    pub(in crate::identity) fn to(flow: &Flow) -> Self {
        let client = flow.client.as_ref().map(|client| client.id.clone());
        Binding::of(&flow.challenge, client, &flow.redirect)
    }

    /// The binding for this verifier from the terminal.
    #[cfg(feature = "code-host")]
    pub(in crate::identity) fn shown(verifier: &str) -> Option<Self> {
        Some(Binding {
            hash: Sha256::digest(challenge(verifier)?).into(),
            client: None,
        })
    }

    /// The binding for this verifier from a client of the standard grant.
    pub(super) fn shown_by(verifier: &str, client_id: &str, address: &str) -> Option<Self> {
        let client = Some(hash(client_id));
        Some(Binding::of(
            &challenge(verifier)?,
            client,
            &redirect(address)?,
        ))
    }

    fn of(challenge: &str, client: Option<String>, redirect: &Url) -> Self {
        let mut said = Sha256::new_with_prefix(challenge);
        if let Some(client) = &client {
            // A space is a safe separator: base64url has none.
            said.update(format!(" {client} {redirect}"));
        }
        Binding {
            hash: said.finalize().into(),
            client,
        }
    }
}

fn challenge(verifier: &str) -> Option<String> {
    let is_one = VERIFIER.contains(&verifier.len()) && verifier.is_ascii();
    is_one.then(|| hash(verifier))
}

/// Issues a code for this account, if its password and state are still those of its epoch. Also deletes the account's expired
/// codes; used codes are kept as long as the sign-in they began.
///
/// # Errors
/// [`AuthError::InvalidCredentials`] if they have changed since.
pub(in crate::identity) async fn issue(
    identity: &Identity,
    Cleared { account, .. }: &Cleared,
    binding: Binding,
) -> Result<String, AuthError> {
    let code: [u8; 32] = rand::random();
    let now = identity.0.clock.now();
    let user = account.id.0;
    let mut transaction = identity
        .0
        .database
        .transaction(Actor::Identity, Access::Write);
    let issued = transaction
        .query(
            "insert into auth.sign_in_codes (hash, user_id, bound_to, created_at)
             select $1, u.id, $3, $4 from auth.users u
             where u.id = $2 and u.is_active and u.epoch = $5 for share
             returning user_id",
            &[
                &Sha256::digest(code).to_vec(),
                &user,
                &binding.hash.to_vec(),
                &now,
                &account.epoch,
            ],
        )
        .await?;
    if issued.is_empty() {
        transaction.rollback().await?;
        return Err(AuthError::InvalidCredentials);
    }
    // The subtraction only fails before the year -9999, when no code can have expired.
    if let Ok(end) = now.checked_sub(LIFETIME) {
        transaction
            .query(
                "delete from auth.sign_in_codes
                 where user_id = $1 and created_at <= $2 and session_id is null",
                &[&user, &end],
            )
            .await?;
    }
    transaction.commit().await?;
    Ok(URL_SAFE_NO_PAD.encode(code))
}

/// Exchanges a code for tokens. The code is used up even if the binding does not match. A second use ends the sign-in
/// that the code began (RFC 6749, section 4.1.2).
///
/// # Errors
/// [`AuthError::CodeNotFound`], [`AuthError::CodeExpired`] and [`AuthError::WrongVerifier`].
pub(in crate::identity) async fn redeem(
    identity: &Identity,
    code: &str,
    shown: Option<Binding>,
    purpose: Purpose,
) -> Result<Tokens, AuthError> {
    let code = URL_SAFE_NO_PAD
        .decode(code)
        .map_err(|_| AuthError::CodeNotFound)?;
    let hash = Sha256::digest(&code).to_vec();
    let now = identity.0.clock.now();
    let database = &identity.0.database;
    let mut transaction = database.transaction(Actor::Identity, Access::Write);
    // If two requests use the code at once, the second waits here and finds it used.
    let rows = transaction
        .query(
            "with code as (update auth.sign_in_codes set used_at = $2
                           where hash = $1 and used_at is null
                           returning user_id, bound_to, created_at)
             select code.bound_to, code.created_at, account.id, account.email, account.epoch
             from code join auth.users account on account.id = code.user_id
             where account.is_active",
            &[&hash, &now],
        )
        .await?;
    let Some(row) = rows.first() else {
        revoke_used(identity, &mut transaction, &hash).await?;
        transaction.commit().await?;
        return Err(AuthError::CodeNotFound);
    };
    let bound_to: Vec<u8> = row.get(0);
    let created_at: Timestamp = row.get(1);
    let is_over = Duration::try_from(now.duration_since(created_at)).is_ok_and(|it| it >= LIFETIME);
    let shown = shown.filter(|shown| shown.hash.ct_eq(&bound_to).into());
    let begun = match shown {
        _ if is_over => Err(AuthError::CodeExpired),
        None => Err(AuthError::WrongVerifier),
        Some(shown) => {
            let account = Account::new(UserId(row.get(2)), row.get(3), row.get(4));
            let client = shown.client.as_deref();
            let (tokens, session) =
                session::begin_in(identity, &mut transaction, account, client, None, purpose)
                    .await?;
            let began = "update auth.sign_in_codes set session_id = $2 where hash = $1";
            transaction.query(began, &[&hash, &session]).await?;
            Ok(tokens)
        }
    };
    transaction.commit().await?;
    begun
}

/// Ends the sign-in that a used code began: a second party has the code, and may have the tokens.
async fn revoke_used(
    identity: &Identity,
    transaction: &mut Transaction,
    hash: &[u8],
) -> Result<(), AuthError> {
    let began = "select session_id from auth.sign_in_codes where hash = $1";
    let rows = transaction.query(began, &[&hash]).await?;
    let session: Option<Uuid> = rows.first().and_then(|row| row.get(0));
    if let Some(session) = session {
        session::revoke(identity, transaction, session).await?;
        tracing::warn!(%session, "a code was used again; the sign-in that it began is ended");
    }
    Ok(())
}
