//! The person behind a client with a handshake, who can be asked about a call while it is answered.

use std::sync::Mutex;

use axum::http::HeaderMap;
use frontdesk_protocol::mcp::{SESSION_HEADER, Version};
use frontdesk_protocol::rpc::Id;
use serde_json::json;
use sha2::{Digest, Sha256};
use tokio::sync::oneshot;

use super::form;

/// The person behind a call.
#[derive(Debug)]
pub(super) struct Person {
    /// Receives the question.
    ask: Mutex<Option<oneshot::Sender<String>>>,
    /// The id of the question.
    pub(super) key: String,
    version: Version,
}

/// The id of the question about this call: another process, too, finds it when the client cancels the call.
pub(super) fn key(headers: &HeaderMap, call: Option<&Id>) -> String {
    let session = headers.get(SESSION_HEADER);
    let mut key = Sha256::new();
    key.update(session.map_or(&b""[..], |session| session.as_bytes()));
    key.update(json!(call).to_string());
    let key: [u8; 32] = key.finalize().into();
    key[..16].iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Person {
    /// The person behind this call, and what receives the question as JSON text.
    pub(super) fn of(
        headers: &HeaderMap,
        call: Option<&Id>,
        version: Version,
    ) -> (Person, oneshot::Receiver<String>) {
        let (ask, question) = oneshot::channel();
        let person = Person {
            ask: Mutex::new(Some(ask)),
            key: key(headers, call),
            version,
        };
        (person, question)
    }

    /// Asks. If nobody receives the question the client has gone, and with it the call.
    pub(super) fn ask(&self, message: &str) {
        let ask = self
            .ask
            .lock()
            .unwrap_or_else(|error| error.into_inner())
            .take();
        let mut params = form::ask(message);
        if self.version < Version::V2025_11_25
            && let Some(params) = params.as_object_mut()
        {
            params.remove("mode");
        }
        let request =
            json!({ "jsonrpc": "2.0", "id": self.key, "method": form::METHOD, "params": params });
        if let Some(ask) = ask {
            let _ = ask.send(request.to_string());
        }
    }
}
