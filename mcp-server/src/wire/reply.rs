//! The body of an answer: one JSON-RPC message.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use frontdesk_protocol::mcp::Revision;
use frontdesk_protocol::rpc::{self, Id};

/// The answer to a request with this result, JSON text.
pub(super) fn written(id: Option<Id>, result: &str) -> Response {
    json(envelope_text(id.as_ref(), result))
}

/// An answer with this body, JSON text.
pub(super) fn json(body: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], body).into_response()
}

/// The message of a result, which is already JSON text; only the id is serialized here.
pub(super) fn envelope_text(id: Option<&Id>, result: &str) -> String {
    let id = serde_json::to_string(&id).unwrap_or_else(|_| "null".to_owned());
    [
        r#"{"jsonrpc":"2.0","id":"#,
        &id,
        r#","result":"#,
        result,
        "}",
    ]
    .concat()
}

/// The message of an error.
pub(super) fn error_text(id: Option<Id>, error: rpc::Error) -> String {
    serde_json::to_string(&rpc::Response::<()>::error(id, error)).unwrap_or_default()
}

/// In the session-less revision every result states that it is complete, not a request for input.
pub(super) fn kind(revision: Revision) -> &'static str {
    match revision {
        Revision::Session(_) => "",
        Revision::Sessionless => r#""resultType":"complete","#,
    }
}
