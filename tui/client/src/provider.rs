//! Sign-in through a code-hosting provider of the service (specification, section 5.4), in a
//! browser that is redirected to a local port.

use oauth2::{CsrfToken, PkceCodeChallenge, PkceCodeVerifier};
use url::Url;

use crate::account::Account;
use crate::client::Client;
use crate::error::CallError;
use crate::loopback::{Loopback, Redirect};
use crate::secret::Secret;

/// The ways to sign in to a service.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SignInWays {
    /// The names of its code-hosting providers.
    pub providers: Vec<String>,
    /// Whether it has no organisation yet, so that nobody can sign in.
    pub needs_setup: bool,
}

/// A sign-in in progress. The user opens [`ProviderSignIn::address`] in a browser.
pub struct ProviderSignIn {
    client: Client,
    api_key: String,
    address: Url,
    state: Secret,
    verifier: PkceCodeVerifier,
    loopback: Loopback,
}

impl std::fmt::Debug for ProviderSignIn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProviderSignIn").finish_non_exhaustive()
    }
}

impl ProviderSignIn {
    /// Starts a sign-in through this provider at this address of the identity provider; with `link`
    /// it links the account. Sends nothing yet.
    pub(crate) async fn begin(
        client: Client,
        authorize: &str,
        provider: &str,
        api_key: &str,
        link: Option<&str>,
    ) -> Result<Self, CallError> {
        let loopback = Loopback::open().await?;
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let state = CsrfToken::new_random();
        let parameters = [
            ("provider", provider),
            ("redirect_to", loopback.redirect().as_str()),
            ("code_challenge", challenge.as_str()),
            ("code_challenge_method", challenge.method().as_str()),
            ("state", state.secret()),
        ];
        let link = link.map(|link| ("link", link));
        let address = Url::parse_with_params(authorize, parameters.into_iter().chain(link))
            .map_err(|error| CallError::Protocol(error.to_string()))?;
        Ok(ProviderSignIn {
            client,
            api_key: api_key.to_owned(),
            address,
            state: Secret::new(state.into_secret()),
            verifier,
            loopback,
        })
    }

    /// The address to open in a browser, on this machine or another.
    pub fn address(&self) -> &str {
        self.address.as_str()
    }

    /// Waits for the redirect of a browser on this machine and returns its address.
    ///
    /// # Errors
    /// The port cannot accept connections any more.
    pub async fn redirected(&self) -> std::io::Result<String> {
        self.loopback.redirected(&self.state).await
    }

    /// Completes the sign-in with the redirect address or its query, and saves the tokens.
    ///
    /// # Errors
    /// [`CallError::SignedOut`] if the answer is a refusal, belongs to another sign-in, or is
    /// refused by the identity provider; otherwise as for any call.
    pub async fn finish(&self, answer: &str) -> Result<Account, CallError> {
        let answer = Redirect::read(answer, &self.state)?;
        let verifier = self.verifier.secret();
        let signed_in = self
            .client
            .sign_in_with_code(&self.api_key, &answer.code, verifier);
        signed_in.await
    }
}
