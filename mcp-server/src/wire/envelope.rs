//! The body of a request: one JSON-RPC message.

use std::borrow::Cow;

use axum::http::StatusCode;
use frontdesk_protocol::rpc::{self, Fields, Id, code};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::refusal::Refusal;

/// A JSON-RPC message as received.
#[derive(Debug, Deserialize)]
pub(super) struct Envelope<'a> {
    #[serde(borrow)]
    jsonrpc: Cow<'a, str>,
    /// Absent in a notification; `null` is invalid.
    #[serde(default, deserialize_with = "present")]
    pub(super) id: Option<Id>,
    /// Absent in a response.
    #[serde(borrow, default)]
    pub(super) method: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) params: Option<&'a RawValue>,
    /// What a response answers.
    #[serde(borrow, default)]
    pub(super) result: Option<&'a RawValue>,
}

fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Id>, D::Error> {
    Id::deserialize(deserializer).map(Some)
}

impl<'a> Envelope<'a> {
    /// Parses one message.
    pub(super) fn read(body: &'a [u8]) -> Result<Self, Refusal> {
        // serde would also accept a list of field values as the message.
        if body.trim_ascii_start().first() == Some(&b'[') {
            let error = rpc::Error::new(
                code::INVALID_REQUEST,
                "the body is a list, not a JSON-RPC request",
            );
            return Err(Refusal::rpc(StatusCode::BAD_REQUEST, error));
        }
        let envelope: Envelope<'a> = serde_json::from_slice(body).map_err(|error| {
            let (code, message) = if error.is_data() {
                (
                    code::INVALID_REQUEST,
                    format!("the body is not a JSON-RPC request: {error}"),
                )
            } else {
                (code::PARSE_ERROR, format!("the body is not JSON: {error}"))
            };
            Refusal::rpc(StatusCode::BAD_REQUEST, rpc::Error::new(code, message))
        })?;
        if envelope.jsonrpc != "2.0" {
            let error = rpc::Error::new(code::INVALID_REQUEST, "jsonrpc must be \"2.0\"");
            return Err(Refusal::rpc(StatusCode::BAD_REQUEST, error).to(envelope.id));
        }
        Ok(envelope)
    }

    /// The parameters of the method; missing parameters are an empty object.
    ///
    /// # Errors
    /// -32602 if they are not an object or do not match the method.
    pub(super) fn params<T: Deserialize<'a>>(&self) -> Result<T, rpc::Error> {
        let params = self.params.map_or("{}", RawValue::get);
        match serde_json::from_str(params) {
            Ok(Fields(params)) => Ok(params),
            Err(error) => {
                let method = self.method.as_deref().unwrap_or_default();
                let message = format!("the parameters of {method} do not fit: {error}");
                Err(rpc::Error::new(code::INVALID_PARAMS, message))
            }
        }
    }

    /// Whether this calls a tool or fills in a prompt, about which the client can be asked.
    pub(super) fn is_call(&self) -> bool {
        const METHODS: [&str; 2] = ["tools/call", "prompts/get"];
        let method = self.method.as_deref();
        self.id.is_some() && method.is_some_and(|method| METHODS.contains(&method))
    }

    /// Whether this is a request to open a session; a notification is not a request.
    pub(super) fn is_initialize(&self) -> bool {
        self.method.as_deref() == Some("initialize") && self.id.is_some()
    }
}
