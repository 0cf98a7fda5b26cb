//! The receiver of events: one signed request for each delivery.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use http::{StatusCode, header};
use jiff::Timestamp;

use super::address::PublicOnly;
use super::signature::signatures;
use super::{Event, WebhookSettings};

/// The maximum length, in characters, of a foreign error message in the log and the outbox.
const MAX_ERROR: usize = 300;

/// The HTTP client could not be created.
#[derive(Debug, thiserror::Error)]
#[error("the webhook's client cannot be made: {0}")]
pub struct ReceiverError(#[from] reqwest::Error);

/// Why a delivery failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The status of the answer is not 2xx. Redirects also fail: events only go to the configured address.
    #[error("{}", answered(.0))]
    Status(StatusCode),
    /// No answer in time.
    #[error("the receiver did not answer within {0:?}")]
    Timeout(Duration),
    /// The receiver could not be reached or disconnected.
    #[error("{0}")]
    Connection(String),
    /// The event cannot be serialized.
    #[error("the event cannot be written: {0}")]
    Body(String),
}

fn answered(status: &StatusCode) -> String {
    let note = match *status {
        StatusCode::GONE => ": it accepts no more events",
        status if status.is_redirection() => "; redirections are not followed",
        _ => "",
    };
    format!("the receiver answered {status}{note}")
}

impl Failure {
    /// Whether sending the event again is pointless: the receiver is gone for good (410).
    pub fn is_final(&self) -> bool {
        *self == Failure::Status(StatusCode::GONE)
    }
}

/// The receiver and its HTTP client.
pub struct Receiver {
    settings: WebhookSettings,
    client: reqwest::Client,
}

impl fmt::Debug for Receiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.settings.fmt(f)
    }
}

impl Receiver {
    /// Creates a receiver without connecting.
    ///
    /// # Errors
    /// [`ReceiverError`] if TLS cannot be set up.
    pub fn new(settings: WebhookSettings) -> Result<Receiver, ReceiverError> {
        let mut client = reqwest::Client::builder()
            .tls_backend_preconfigured(crate::tls::client_config())
            .user_agent(concat!("Frontdesk/", env!("CARGO_PKG_VERSION")))
            .redirect(reqwest::redirect::Policy::none())
            // A proxy from the environment would bypass the check of the addresses.
            .no_proxy();
        if !settings.allow_private {
            client = client.https_only(true).dns_resolver(PublicOnly);
        }
        Ok(Receiver {
            client: client.build()?,
            settings,
        })
    }

    /// The receiver's host, the only part of its address that can be shown.
    pub fn host(&self) -> &str {
        self.settings.host()
    }

    /// The interval at which to check for events without a notification.
    pub(super) fn poll(&self) -> Duration {
        self.settings.poll
    }

    /// Sends the event once. Only the answer's status is used; its body is not read.
    ///
    /// # Errors
    /// [`Failure`]; the receiver may still have received the event.
    pub async fn deliver(&self, event: &Event, now: Timestamp) -> Result<(), Failure> {
        let body = event
            .body()
            .map_err(|error| Failure::Body(error.to_string()))?;
        let id = event.id.to_string();
        let timestamp = now.as_second();
        let signatures = signatures(&self.settings.secrets, &id, timestamp, &body);
        let answer = self
            .client
            .post(self.settings.url.clone())
            .header(header::CONTENT_TYPE, "application/json")
            .header("webhook-id", id)
            .header("webhook-timestamp", timestamp)
            .header("webhook-signature", signatures)
            .body(body)
            .send();
        let limit = self.settings.timeout;
        let status = match tokio::time::timeout(limit, answer).await {
            Ok(Ok(answer)) => answer.status(),
            Ok(Err(error)) => return Err(Failure::Connection(cause(&error))),
            Err(_) => return Err(Failure::Timeout(limit)),
        };
        if status.is_success() {
            Ok(())
        } else {
            Err(Failure::Status(status))
        }
    }
}

/// The innermost error, which names the cause. The outer errors only say that a request failed, and repeat its
/// address.
fn cause(error: &reqwest::Error) -> String {
    let mut innermost: &dyn Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    let text = if innermost.is::<reqwest::Error>() {
        "the request failed".to_owned()
    } else {
        innermost.to_string()
    };
    text.chars()
        .filter(|c| !c.is_control())
        .take(MAX_ERROR)
        .collect()
}
