//! JSON-RPC 2.0, as MCP uses it: one message per body, no batches.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::error::{ErrorCode, ToolError, bounded};

/// A request or, without an id, a notification.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request<'a> {
    /// Always `2.0`.
    pub jsonrpc: &'a str,
    /// Absent in a notification.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Id>,
    /// For example `tools/call`.
    pub method: &'a str,
    /// Its parameters, not parsed.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub params: Option<&'a RawValue>,
}

/// A struct that is only read from a JSON object. By default serde also accepts a list of the fields in order.
#[derive(Debug, Clone, Default)]
pub struct Fields<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Fields<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Object<T> {
            type Value = T;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map))
            }
        }

        deserializer
            .deserialize_map(Object(PhantomData))
            .map(Fields)
    }
}

/// Reads a field's struct from a JSON object; see [`Fields`].
pub(crate) fn fields<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Fields::deserialize(deserializer).map(|Fields(value)| value)
}

/// As [`fields`]; null means the same as no field.
pub(crate) fn fields_or_null<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    deserializer: D,
) -> Result<T, D::Error> {
    let fields: Option<Fields<T>> = Option::deserialize(deserializer)?;
    Ok(fields.map(|Fields(value)| value).unwrap_or_default())
}

/// The maximum size of an id in bytes: an answer repeats it.
const ID_BYTES: usize = 1000;

/// A request's id: a number or a string, returned as it was written.
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub struct Id(Box<RawValue>);

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = Box::<RawValue>::deserialize(deserializer)?;
        match id.get().as_bytes() {
            long if long.len() > ID_BYTES => Err(D::Error::custom(format_args!(
                "the id has more than {ID_BYTES} bytes"
            ))),
            [b'"' | b'-' | b'0'..=b'9', ..] => Ok(Id(id)),
            _ => Err(D::Error::custom("the id is neither a number nor a string")),
        }
    }
}

/// A JSON-RPC error. `data` is a [`ToolError`], so clients parse all refusals the same way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Error {
    /// One of the codes of [`code`].
    pub code: i64,
    /// What is wrong, as text for people.
    pub message: String,
    /// The same error for programs: a [`ToolError`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

/// The error codes that hosts use.
pub mod code {
    /// The body is not JSON.
    pub const PARSE_ERROR: i64 = -32700;
    /// The body is JSON but not a request.
    pub const INVALID_REQUEST: i64 = -32600;
    /// Unknown method.
    pub const METHOD_NOT_FOUND: i64 = -32601;
    /// The parameters do not match the method, or the tool is unknown.
    pub const INVALID_PARAMS: i64 = -32602;
    /// The host failed.
    pub const INTERNAL_ERROR: i64 = -32603;
    /// A header of a session-less request is missing or differs from the body (HTTP 400).
    pub const HEADER_MISMATCH: i64 = -32020;
    /// A session-less request asks what its client does not declare to answer (HTTP 400).
    pub const MISSING_CAPABILITY: i64 = -32021;
    /// A session-less request in an unsupported revision (HTTP 400).
    pub const UNSUPPORTED_VERSION: i64 = -32022;
    /// No such resource, or not for this caller; in 2026-07-28 it is [`INVALID_PARAMS`].
    pub const RESOURCE_NOT_FOUND: i64 = -32002;
    /// The session is missing or invalid (HTTP 400), or has expired (HTTP 404).
    pub const NO_SESSION: i64 = -32000;
    /// HTTP 401.
    pub const UNAUTHORIZED: i64 = -32001;
    /// HTTP 403.
    pub const FORBIDDEN: i64 = -32003;
    /// HTTP 429.
    pub const RATE_LIMITED: i64 = -32029;
    /// HTTP 503.
    pub const UNAVAILABLE: i64 = -32053;
    /// HTTP 504.
    pub const OUTCOME_UNKNOWN: i64 = -32054;
}

impl Error {
    /// An error without data.
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Error {
            code,
            message: bounded(message),
            data: None,
        }
    }

    /// The JSON-RPC error for a refusal that does not come from a tool.
    pub fn refusal(refusal: &ToolError) -> Self {
        let code = match refusal.code {
            ErrorCode::Unauthorized => code::UNAUTHORIZED,
            ErrorCode::Forbidden => code::FORBIDDEN,
            ErrorCode::RateLimited => code::RATE_LIMITED,
            ErrorCode::Unavailable => code::UNAVAILABLE,
            ErrorCode::OutcomeUnknown => code::OUTCOME_UNKNOWN,
            ErrorCode::Internal => code::INTERNAL_ERROR,
            ErrorCode::InvalidArgument | ErrorCode::NotFound => code::INVALID_PARAMS,
            ErrorCode::Conflict | ErrorCode::Refused => code::INVALID_REQUEST,
        };
        Error {
            code,
            message: refusal.message.clone(),
            data: serde_json::to_value(refusal).ok(),
        }
    }
}

/// A response: a result or an error.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Response<R> {
    /// Always `2.0`.
    pub jsonrpc: String,
    /// The id of the request; null if it could not be read.
    pub id: Option<Id>,
    /// Absent in an error response.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub result: Option<R>,
    /// Absent in a successful response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Error>,
}

fn none<R>() -> Option<R> {
    None
}

impl<R> Response<R> {
    /// A successful response.
    pub fn result(id: Id, result: R) -> Self {
        Response {
            jsonrpc: "2.0".to_owned(),
            id: Some(id),
            result: Some(result),
            error: None,
        }
    }

    /// An error response.
    pub fn error(id: Option<Id>, error: Error) -> Self {
        Response {
            jsonrpc: "2.0".to_owned(),
            id,
            result: None,
            error: Some(error),
        }
    }
}
