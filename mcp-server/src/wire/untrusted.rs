//! Parses the parts of a request that are read before its sender is known, for `fuzz/` and for the test that replays
//! its findings. Not part of the service.

use axum::http::HeaderMap;
use frontdesk_protocol::id::UserId;
use frontdesk_protocol::mcp::{CallParams, InitializeParams, Version};
use frontdesk_protocol::{Host, rpc};
use serde_json::value::RawValue;
use uuid::Uuid;

use super::envelope::Envelope;
use super::refusal::Refusal;
use super::session::{Session, Sessions};
use super::sessionless;
use crate::call::Capabilities;
use crate::clock::Clock;
use crate::hosts::Hosts;

/// Parses a body as `POST /mcp` does, without running anything.
///
/// # Panics
/// If an answer would not be JSON, or an invalid message is accepted.
pub fn request(body: &[u8]) {
    let headers = HeaderMap::new();
    // All headers are missing, so only notifications pass.
    let _ = sessionless::is_spoken(&headers, body);
    message(body, &headers);
    if let Ok(messages) = serde_json::from_slice::<Vec<&RawValue>>(body) {
        for raw in messages {
            message(raw.get().as_bytes(), &headers);
        }
    }
}

fn message(body: &[u8], headers: &HeaderMap) {
    let envelope = match Envelope::read(body) {
        Ok(envelope) => envelope,
        Err(refusal) => return answered(refusal),
    };
    let value: serde_json::Value = match serde_json::from_slice(body) {
        Ok(value) => value,
        // Arguments are passed on unparsed, so their nesting or their numbers can exceed what serde accepts.
        Err(_) => serde_json::Value::Null,
    };
    if value.is_object() {
        assert_eq!(value["jsonrpc"], "2.0");
    }
    if let Err(refusal) = sessionless::check(headers, &envelope) {
        answered(refusal.to(envelope.id.clone()));
    }
    let params = envelope.params.map_or("{}", |params| params.get());
    let _ = serde_json::from_str::<InitializeParams>(params);
    if let Ok(call) = serde_json::from_str::<CallParams<'_>>(params) {
        let given = call.arguments.map_or("{}", |arguments| arguments.get());
        for host in Host::ALL {
            if let Some(route) = Hosts::default().route(host, &call.name) {
                let _ = route.tool.check(given);
            }
        }
    }
}

fn answered(refusal: Refusal) {
    let (id, error) = refusal.into_parts();
    assert!(!error.message.is_empty());
    let answer = rpc::Response::<()>::error(id, error);
    let text = serde_json::to_string(&answer).unwrap_or_default();
    // An id can be a number that no type holds.
    assert!(
        serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok(),
        "{text}"
    );
}

/// Reads session tokens: these bytes, and a valid token overwritten with these bytes.
///
/// # Panics
/// If a token other than the issued one opens a session.
pub fn session(bytes: &[u8]) {
    let sessions = Sessions::new(&[7; 32], Clock::system());
    let caller = UserId(Uuid::from_u128(1));
    let session = Session {
        version: Version::NEWEST,
        client: Capabilities::default(),
    };
    let issued = sessions.open(Host::Events, caller, session);
    let mut changed = issued.clone().into_bytes();
    for (byte, change) in changed.iter_mut().zip(bytes) {
        *byte ^= change;
    }
    changed.extend(bytes.iter().skip(issued.len()));
    for token in [bytes, &changed] {
        // The header's text has been checked before.
        let Ok(token) = std::str::from_utf8(token) else {
            continue;
        };
        let is_ours = token == issued;
        let opened = sessions.read(token, Host::Events, caller).is_ok();
        assert_eq!(opened, is_ours, "{token:?}");
    }
}
