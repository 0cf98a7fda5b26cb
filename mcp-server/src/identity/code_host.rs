//! Signing in through a code-hosting provider (specification, section 5.4): the browser goes to the provider, comes
//! back with the person's identity, and continues to the client with a code for tokens.
//!
//! No accounts are created. The provider's verified primary address signs in to an active account with that address,
//! unless it was created by invitation, and to an account that its holder has linked with it while signed in. The
//! account gets the login at the provider.

mod exchange;
mod routes;
mod settings;

use frontdesk_protocol::id::UserId;
use oauth2::RedirectUrl;
use url::Url;

use super::authorization::PageContext;
use super::authorization::code::{self, Binding};
use super::claims::Purpose;
use super::{AuthError, Identity, Provider, Tokens};
use crate::database::{Access, Actor};

pub(super) use exchange::CodeHost;
pub(super) use routes::router;
pub use settings::{CodeHostAddresses, CodeHostError, CodeHostSettings};

impl Provider {
    /// The code-hosting provider's name.
    pub(super) fn code_host_name(&self) -> Option<&str> {
        Some(self.code_host.as_ref()?.name())
    }

    /// The code-hosting provider's name, and its page for the sign-in with this signed record.
    pub(super) fn code_host_page(
        &self,
        context: &PageContext,
        sealed: &str,
    ) -> Option<(&str, Url)> {
        let host = self.code_host.as_ref()?;
        let callback = callback(&context.base)?;
        let verifier = context.key.verifier(sealed);
        Some((
            host.name(),
            host.page(callback, sealed.to_owned(), verifier),
        ))
    }
}

/// The address that the provider sends browsers back to.
fn callback(base: &str) -> Option<RedirectUrl> {
    RedirectUrl::new(format!("{base}/auth/v1/callback")).ok()
}

/// Stores the login at the provider of a person who signed in to this account, and links the account with a member if it
/// has none.
pub(super) async fn signed_in_through(
    identity: &Identity,
    account: UserId,
    login: Option<&str>,
) -> Result<(), AuthError> {
    let database = &identity.0.database;
    let mut transaction = database.transaction(Actor::Identity, Access::Write);
    let sql = "select auth.signed_in_through($1, $2)";
    transaction.query(sql, &[&account.0, &login]).await?;
    Ok(transaction.commit().await?)
}

/// Exchanges the code of a sign-in and the verifier it began with for tokens.
///
/// # Errors
/// [`AuthError::CodeNotFound`], [`AuthError::CodeExpired`] and [`AuthError::WrongVerifier`]: the person has to sign in
/// again.
pub(super) async fn redeem(
    identity: &Identity,
    code: &str,
    verifier: &str,
    purpose: Purpose,
) -> Result<Tokens, AuthError> {
    code::redeem(identity, code, Binding::shown(verifier), purpose).await
}
