//! Signing in through a code-hosting provider (specification, section 5.4): a browser goes to the provider
//! and comes back with who somebody is, and goes on to the terminal with a code that is good for tokens.
//!
//! Nobody is created: the provider's verified primary address has to be that of an active account.
//!
//! What the browser carries in between is signed and says everything by itself (`flow`), and what it ends
//! with is in the database (`code`), so that each of its steps may come to another server process.

mod client;
mod code;
mod exchange;
mod flow;
mod oauth;
mod page;
mod routes;
mod settings;
mod stage;

use super::{AuthError, Identity, Tokens};

pub(super) use exchange::CodeHost;
pub(super) use routes::router;
pub use settings::{CodeHostAddresses, CodeHostError, CodeHostSettings};

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
    code::redeem(identity, code, code::Binding::shown(verifier)).await
}
