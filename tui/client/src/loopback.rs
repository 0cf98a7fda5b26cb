//! Receives the redirect at the end of a browser sign-in (RFC 8252) on a local port. If the browser
//! is on another machine, the user pastes the address instead.

use std::collections::HashMap;
use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use url::Url;

use crate::error::CallError;
use crate::failure::shorten;
use crate::secret::Secret;

/// The time limit for signing in with a browser.
pub const SIGN_IN_WITHIN: Duration = Duration::from_secs(10 * 60);
/// The path of the redirect.
const CALLBACK: &str = "/callback";
/// The time a browser has to send its request.
const SPEAK_WITHIN: Duration = Duration::from_secs(30);
/// Maximum size of the head of a request, in bytes.
const LONGEST_HEAD: usize = 16 * 1024;

/// A port that waits for the redirect.
#[derive(Debug)]
pub(crate) struct Loopback {
    listener: TcpListener,
    redirect: Url,
}

/// The content of the redirect.
#[derive(Debug)]
pub(crate) struct Redirect {
    /// The authorization code.
    pub(crate) code: String,
    /// The issuer (RFC 9207), if given.
    pub(crate) issuer: Option<String>,
}

impl Loopback {
    /// Opens a port.
    ///
    /// # Errors
    /// [`CallError::Unreachable`] if no port is available.
    pub(crate) async fn open() -> Result<Self, CallError> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await;
        let listener = listener.map_err(|error| CallError::Unreachable {
            host: "127.0.0.1".to_owned(),
            reason: format!("cannot be used: {error}"),
        })?;
        let port = listener.local_addr().map(|address| address.port());
        let redirect = port.map_err(|error| error.to_string()).and_then(|port| {
            let redirect = format!("http://127.0.0.1:{port}{CALLBACK}");
            Url::parse(&redirect).map_err(|error| error.to_string())
        });
        Ok(Loopback {
            listener,
            redirect: redirect.map_err(CallError::Protocol)?,
        })
    }

    /// The redirect address.
    pub(crate) fn redirect(&self) -> &Url {
        &self.redirect
    }

    /// Waits for the redirect with this state and returns its address. Other requests are refused.
    ///
    /// # Errors
    /// The port cannot accept connections any more.
    pub(crate) async fn redirected(&self, state: &Secret) -> std::io::Result<String> {
        let mut visitors = FuturesUnordered::new();
        loop {
            tokio::select! {
                arrived = self.listener.accept() => {
                    let (stream, _) = arrived?;
                    let visit = tokio::time::timeout(SPEAK_WITHIN, self.visit(stream, state));
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
    async fn visit(&self, mut stream: TcpStream, state: &Secret) -> Option<String> {
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
            .filter(|answer| answer.path() == CALLBACK && is_of(answer, state));
        let (status, text) = match &answer {
            Some(answer) => match refusal(&parameters(answer.as_str())) {
                None => ("200 OK", "Done. You can close this page.".to_owned()),
                Some(refusal) => ("200 OK", format!("Not signed in: {refusal}.")),
            },
            None => (
                "400 Bad Request",
                "This does not belong to a sign-in.".to_owned(),
            ),
        };
        let page = format!(
            "HTTP/1.1 {status}\r\ncontent-type: text/plain; charset=utf-8\r\n\
             content-length: {}\r\ncache-control: no-store\r\nreferrer-policy: no-referrer\r\n\
             x-content-type-options: nosniff\r\ncontent-security-policy: default-src 'none'\r\n\
             connection: close\r\n\r\n{text}",
            text.len()
        );
        // The redirect counts even if the browser does not read the page.
        let _ = stream.write_all(page.as_bytes()).await;
        let _ = stream.shutdown().await;
        answer.map(String::from)
    }
}

impl Redirect {
    /// Parses the redirect address, or its query alone.
    ///
    /// # Errors
    /// [`CallError::SignedOut`] if it is a refusal, has a different state, or cannot be parsed.
    pub(crate) fn read(address: &str, state: &Secret) -> Result<Self, CallError> {
        let refused = |reason: &str| Err(CallError::SignedOut(reason.to_owned()));
        let mut answer = parameters(address.trim());
        let Some(said) = answer.remove("state") else {
            return refused("paste the whole address that the browser was sent to");
        };
        if Secret::new(said) != *state {
            return refused("the answer belongs to another sign-in");
        }
        if let Some(refusal) = refusal(&answer) {
            return refused(&refusal);
        }
        let Some(code) = answer.remove("code") else {
            return refused("the answer has no code in it");
        };
        Ok(Redirect {
            code,
            issuer: answer.remove("iss"),
        })
    }
}

fn is_of(answer: &Url, state: &Secret) -> bool {
    let said = parameters(answer.as_str()).remove("state");
    said.is_some_and(|said| Secret::new(said) == *state)
}

/// The reason of a refused sign-in.
fn refusal(answer: &HashMap<String, String>) -> Option<String> {
    let error = answer.get("error")?;
    let error = match answer.get("error_description") {
        Some(description) => format!("{error}: {description}"),
        None => error.clone(),
    };
    Some(shorten(&error))
}

/// The parameters of an address, or of a query alone.
pub(crate) fn parameters(address: &str) -> HashMap<String, String> {
    let query = address.split_once('?').map_or(address, |(_, query)| query);
    let query = query.split('#').next().unwrap_or_default();
    url::form_urlencoded::parse(query.as_bytes())
        .into_owned()
        .collect()
}
