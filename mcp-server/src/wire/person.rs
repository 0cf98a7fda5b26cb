//! The person behind a client with a handshake, who can be asked about a call while it is answered.

use axum::http::HeaderMap;
use frontdesk_protocol::mcp::{SESSION_HEADER, Version};
use frontdesk_protocol::rpc::Id;
use serde_json::json;
use sha2::{Digest, Sha256};
use tokio::sync::mpsc;

use super::form;

/// The person behind a call.
#[derive(Debug)]
pub(super) struct Person {
    /// Receives the question.
    say: mpsc::Sender<String>,
    /// The id of the question.
    pub(super) key: String,
    version: Version,
}

/// The key of a call: another process, too, finds it when the client cancels the call.
pub(super) fn key(headers: &HeaderMap, call: Option<&Id>) -> String {
    let session = headers.get(SESSION_HEADER);
    let mut key = Sha256::new();
    key.update(session.map_or(&b""[..], |session| session.as_bytes()));
    key.update(json!(call).to_string());
    let key: [u8; 32] = key.finalize().into();
    key[..16].iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Person {
    /// The person behind this call; `say` receives the question as JSON text.
    pub(super) fn of(
        headers: &HeaderMap,
        call: Option<&Id>,
        version: Version,
        say: mpsc::Sender<String>,
    ) -> Person {
        Person {
            say,
            key: key(headers, call),
            version,
        }
    }

    /// Asks. If nobody receives the question the client has gone, and with it the call.
    pub(super) fn ask(&self, message: &str) {
        let mut params = form::ask(message);
        if self.version < Version::V2025_11_25
            && let Some(params) = params.as_object_mut()
        {
            params.remove("mode");
        }
        let request =
            json!({ "jsonrpc": "2.0", "id": self.key, "method": form::METHOD, "params": params });
        let _ = self.say.try_send(request.to_string());
    }
}
