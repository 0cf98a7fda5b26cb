//! What a server at an address answers before a session: to find out why no session
//! opens.

use std::time::{Duration, Instant};

use http::Method;
use http::header::{ACCEPT, LOCATION, WWW_AUTHENTICATE};
use serde_json::Value;
use url::Url;

use super::{Server, Way};
use crate::failure::Failure;
use crate::http::Http;
use crate::server::connection::{HANDSHAKE_WITHIN, headers};

/// The answer to a request that asks for nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// Its HTTP status.
    pub status: u16,
    /// Where a redirect leads.
    pub location: Option<Url>,
    /// The challenge for a sign-in.
    pub challenge: Option<String>,
    /// Whether a token was sent.
    pub had_token: bool,
    /// The time to its headers.
    pub took: Duration,
}

/// Why there was no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoAnswer {
    /// There is no connection.
    Connection(String),
    /// The certificate is not accepted, or the other side does not speak TLS.
    Tls(String),
    /// No token can be sent.
    Token(String),
}

/// The authorization server that a server names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authorization {
    /// Its address.
    pub issuer: String,
    /// Whether programs can register there.
    pub registers: bool,
}

impl Server {
    /// Sends a `ping` outside a session; `None` for a process.
    ///
    /// # Errors
    /// Why there is no answer.
    pub async fn probe(&self) -> Option<Result<Probe, NoAnswer>> {
        let Way::Http(server, http, keys) = &self.0.way else {
            return None;
        };
        let token = match keys.token(None).await {
            Ok(token) => token,
            Err(error) => return Some(Err(NoAnswer::Token(error.to_string()))),
        };
        let ping = serde_json::json!({ "jsonrpc": "2.0", "id": 0, "method": "ping" });
        let mut asked = http
            .request(Method::POST, server.url.as_str())
            .timeout(HANDSHAKE_WITHIN)
            .headers(headers(server).into_iter().collect())
            .header(ACCEPT, "application/json, text/event-stream")
            .json(&ping);
        if let Some(token) = &token {
            asked = asked.bearer_auth(token.expose());
        }
        let begun = Instant::now();
        let answer = match http.open(asked).await {
            Ok(answer) => answer,
            Err(failure) => return Some(Err(no_answer(&server.url, failure))),
        };
        let text = |name| Some(answer.headers().get(name)?.to_str().ok()?.to_owned());
        let challenge = text(WWW_AUTHENTICATE);
        keys.hear_challenge(challenge.as_deref().into_iter());
        Some(Ok(Probe {
            status: answer.status().as_u16(),
            location: text(LOCATION).and_then(|to| server.url.join(&to).ok()),
            challenge,
            had_token: token.is_some(),
            took: begun.elapsed(),
        }))
    }

    /// The authorization server that the metadata of the server name.
    ///
    /// # Errors
    /// What is missing, as a sentence.
    pub async fn authorization(&self, challenge: Option<&str>) -> Result<Authorization, String> {
        let Way::Http(server, http, _) = &self.0.way else {
            return Err("a process has none".to_owned());
        };
        let named = challenge.and_then(resource_metadata);
        let places: Vec<Url> = match named.and_then(|named| server.url.join(named).ok()) {
            Some(named) => vec![named],
            None => well_known(&server.url, &["oauth-protected-resource"]),
        };
        let metadata = first(http, &places, "authorization_servers").await?;
        let issuer = metadata["authorization_servers"][0].as_str();
        let issuer =
            issuer.ok_or_else(|| format!("{} names no authorization server", places[0]))?;
        let address = Url::parse(issuer).map_err(|_| format!("{issuer} is not an address"))?;
        let kinds = ["oauth-authorization-server", "openid-configuration"];
        let places = well_known(&address, &kinds);
        let metadata = first(http, &places, "authorization_endpoint").await?;
        Ok(Authorization {
            issuer: issuer.to_owned(),
            registers: metadata["registration_endpoint"].is_string(),
        })
    }
}

fn no_answer(url: &Url, failure: Failure) -> NoAnswer {
    let why = match failure {
        Failure::Connect(why) | Failure::Lost(why) => why,
        failure => failure.to_string(),
    };
    let words = [
        "certificate",
        "tls",
        "handshake",
        "InvalidContentType",
        "corrupt message",
    ];
    let is_tls = words
        .iter()
        .any(|word| why.to_lowercase().contains(&word.to_lowercase()));
    match url.scheme() == "https" && is_tls {
        true => NoAnswer::Tls(why),
        false => NoAnswer::Connection(why),
    }
}

/// The address of the metadata in a challenge.
fn resource_metadata(challenge: &str) -> Option<&str> {
    let (_, after) = challenge.split_once("resource_metadata=")?;
    let end = after.trim_start_matches('"').find(['"', ',', ' ']);
    let address = after.trim_start_matches('"');
    Some(
        address
            .get(..end.unwrap_or(address.len()))
            .unwrap_or_default(),
    )
}

/// Where metadata of these kinds can be: with the path of the address, then without it.
fn well_known(url: &Url, kinds: &[&str]) -> Vec<Url> {
    let path = url.path().trim_end_matches('/');
    let mut paths: Vec<String> = Vec::new();
    for end in [path, ""] {
        let of_kind = kinds.iter().map(|kind| format!("/.well-known/{kind}{end}"));
        paths.extend(of_kind.filter(|it| !paths.contains(it)).collect::<Vec<_>>());
    }
    paths
        .iter()
        .filter_map(|path| url.join(path).ok())
        .collect()
}

/// The first of these documents with this member.
async fn first(http: &Http, places: &[Url], member: &str) -> Result<Value, String> {
    let mut said = Vec::new();
    for place in places {
        let asked = http
            .request(Method::GET, place.as_str())
            .timeout(HANDSHAKE_WITHIN);
        match http
            .exchange(asked.header(ACCEPT, "application/json"))
            .await
        {
            Ok(answer) if answer.status.is_success() => {
                let document: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
                if !document[member].is_null() {
                    return Ok(document);
                }
                said.push(format!("{place} has no `{member}`"));
            }
            Ok(answer) => said.push(format!("{place}: HTTP {}", answer.status.as_u16())),
            Err(failure) => said.push(format!("{place}: {failure}")),
        }
    }
    Err(said.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_are_looked_for_where_they_can_be() {
        let challenge =
            "Bearer error=\"x\", resource_metadata=\"https://a.example/m\", scope=\"b\"";
        assert_eq!(resource_metadata(challenge), Some("https://a.example/m"));
        assert_eq!(resource_metadata("Bearer realm=\"x\""), None);
        let url = Url::parse("https://a.example/x/mcp").expect("an address");
        let places = well_known(&url, &["oauth-protected-resource"]);
        let places: Vec<_> = places.iter().map(Url::as_str).collect();
        let begin = "https://a.example/.well-known/oauth-protected-resource";
        assert_eq!(places, [format!("{begin}/x/mcp").as_str(), begin]);
    }
}
