//! Events and the body of their delivery.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value, json};
use uuid::Uuid;

const PREFIX: &str = "msg_";

/// An event's id for the receiver, the same at every attempt and replay: `msg_` and a UUID.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MessageId(pub Uuid);

/// The text is not an event id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the id of an event: `msg_` and a UUID, as `webhooks list` shows it")]
pub struct MessageIdError(String);

impl fmt::Display for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", self.0)
    }
}

impl FromStr for MessageId {
    type Err = MessageIdError;

    fn from_str(text: &str) -> Result<Self, MessageIdError> {
        let id = text.strip_prefix(PREFIX).unwrap_or(text);
        match Uuid::try_parse(id) {
            Ok(id) => Ok(MessageId(id)),
            Err(_) => Err(MessageIdError(text.to_owned())),
        }
    }
}

/// An event that a worker has claimed.
#[derive(Debug, Clone)]
pub struct Event {
    /// Its id, the same at every attempt.
    pub id: MessageId,
    /// Its type, `meeting.created`: the kind of its subject, a dot, and what happened.
    pub kind: String,
    /// The id of the record that it is about.
    pub subject: Uuid,
    /// The subject's organisation.
    pub organization: Uuid,
    /// When it happened.
    pub created_at: Timestamp,
    /// The number of this attempt, from 1.
    pub attempt: u32,
    /// The worker's lease on this event.
    pub(super) lease: Uuid,
}

#[derive(Serialize)]
struct Payload<'a> {
    r#type: &'a str,
    timestamp: Timestamp,
    /// Only ids: a receiver with more rights requests the rest as a caller.
    data: Map<String, Value>,
}

impl Event {
    /// The body of the request: the same bytes at every attempt.
    ///
    /// # Errors
    /// If it cannot be serialized, which its types rule out.
    pub fn body(&self) -> serde_json::Result<Vec<u8>> {
        let subject = self.kind.split('.').next().unwrap_or_default();
        let data = [
            (format!("{subject}_id"), json!(self.subject)),
            ("organization_id".to_owned(), json!(self.organization)),
        ];
        serde_json::to_vec(&Payload {
            r#type: &self.kind,
            timestamp: self.created_at,
            data: data.into_iter().collect(),
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const ID: &str = "0192a5c0-0000-7000-8000-000000000001";

    #[test]
    fn the_body_is_thin() {
        let event = Event {
            id: MessageId(Uuid::nil()),
            kind: "meeting.created".to_owned(),
            subject: ID.parse().unwrap(),
            organization: Uuid::nil(),
            created_at: "2026-11-20T14:00:00.25Z".parse().unwrap(),
            attempt: 3,
            lease: Uuid::nil(),
        };
        assert_eq!(
            String::from_utf8(event.body().unwrap()).unwrap(),
            format!(
                r#"{{"type":"meeting.created","timestamp":"2026-11-20T14:00:00.25Z","data":{{"meeting_id":"{ID}","organization_id":"{}"}}}}"#,
                Uuid::nil()
            )
        );
    }

    #[test]
    fn an_id_is_read_as_it_is_written_and_without_its_prefix() {
        let id = MessageId(ID.parse().unwrap());
        assert_eq!(id.to_string(), format!("msg_{ID}"));
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!(ID.parse(), Ok(id));
        let refused = "msg_1".parse::<MessageId>().unwrap_err();
        assert!(refused.to_string().contains("`msg_1`"), "{refused}");
    }
}
