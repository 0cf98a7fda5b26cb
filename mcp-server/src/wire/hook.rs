//! `POST /engineering/hooks/code-host`: receives pull request events from a code host, in the format of GitHub's
//! webhooks.
//!
//! The code host signs the body with one of the secrets; two are valid while one is changed. The headers are not
//! signed, so the body identifies a delivery. Each delivery is stored once.

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use frontdesk_protocol::value::WebUrl;
use frontdesk_protocol::{ErrorCode, ToolError};
use hmac::{Hmac, Mac};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::Service;
use super::refusal::Refusal;
use crate::database::{Access, Actor, TransactionError, params, refusal};

/// A secret shared with the code host. It is never shown.
#[derive(Clone)]
pub struct HookSecret(String);

/// The text is too short for a secret. The error does not repeat it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a secret needs at least 16 characters; `openssl rand -hex 32` prints one")]
pub struct HookSecretError;

impl std::str::FromStr for HookSecret {
    type Err = HookSecretError;

    fn from_str(text: &str) -> Result<Self, HookSecretError> {
        match text.len() {
            0..16 => Err(HookSecretError),
            _ => Ok(HookSecret(text.to_owned())),
        }
    }
}

impl std::fmt::Debug for HookSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("HookSecret(…)")
    }
}

impl HookSecret {
    /// Whether the signature is by this secret; compared in constant time.
    fn has_signed(&self, body: &[u8], signature: &[u8]) -> bool {
        let mut mac = match Hmac::<Sha256>::new_from_slice(self.0.as_bytes()) {
            Ok(mac) => mac,
            Err(error) => unreachable!("HMAC takes a key of any length: {error}"),
        };
        mac.update(body);
        mac.verify_slice(signature).is_ok()
    }
}

/// The fields of a payload that are used.
#[derive(Debug, Deserialize)]
struct Payload {
    pull_request: PullRequest,
    repository: Repository,
}

#[derive(Debug, Deserialize)]
struct PullRequest {
    number: u32,
    title: String,
    html_url: String,
    user: User,
    created_at: Timestamp,
    updated_at: Timestamp,
    merged_at: Option<Timestamp>,
    closed_at: Option<Timestamp>,
}

#[derive(Debug, Deserialize)]
struct User {
    login: String,
}

#[derive(Debug, Deserialize)]
struct Repository {
    full_name: String,
}

/// A pull request for the database.
#[derive(Debug, Serialize)]
struct Row {
    repository: String,
    number: u32,
    title: String,
    url: String,
    author_login: String,
    created_at: Timestamp,
    updated_at: Timestamp,
    merged_at: Option<Timestamp>,
    closed_at: Option<Timestamp>,
}

/// The maximum length of a title in characters; the rest is cut off.
const LONGEST_TITLE: usize = 256;
/// The maximum length of repository and user names in characters.
const LONGEST_NAME: usize = 200;

impl TryFrom<Payload> for Row {
    type Error = &'static str;

    fn try_from(payload: Payload) -> Result<Row, &'static str> {
        let pull = payload.pull_request;
        let is_https = pull.html_url.starts_with("https://");
        if !is_https || WebUrl::new(pull.html_url.as_str()).is_err() {
            return Err("html_url is not an https address");
        }
        let names = [&payload.repository.full_name, &pull.user.login];
        if names.iter().any(|name| name.chars().count() > LONGEST_NAME) {
            return Err("full_name or login has more than 200 characters");
        }
        Ok(Row {
            repository: payload.repository.full_name,
            number: pull.number,
            title: pull.title.chars().take(LONGEST_TITLE).collect(),
            url: pull.html_url,
            author_login: pull.user.login,
            created_at: pull.created_at,
            updated_at: pull.updated_at,
            merged_at: pull.merged_at,
            closed_at: pull.closed_at,
        })
    }
}

fn refuse(status: StatusCode, code: ErrorCode, message: &str) -> Response {
    Refusal::with_status(status, ToolError::new(code, message)).into_response()
}

/// Decodes hexadecimal digits.
fn unhex(text: &str) -> Option<Vec<u8>> {
    if !text.is_ascii() || text.len() % 2 == 1 {
        return None;
    }
    let bytes = (0..text.len()).step_by(2);
    bytes
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok())
        .collect()
}

pub(super) async fn receive(
    State(service): State<Service>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let secrets = &service.inner.hook;
    if secrets.is_empty() {
        let message = "this server accepts nothing from a code host: no secret is configured";
        return refuse(StatusCode::NOT_FOUND, ErrorCode::NotFound, message);
    }
    let signature =
        header("x-hub-signature-256").and_then(|value| unhex(value.strip_prefix("sha256=")?));
    let is_signed = signature.is_some_and(|signature| {
        // Try all of them, so that the time does not reveal which one matches.
        secrets.iter().fold(false, |signed, secret| {
            secret.has_signed(&body, &signature) | signed
        })
    });
    if !is_signed {
        let message = "X-Hub-Signature-256 matches none of the configured secrets";
        return refuse(StatusCode::UNAUTHORIZED, ErrorCode::Forbidden, message);
    }
    if header("x-github-event") != Some("pull_request") {
        return Json(json!({ "outcome": "ignored" })).into_response();
    }
    let payload = serde_json::from_slice::<Payload>(&body).map_err(|error| error.to_string());
    let row = match payload.and_then(|payload| Ok(Row::try_from(payload)?)) {
        Ok(row) => row,
        Err(wrong) => {
            let message = format!("the body is not a pull request: {wrong}");
            return refuse(
                StatusCode::BAD_REQUEST,
                ErrorCode::InvalidArgument,
                &message,
            );
        }
    };
    let digest = Sha256::digest(&body);
    let delivery: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    match store(&service, &delivery, &row).await {
        Ok(outcome) => Json(json!({ "outcome": outcome })).into_response(),
        Err(error) => Refusal::new(&refusal(&error)).into_response(),
    }
}

/// Stores a delivery and returns its outcome.
async fn store(service: &Service, delivery: &str, row: &Row) -> Result<String, TransactionError> {
    let mut transaction = service
        .inner
        .database
        .transaction(Actor::Webhooks, Access::Write);
    let sql = "select engineering.receive($1, $2)";
    let rows = transaction.query(sql, params![delivery, row]).await?;
    let outcome = rows.first().map(|row| row.get(0)).unwrap_or_default();
    transaction.commit().await?;
    Ok(outcome)
}
