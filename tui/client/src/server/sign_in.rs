//! Signing in to a server as MCP defines it: in a browser, at the authorization server that the
//! server names, back to a port of this machine.

use std::collections::HashMap;
use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use rmcp::transport::auth::{AuthError, AuthorizationManager, OAuthClientConfig};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use url::Url;

use crate::error::CallError;
use crate::secret::Secret;
use crate::server::grants::{Courier, Grants};

/// The path that a browser is sent back to.
const CALLBACK: &str = "/callback";
/// How long a connection of a browser may say nothing.
const SPEAK_WITHIN: Duration = Duration::from_secs(30);
/// The longest head of a request that is read, in bytes.
const LONGEST_HEAD: usize = 16 * 1024;

/// A sign-in that has begun: somebody has to open [`SignIn::address`] in a browser.
pub struct SignIn {
    manager: AuthorizationManager,
    courier: Courier,
    place: String,
    address: String,
    state: Secret,
    redirect: Url,
    listener: TcpListener,
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
        let listener = TcpListener::bind(("127.0.0.1", 0)).await;
        let listener = listener.map_err(|error| CallError::Unreachable {
            host: "127.0.0.1".to_owned(),
            reason: error.to_string(),
        })?;
        let place = grants.place();
        let courier = Courier::new(grants.http().clone());
        let mut manager = grants.manager(&courier).await?;
        let explain = |error: AuthError| courier.explain(&place, error);

        let found = manager.resolve_metadata_from_challenge(challenge).await;
        let found = found.map_err(explain)?;
        let is_told = found.source.is_discovered();
        manager.set_metadata(found.metadata);
        let redirect = callback(&listener)?;
        let scopes = manager.select_initial_scopes(&[]).await;
        let scopes: Vec<_> = scopes.iter().map(String::as_str).collect();
        let registered = match client_id {
            Some(client_id) => {
                let client = OAuthClientConfig::new(client_id, redirect.as_str());
                let configured = manager.configure_client(client.clone());
                configured.map(|()| client)
            }
            None => {
                manager
                    .register_client("Frontdesk", redirect.as_str(), &scopes)
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
            redirect,
            listener,
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
        let mut visitors = FuturesUnordered::new();
        loop {
            tokio::select! {
                arrived = self.listener.accept() => {
                    let (stream, _) = arrived?;
                    let visit = tokio::time::timeout(SPEAK_WITHIN, self.visit(stream));
                    visitors.push(visit);
                }
                Some(visited) = visitors.next() => {
                    if let Ok(Some(answer)) = visited {
                        return Ok(answer);
                    }
                }
            }
        }
    }

    /// Reads one request, answers it, and returns its address if it is the redirect.
    async fn visit(&self, mut stream: TcpStream) -> Option<String> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") && head.len() < LONGEST_HEAD {
            let mut bytes = [0; 1024];
            match stream.read(&mut bytes).await.ok()? {
                0 => return None,
                read => head.extend_from_slice(&bytes[..read]),
            }
        }
        let head = String::from_utf8_lossy(&head);
        let target = head
            .strip_prefix("GET ")
            .and_then(|it| it.split(' ').next());
        let answer = target
            .and_then(|target| self.redirect.join(target).ok())
            .filter(|answer| answer.path() == CALLBACK && self.is_ours(answer));
        let (status, text) = match answer {
            Some(_) => ("200 OK", "Done. You can close this page."),
            None => ("400 Bad Request", "This does not belong to a sign-in."),
        };
        let page = format!(
            "HTTP/1.1 {status}\r\ncontent-type: text/plain; charset=utf-8\r\n\
             content-length: {}\r\nconnection: close\r\n\r\n{text}",
            text.len()
        );
        // A browser that does not wait for the page has been sent back all the same.
        let _ = stream.write_all(page.as_bytes()).await;
        let _ = stream.shutdown().await;
        answer.map(String::from)
    }

    fn is_ours(&self, answer: &Url) -> bool {
        let state = parameters(answer.as_str()).remove("state");
        state.is_some_and(|state| Secret::new(state) == self.state)
    }

    /// Ends the sign-in with the address that the browser was sent back to, or the part of it
    /// after the question mark, and keeps the tokens.
    ///
    /// # Errors
    /// [`CallError::SignedOut`] where the answer is a refusal, is not of this sign-in, or is not
    /// taken by the authorization server; else as any call.
    pub async fn finish(&self, answer: &str) -> Result<(), CallError> {
        let refused = |reason: &str| Err(CallError::SignedOut(reason.to_owned()));
        let mut answer = parameters(answer.trim());
        let Some(state) = answer.remove("state") else {
            return refused("paste the whole address that the browser was sent to");
        };
        if Secret::new(&state) != self.state {
            return refused("the answer belongs to another sign-in");
        }
        if let Some(error) = answer.remove("error") {
            let error = match answer.remove("error_description") {
                Some(description) => format!("{error}: {description}"),
                None => error,
            };
            return refused(&crate::failure::shorten(&error));
        }
        let Some(code) = answer.remove("code") else {
            return refused("the answer has no code in it");
        };
        let issuer = answer.remove("iss");
        self.manager
            .exchange_code_for_token_with_issuer(&code, &state, issuer.as_deref())
            .await
            .map(|_| ())
            .map_err(|error| self.courier.explain(&self.place, error))
    }
}

/// Where the browser is sent back to.
fn callback(listener: &TcpListener) -> Result<Url, CallError> {
    let port = listener.local_addr().map(|address| address.port());
    let redirect = port.map_err(|error| error.to_string()).and_then(|port| {
        let redirect = format!("http://127.0.0.1:{port}{CALLBACK}");
        Url::parse(&redirect).map_err(|error| error.to_string())
    });
    redirect.map_err(CallError::Protocol)
}

/// The parameters of an address, or of the part of one after the question mark.
fn parameters(address: &str) -> HashMap<String, String> {
    let query = address.split_once('?').map_or(address, |(_, query)| query);
    let query = query.split('#').next().unwrap_or_default();
    url::form_urlencoded::parse(query.as_bytes())
        .into_owned()
        .collect()
}
