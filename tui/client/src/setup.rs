//! Mistakes of a configuration, recognised from the answer or the failure that they cause.

use frontdesk_protocol::{ErrorCode, ToolError};

use crate::error::CallError;
use crate::http::Response;

/// The error for a refused sign-in at this address: a wrong setting, named, or the wrong password.
pub(crate) fn refused_sign_in(url: &str, answer: &Response) -> CallError {
    let refusal = answer.refusal();
    let (status, message) = (refusal.status, refusal.message);
    let error = answer.error_code();
    let is_wrong_password = error.as_deref() == Some("invalid_credentials")
        || answer.text("error").as_deref() == Some("invalid_grant");
    if is_wrong_password {
        return CallError::Tool(ToolError::new(ErrorCode::Unauthorized, message));
    }
    let named = if message.contains("Host header") {
        format!(
            "the server at {url} does not answer to this name; its operator allows it with --public-url {url}"
        )
    } else if status == 401 && message.contains("API key") {
        format!(
            "the public key does not belong to {url}; ask its operator, and give it with --public-key or \
             FRONTDESK_PUBLIC_KEY"
        )
    } else if String::from_utf8_lossy(&answer.body).contains("HTTPS port") {
        format!("{url} expects an encrypted connection; write https:// instead of http://")
    } else if !refusal.is_json && status != 429 && status < 500 {
        format!(
            "another program than Frontdesk answers at {url} (HTTP {status}); check the name and the port"
        )
    } else {
        message
    };
    CallError::Tool(ToolError::new(ErrorCode::Refused, named))
}

/// Explains what to change after a sign-in could not connect. Later, a lost connection is rarely a mistake of the set-up.
pub(crate) fn unreachable(error: CallError) -> CallError {
    match error {
        CallError::Unreachable { host, reason } => CallError::Unreachable {
            reason: with_advice(&reason),
            host,
        },
        error => error,
    }
}

fn with_advice(cause: &str) -> String {
    let has = |text: &str| cause.contains(text);
    let advice = if has("InvalidContentType") || has("handshake eof") {
        "the port does not speak TLS; check the port, or write http:// on this machine"
    } else if has("UnknownIssuer") {
        "the issuer of its certificate is unknown; its operator has to serve the whole chain, or this machine has to \
         trust the issuer"
    } else if has("NotValidForName") || has("not valid for name") {
        "its certificate is for another name; check the name"
    } else if has("NotValidYet") || has("not valid yet") {
        "its certificate is not valid yet; check the clock of this machine"
    } else if has("Expired") || has("certificate expired") {
        "its certificate has expired; check the clock of this machine, and tell the operator"
    } else if has("invalid HTTP") || has("message completed") || has("unexpected message") {
        "no web server has this port; check the port, and whether the address begins with https://"
    } else if has("onnection refused") {
        "no server listens on this port"
    } else {
        return cause.to_owned();
    };
    format!("cannot be reached: {advice}")
}
