//! Sign-in to a server as defined by MCP: in a browser, at the authorization server that the server
//! names, with a redirect to a local port.

use http::Method;
use http::header::{ACCEPT, WWW_AUTHENTICATE};
use rmcp::transport::auth::{AuthError, AuthorizationManager, OAuthClientConfig};

use crate::error::CallError;
use crate::loopback::{Loopback, Redirect, parameters};
use crate::secret::Secret;
use crate::server::connection::{HANDSHAKE_WITHIN, headers};
use crate::server::grants::{Courier, Grants};
use crate::server::{Server, Way};

/// A sign-in in progress. The user opens [`SignIn::address`] in a browser.
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
    /// Finds the authorization server and registers this program there, unless a client is configured:
    /// its id, and its secret. Scopes of an earlier sign-in, and those that a call lacked, are requested
    /// again.
    pub(super) async fn begin(
        grants: &Grants,
        challenge: Option<&str>,
        client: Option<(&str, Option<Secret>)>,
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
        let mut scopes = manager.select_initial_scopes(&[]).await;
        for scope in grants.file.scopes() {
            if !scopes.contains(&scope) {
                scopes.push(scope);
            }
        }
        let scopes: Vec<_> = scopes.iter().map(String::as_str).collect();
        let registered = match client {
            Some((client_id, secret)) => {
                let mut client = OAuthClientConfig::new(client_id, redirect);
                if let Some(secret) = secret {
                    client = client.with_client_secret(secret.expose());
                }
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
            // The address was guessed, so its error is meaningless.
            false => CallError::SignedOut(
                "the server does not say where to sign in; configure a token for it".to_owned(),
            ),
        })?;
        grants
            .file
            .keep_client_secret(client.client_secret.map(Secret::new));
        let address = manager.get_authorization_url(&scopes).await;
        let address = address.map_err(explain)?;
        // A browser would open any address, including files.
        if !address.starts_with("https://") && !address.starts_with("http://") {
            return Err(CallError::Protocol(
                "the server's sign-in address is not a web page".to_owned(),
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

    /// The address to open in a browser, on this machine or another.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Waits for the redirect of a browser on this machine and returns its address. Other requests
    /// are refused.
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
    /// refused by the authorization server; otherwise as for any call.
    pub async fn finish(&self, answer: &str) -> Result<(), CallError> {
        let answer = Redirect::read(answer, &self.state)?;
        let issuer = answer.issuer.as_deref();
        self.manager
            .exchange_code_for_token_with_issuer(&answer.code, self.state.expose(), issuer)
            .await
            .map(|_| ())
            .map_err(|error| self.courier.explain(&self.place, error))
    }
}

impl Server {
    /// Starts signing in to the server in a browser.
    ///
    /// # Errors
    /// [`CallError::SignedOut`] if the server has no sign-in: it is a process, its token is
    /// configured, or it does not name an authorization server; otherwise as for any call.
    pub async fn sign_in(&self) -> Result<SignIn, CallError> {
        let (server, http, keys) = match &self.0.way {
            Way::Http(server, http, keys) => (server, http, keys),
            Way::Command(..) => return Err(no_sign_in("the server is a process of your own")),
        };
        let Some(grants) = keys.grants() else {
            return Err(no_sign_in("its token is configured"));
        };
        // A request without a token returns the challenge for the sign-in.
        let ping = serde_json::json!({ "jsonrpc": "2.0", "id": 0, "method": "ping" });
        let asked = http
            .request(Method::POST, server.url.as_str())
            .timeout(HANDSHAKE_WITHIN)
            .headers(headers(server).into_iter().collect())
            .header(ACCEPT, "application/json, text/event-stream")
            .json(&ping);
        let answer = http
            .open(asked)
            .await
            .map_err(|failure| failure.into_error(&self.0.place, true))?;
        let challenges = answer.headers().get_all(WWW_AUTHENTICATE).iter();
        keys.hear_challenge(challenges.filter_map(|value| value.to_str().ok()));
        let secret = server.client_secret_file.as_deref().map(Secret::in_file);
        let secret = secret.transpose().map_err(CallError::SignedOut)?;
        let client = server.client_id.as_deref().map(|id| (id, secret));
        let sign_in = SignIn::begin(grants, keys.challenge().as_deref(), client).await?;
        self.0.session.lock().await.take();
        Ok(sign_in)
    }

    /// Deletes the tokens of a sign-in. Returns whether there were any.
    ///
    /// # Errors
    /// [`CallError::Unreachable`] if their file could not be removed.
    pub async fn sign_out(&self) -> Result<bool, CallError> {
        self.0.session.lock().await.take();
        match &self.0.way {
            Way::Http(_, _, keys) => keys.grants().map_or(Ok(false), |grants| {
                let forgotten = grants.file.forget();
                forgotten.map_err(|error| self.unreachable(format!("was not forgotten: {error}")))
            }),
            Way::Command(..) => Ok(false),
        }
    }
}

fn no_sign_in(why: &str) -> CallError {
    CallError::SignedOut(format!("there is nothing to sign in to: {why}"))
}
