//! The person behind a client with a handshake, who can be asked about a call while it is answered.

use axum::http::HeaderMap;
use frontdesk_protocol::mcp::{SESSION_HEADER, Version};
use frontdesk_protocol::rpc::Id;
use serde_json::json;
use sha2::{Digest, Sha256};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::session::ANSWERED_WITHIN;
use crate::call::Request;

/// The person behind a call.
#[derive(Debug)]
pub(super) struct Person {
    /// Receives the questions.
    say: mpsc::Sender<String>,
    /// The call. The ids of its questions begin with it.
    pub(super) key: String,
    /// Until when they can be answered.
    pub(super) ends: Instant,
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
    /// The person behind this call; `say` receives the questions as JSON text.
    pub(super) fn of(
        headers: &HeaderMap,
        call: Option<&Id>,
        version: Version,
        say: mpsc::Sender<String>,
    ) -> Person {
        Person {
            say,
            key: key(headers, call),
            ends: Instant::now() + ANSWERED_WITHIN.unsigned_abs(),
            version,
        }
    }

    /// Asks this under an id. If nobody receives the question the client has gone, and with it the call.
    pub(super) async fn ask(&self, id: &str, request: &Request) {
        let mut params = request.params();
        if self.version < Version::V2025_11_25
            && let Some(params) = params.as_object_mut()
        {
            params.remove("mode");
        }
        let method = request.method();
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        let _ = self.say.send(request.to_string()).await;
    }
}
