//! The errors of tools and servers.

use frontdesk_protocol::error::ErrorBody;
use frontdesk_protocol::{ErrorCode, ToolError, rpc};
use rmcp::model::ErrorData;
use serde_json::Value;

use crate::error::CallError;
use crate::failure::{cut, wait};

/// The code of a request that waits for the user to open pages.
const PAGES_REQUIRED: i32 = -32042;

/// The pages without which a server refuses a request, as parameters of questions.
pub(crate) fn required_pages(error: &ErrorData) -> Option<Vec<Value>> {
    let pages = error.data.as_ref()?["elicitations"].as_array()?;
    let pages = pages.iter().filter(|page| page["url"].is_string());
    let pages: Vec<_> = pages.cloned().collect();
    (error.code.0 == PAGES_REQUIRED && !pages.is_empty()).then_some(pages)
}

/// The error of a result that says why the tool refused.
pub(crate) fn refusal(structured: Option<Value>, text: &str) -> CallError {
    let body = structured.clone();
    let body = body.and_then(|value| serde_json::from_value::<ErrorBody>(value).ok());
    let body = body.or_else(|| serde_json::from_str::<ErrorBody>(text).ok());
    match body {
        Some(ErrorBody { error }) => of_tool_error(error, None),
        None => {
            let text = match (text.trim(), structured) {
                ("", Some(structured)) => structured.to_string(),
                ("", None) => "the tool refused and did not say why".to_owned(),
                (text, _) => text.to_owned(),
            };
            CallError::Tool(refused(ErrorCode::Refused, cut(&text)))
        }
    }
}

/// A refusal in a server's words, which may be longer than a host's.
fn refused(code: ErrorCode, message: String) -> ToolError {
    ToolError {
        message,
        ..ToolError::new(code, "")
    }
}

/// The error for a code: codes that correspond to an HTTP status are treated like it.
fn of_tool_error(error: ToolError, data: Option<&Value>) -> CallError {
    match error.code {
        ErrorCode::Unauthorized => CallError::SignedOut(error.message),
        ErrorCode::Forbidden => CallError::Forbidden(error),
        ErrorCode::RateLimited => CallError::RateLimited {
            retry_after: wait(data),
        },
        ErrorCode::OutcomeUnknown => CallError::unclear(error.message),
        ErrorCode::Unavailable => CallError::Host {
            status: 503,
            message: error.message,
        },
        ErrorCode::Internal => CallError::Host {
            status: 500,
            message: error.message,
        },
        ErrorCode::InvalidArgument
        | ErrorCode::NotFound
        | ErrorCode::Conflict
        | ErrorCode::Refused => CallError::Tool(error),
    }
}

/// A JSON-RPC error: the tool was not called, or failed in between. `is_safe` means that the call
/// changes nothing.
pub(crate) fn of_rpc_error(error: ErrorData, is_safe: bool) -> CallError {
    let told = error
        .data
        .clone()
        .and_then(|data| serde_json::from_value::<ToolError>(data).ok());
    if let Some(told) = told {
        let around = serde_json::json!({ "error": { "data": error.data } });
        return of_tool_error(told, Some(&around));
    }
    let pages = required_pages(&error);
    let mut message = error.message.into_owned();
    if let Some(pages) = pages {
        let pages = pages.iter().map(|page| {
            let text = |name: &str| page[name].as_str().unwrap_or_default();
            format!("\n{}: {}", text("message"), text("url"))
        });
        message.extend(pages);
        message.push_str("\nOpen the page, then call again; nothing was done.");
        return CallError::Tool(ToolError::new(ErrorCode::Refused, message));
    }
    match error.data {
        None | Some(Value::Null) => {}
        Some(Value::String(data)) => message = format!("{message}\n{data}"),
        Some(data) => message = format!("{message}\n{data}"),
    }
    let message = cut(&message);
    match i64::from(error.code.0) {
        rpc::code::INVALID_PARAMS => CallError::Tool(refused(ErrorCode::InvalidArgument, message)),
        rpc::code::METHOD_NOT_FOUND | rpc::code::INVALID_REQUEST => {
            CallError::Tool(refused(ErrorCode::Refused, message))
        }
        // Not that the request cannot be read.
        code if !is_safe && code != rpc::code::PARSE_ERROR => {
            CallError::unclear(format!("the server failed: {message}"))
        }
        _ => CallError::Failed(message),
    }
}
