//! Clients whose id is the address of a document about them (OAuth Client ID Metadata Document, part of MCP since
//! 2025-11-25).
//!
//! Everyone can make the server fetch such a document. So it only connects to public names, over TLS, does not follow
//! redirects, and bounds the time and size of an answer.

use std::collections::HashMap;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use parking_lot::Mutex;
use tokio::sync::Semaphore;
use url::{Host, Url};

use super::client::{Client, Metadata};
use super::context::PageContext;
use crate::identity::IdentityError;
use crate::webhooks::PublicOnly;

/// The time limit for an answer.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The maximum size of a document in bytes.
const MAX_BODY: usize = 16 * 1024;
/// The maximum length of a document's address in bytes.
const LONGEST_ID: usize = 512;
/// The maximum number of concurrent fetches.
const AT_ONCE: usize = 8;
/// The time a document is cached.
const KEPT: SignedDuration = SignedDuration::from_mins(5);
/// The maximum number of cached documents.
const MOST_KEPT: usize = 256;

/// Fetches and caches documents about clients.
pub(in crate::identity) struct Documents {
    client: reqwest::Client,
    /// Whether documents can also be at http:// addresses and in private networks.
    allow_private: bool,
    places: Semaphore,
    kept: Mutex<HashMap<String, Client>>,
}

/// Why a client is unknown. The messages are shown on the page.
#[derive(Debug, thiserror::Error)]
pub(super) enum DocumentError {
    #[error("The program that sent you is not registered here. It has to register first.")]
    NotRegistered,
    #[error("Too many people are signing in at once. Try again.")]
    Busy,
    #[error(
        "The program that sent you is not known: the document at its address cannot be fetched."
    )]
    Unreachable,
    #[error(
        "The program that sent you is not known: the document at its address does not describe it ({0})."
    )]
    Wrong(&'static str),
}

impl Documents {
    pub(in crate::identity) fn new(allow_private: bool) -> Result<Self, IdentityError> {
        let mut client = reqwest::Client::builder()
            .tls_backend_preconfigured(crate::tls::client_config())
            .user_agent(concat!("Frontdesk/", env!("CARGO_PKG_VERSION")))
            .timeout(TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy();
        if !allow_private {
            client = client.https_only(true).dns_resolver(PublicOnly);
        }
        Ok(Documents {
            client: client.build().map_err(IdentityError::Client)?,
            allow_private,
            places: Semaphore::new(AT_ONCE),
            kept: Mutex::default(),
        })
    }

    /// The client described by the document at this address.
    async fn client(&self, id: &str, now: Timestamp) -> Result<Client, DocumentError> {
        let address = self.address(id).ok_or(DocumentError::NotRegistered)?;
        let is_kept = |client: &Client| {
            Timestamp::from_second(client.at).is_ok_and(|at| now.duration_since(at) < KEPT)
        };
        let kept = self.kept.lock().get(id).filter(|it| is_kept(it)).cloned();
        if let Some(client) = kept {
            return Ok(client);
        }
        let _place = self.places.try_acquire().map_err(|_| DocumentError::Busy)?;
        let text = self.fetch(address).await.map_err(|error| {
            tracing::info!(%error, "the document of a client cannot be fetched");
            DocumentError::Unreachable
        })?;
        let text = text.ok_or(DocumentError::Unreachable)?;
        let metadata: Metadata = serde_json::from_slice(&text)
            .map_err(|_| DocumentError::Wrong("it must be JSON with redirect_uris"))?;
        if metadata.client_id.as_deref() != Some(id) {
            return Err(DocumentError::Wrong("client_id must be its own address"));
        }
        let method = metadata.token_endpoint_auth_method.as_deref();
        if method.is_some_and(|method| method != "none") {
            return Err(DocumentError::Wrong(
                "token_endpoint_auth_method must be none",
            ));
        }
        let client = metadata.client(now.as_second());
        let client = client.map_err(|(_, what)| DocumentError::Wrong(what))?;
        let mut kept = self.kept.lock();
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        kept.insert(id.to_owned(), client.clone());
        Ok(client)
    }

    /// Parses a document's address: https, with a name and a path, in its only normal form.
    fn address(&self, id: &str) -> Option<Url> {
        let url = Url::parse(id).ok().filter(|_| id.len() <= LONGEST_ID)?;
        let is_named = matches!(url.host(), Some(Host::Domain(_)));
        let is_public = url.scheme() == "https" && is_named;
        let is_allowed = is_public || (self.allow_private && url.scheme() == "http");
        let is_plain = url.as_str() == id
            && url.path() != "/"
            && url.username().is_empty()
            && url.password().is_none()
            && url.fragment().is_none();
        (is_allowed && is_plain).then_some(url)
    }

    async fn fetch(&self, address: Url) -> reqwest::Result<Option<Vec<u8>>> {
        let request = self
            .client
            .get(address)
            .header("accept", "application/json");
        let mut answer = request.send().await?.error_for_status()?;
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk().await? {
            if body.len() + chunk.len() > MAX_BODY {
                return Ok(None);
            }
            body.extend_from_slice(&chunk);
        }
        Ok(answer.status().is_success().then_some(body))
    }
}

impl PageContext {
    /// The client with this id: a registered one, or one described by the document at that address.
    pub(super) async fn client(&self, id: &str) -> Result<Client, DocumentError> {
        if let Some(client) = self.key.read(id) {
            return Ok(client);
        }
        let provider = self.provider().ok_or(DocumentError::NotRegistered)?;
        provider.documents.client(id, self.now()).await
    }

    /// Whether the text can be a client's id. Codes and refresh tokens are bound to the id itself, so the token
    /// endpoint does not fetch documents.
    pub(super) fn is_client_id(&self, id: &str) -> bool {
        let documents = self.provider().map(|provider| &provider.documents);
        self.key.read(id).is_some() || documents.is_some_and(|it| it.address(id).is_some())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_the_address_of_a_document_on_the_internet() {
        let documents = Documents::new(false).unwrap();
        assert!(
            documents
                .address("https://client.example.org/mcp.json")
                .is_some()
        );
        for id in [
            "",
            "client",
            "https://client.example.org",
            "https://client.example.org/",
            "http://client.example.org/mcp.json",
            "https://10.0.0.1/mcp.json",
            "https://[::1]/mcp.json",
            "https://me@client.example.org/mcp.json",
            "https://client.example.org/mcp.json#it",
            "https://client.example.org/a/../mcp.json",
            "https://CLIENT.example.org/mcp.json",
            &format!("https://client.example.org/{}", "a".repeat(LONGEST_ID)),
        ] {
            assert_eq!(documents.address(id), None, "{id}");
        }
    }
}
