//! The receiver of events: one signed request a delivery.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use http::{StatusCode, header};
use jiff::Timestamp;

use super::address::PublicOnly;
use super::signature::signatures;
use super::{Event, WebhookSettings};

/// The most characters that the log and the outbox keep of an error that another program words.
const MAX_ERROR: usize = 300;

/// The receiver cannot be sent anything.
#[derive(Debug, thiserror::Error)]
#[error("the webhook's client cannot be made: {0}")]
pub struct ReceiverError(#[from] reqwest::Error);

/// Why a delivery failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// It was answered, but not with a 2xx status. A redirection is none either: events go where the
    /// operator said.
    #[error("{}", answered(.0))]
    Status(StatusCode),
    /// It was not answered in time.
    #[error("the receiver did not answer within {0:?}")]
    Timeout(Duration),
    /// The receiver could not be reached, or hung up.
    #[error("{0}")]
    Connection(String),
    /// The event cannot be written as JSON.
    #[error("the event cannot be written: {0}")]
    Body(String),
}

fn answered(status: &StatusCode) -> String {
    let note = match *status {
        StatusCode::GONE => ": it takes no more events",
        status if status.is_redirection() => "; redirections are not followed",
        _ => "",
    };
    format!("the receiver answered {status}{note}")
}

impl Failure {
    /// Whether there is no point in sending the event again.
    pub fn is_final(&self) -> bool {
        *self == Failure::Status(StatusCode::GONE)
    }
}

/// Where events are sent.
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
    /// A receiver with these settings; nothing is connected yet.
    ///
    /// # Errors
    /// [`ReceiverError`] where TLS cannot be set up.
    pub fn new(settings: WebhookSettings) -> Result<Receiver, ReceiverError> {
        let mut client = reqwest::Client::builder()
            .tls_backend_preconfigured(crate::tls::client_config())
            .user_agent(concat!("Frontdesk/", env!("CARGO_PKG_VERSION")))
            .redirect(reqwest::redirect::Policy::none())
            // A proxy of the environment would connect in our place, to whatever it pleases.
            .no_proxy();
        if !settings.allow_private {
            client = client.https_only(true).dns_resolver(PublicOnly);
        }
        Ok(Receiver {
            client: client.build()?,
            settings,
        })
    }

    /// The receiver's host: what may be shown of its address.
    pub fn host(&self) -> &str {
        self.settings.host()
    }

    /// How often there may be something to send that nobody rang for.
    pub(super) fn poll(&self) -> Duration {
        self.settings.poll
    }

    /// Sends the event, once. Only the answer's status is looked at; its body is not read.
    ///
    /// # Errors
    /// [`Failure`]; the receiver may have got the event all the same.
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

/// The innermost error, which says what happened; those around it say that a request failed, and
/// repeat its address.
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
