//! Signing in through a code-hosting provider (specification, section 5.4): a browser goes to the provider
//! and comes back with who somebody is, and goes on to the client with a code that is good for tokens.
//!
//! No account is created. The provider's verified primary address opens an active account with that address, unless it
//! was made by invitation, and one that its holder has linked with it while signed in.

mod exchange;
mod routes;
mod settings;

use oauth2::RedirectUrl;
use url::Url;

use super::authorization::Stage;
use super::authorization::code::{self, Binding};
use super::{AuthError, Identity, Provider, Tokens};

pub(super) use exchange::CodeHost;
pub(super) use routes::router;
pub use settings::{CodeHostAddresses, CodeHostError, CodeHostSettings};

impl Provider {
    /// The code-hosting provider's name.
    pub(super) fn code_host_name(&self) -> Option<&str> {
        Some(self.code_host.as_ref()?.name())
    }

    /// The code-hosting provider's name and its page for the sign-in with this signed record.
    pub(super) fn code_host_page(&self, stage: &Stage, sealed: &str) -> Option<(&str, Url)> {
        let host = self.code_host.as_ref()?;
        let callback = callback(&stage.base)?;
        let verifier = stage.key.verifier(sealed);
        Some((
            host.name(),
            host.page(callback, sealed.to_owned(), verifier),
        ))
    }
}

/// Where the provider sends browsers back to.
fn callback(base: &str) -> Option<RedirectUrl> {
    RedirectUrl::new(format!("{base}/auth/v1/callback")).ok()
}

/// The tokens for the code that a sign-in ended with and the verifier that it began with.
///
/// # Errors
/// [`AuthError::CodeNotFound`], [`AuthError::CodeExpired`] and [`AuthError::WrongVerifier`]: the person
/// has to sign in again.
pub(super) async fn redeem(
    identity: &Identity,
    code: &str,
    verifier: &str,
) -> Result<Tokens, AuthError> {
    code::redeem(identity, code, Binding::shown(verifier)).await
}
