//! Signing in to a server as MCP defines it: in a browser, at the authorization server that the
//! server names, back to a port of this machine.

use rmcp::transport::auth::{AuthError, AuthorizationManager, OAuthClientConfig};

use crate::error::CallError;
use crate::loopback::{Answer, Loopback, parameters};
use crate::secret::Secret;
use crate::server::grants::{Courier, Grants};

/// A sign-in that has begun: somebody has to open [`SignIn::address`] in a browser.
pub struct SignIn {
    manager: AuthorizationManager,
    courier: Courier,
    place: String,
    address: String,
    state: Secret,
    loopback: Loopback,
}

impl std::fmt::Debug for SignIn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SignIn")
            .field("place", &self.place)
            .finish_non_exhaustive()
    }
}

impl SignIn {
    /// Finds out where to sign in, and registers this program there, unless it has a `client_id`.
    pub(super) async fn begin(
        grants: &Grants,
        challenge: Option<&str>,
        client_id: Option<&str>,
    ) -> Result<Self, CallError> {
        let loopback = Loopback::open().await?;
        let place = grants.place();
        let courier = Courier::new(grants.http().clone());
        let mut manager = grants.manager(&courier).await?;
        let explain = |error: AuthError| courier.explain(&place, error);

        let found = manager.resolve_metadata_from_challenge(challenge).await;
        let found = found.map_err(explain)?;
        let is_told = found.source.is_discovered();
        manager.set_metadata(found.metadata);
        let redirect = loopback.redirect().as_str();
        let scopes = manager.select_initial_scopes(&[]).await;
        let scopes: Vec<_> = scopes.iter().map(String::as_str).collect();
        let registered = match client_id {
            Some(client_id) => {
                let client = OAuthClientConfig::new(client_id, redirect);
                let configured = manager.configure_client(client.clone());
                configured.map(|()| client)
            }
            None => {
                manager
                    .register_client("Frontdesk", redirect, &scopes)
                    .await
            }
        };
        let client = registered.map_err(|error| match is_told {
            true => explain(error),
            // The address was a guess, so that what came of it says nothing.
            false => CallError::SignedOut(
                "the server does not say where to sign in; configure a token for it".to_owned(),
            ),
        })?;
        grants
            .file
            .keep_client_secret(client.client_secret.map(Secret::new));
        let address = manager.get_authorization_url(&scopes).await;
        let address = address.map_err(explain)?;
        // A browser would open anything, a file as well.
        if !address.starts_with("https://") && !address.starts_with("http://") {
            return Err(CallError::Protocol(
                "the server sends its users to what is no web page".to_owned(),
            ));
        }
        let state = parameters(&address).remove("state").unwrap_or_default();
        Ok(SignIn {
            manager,
            place,
            address,
            state: Secret::new(state),
            loopback,
            courier,
        })
    }

    /// What to open in a browser, on this machine or another.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Waits until a browser on this machine is sent back, and says to where. What does not
    /// belong to this sign-in is turned away.
    ///
    /// # Errors
    /// No connection can be taken any more.
    pub async fn redirected(&self) -> std::io::Result<String> {
        self.loopback.redirected(&self.state).await
    }

    /// Ends the sign-in with the address that the browser was sent back to, or the part of it
    /// after the question mark, and keeps the tokens.
    ///
    /// # Errors
    /// [`CallError::SignedOut`] where the answer is a refusal, is not of this sign-in, or is not
    /// taken by the authorization server; else as any call.
    pub async fn finish(&self, answer: &str) -> Result<(), CallError> {
        let answer = Answer::read(answer, &self.state)?;
        let issuer = answer.issuer.as_deref();
        self.manager
            .exchange_code_for_token_with_issuer(&answer.code, self.state.expose(), issuer)
            .await
            .map(|_| ())
            .map_err(|error| self.courier.explain(&self.place, error))
    }
}
