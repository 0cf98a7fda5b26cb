//! Converts an MCP answer to the result of a tool or an error.

use frontdesk_protocol::error::ErrorBody;
use frontdesk_protocol::{ErrorCode, ToolError, rpc};
use rmcp::model::{CallToolResult, ErrorData, ServerResult};
use serde_json::Value;

use crate::error::CallError;
use crate::failure::wait;

/// The answer as the result of a tool.
///
/// # Errors
/// [`CallError::Tool`] if the tool asks for input, [`CallError::Protocol`] for any other answer.
pub(crate) fn tool_result(result: ServerResult) -> Result<CallToolResult, CallError> {
    let what = match result {
        ServerResult::CallToolResult(result) => return Ok(result),
        ServerResult::InputRequiredResult(_) => {
            let message = "the tool asks for more input, which cannot be given here";
            return Err(CallError::Tool(ToolError::new(ErrorCode::Refused, message)));
        }
        ServerResult::CreateTaskResult(_) => {
            "the tool goes on in the background, which cannot be followed here"
        }
        _ => "it is not a tool result",
    };
    Err(CallError::Protocol(what.to_owned()))
}

/// The JSON returned by a tool; plain text is a string, and an empty result is null.
///
/// # Errors
/// The tool's refusal.
pub(crate) fn of_tool(result: CallToolResult) -> Result<Value, CallError> {
    let text = text(&result);
    if result.is_error == Some(true) {
        return Err(refusal(result.structured_content, &text));
    }
    if let Some(value) = result.structured_content {
        return Ok(value);
    }
    if result.content.is_empty() {
        return Ok(Value::Null);
    }
    // Older servers return JSON as one text block.
    if let Ok(value) = serde_json::from_str(&text) {
        return Ok(value);
    }
    Ok(Value::String(text))
}

/// The text blocks, separated by line breaks.
fn text(result: &CallToolResult) -> String {
    let texts: Vec<&str> = result
        .content
        .iter()
        .filter_map(|block| block.as_text())
        .map(|block| block.text.as_str())
        .collect();
    texts.join("\n")
}

fn refusal(structured: Option<Value>, text: &str) -> CallError {
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
            CallError::Tool(ToolError::new(ErrorCode::Refused, text))
        }
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
        ErrorCode::OutcomeUnknown => CallError::OutcomeUnknown(error.message),
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
    let mut message = error.message.into_owned();
    match error.data {
        None | Some(Value::Null) => {}
        Some(Value::String(data)) => message = format!("{message}\n{data}"),
        Some(data) => message = format!("{message}\n{data}"),
    }
    match i64::from(error.code.0) {
        rpc::code::INVALID_PARAMS => {
            CallError::Tool(ToolError::new(ErrorCode::InvalidArgument, message))
        }
        rpc::code::METHOD_NOT_FOUND | rpc::code::INVALID_REQUEST => {
            CallError::Tool(ToolError::new(ErrorCode::Refused, message))
        }
        rpc::code::INTERNAL_ERROR if !is_safe => {
            CallError::OutcomeUnknown(format!("the server failed: {message}"))
        }
        // All other codes are failures of the host.
        _ => CallError::Host {
            status: 500,
            message,
        },
    }
}
