//! The second factor of an account: what a sign-in needs besides the password, and turning it on and off.

use std::sync::Arc;

use frontdesk_protocol::{ErrorCode, ToolError};
use http::Method;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::auth::Auth;
use crate::error::CallError;
use crate::failure::Failure;
use crate::http::Response;
use crate::secret::Secret;

/// The field of a refusal that asks for a code.
pub const CODE: &str = "code";

/// What a sign-in needs besides an address and a password.
#[derive(Debug, Clone, Default)]
pub struct SignInDetails {
    /// The id or name of the organisation, if the password fits accounts at several.
    pub organization: Option<String>,
    /// A code of the authenticator, or a recovery code.
    pub code: Option<Secret>,
    /// The enrolment that the code confirms.
    pub enrolment: Option<Enrolment>,
}

/// A key for an authenticator, before a code has confirmed it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Enrolment {
    /// The key in Base32, to type in.
    pub secret: Secret,
    /// The same as an address, for a QR code.
    pub uri: Secret,
    /// The service's record.
    pub enrolment: Secret,
}

/// The refusal of a sign-in that asks for a code; its details are an [`Enrolment`] if the account has to turn its second
/// factor on.
pub(crate) fn asks(answer: &Response) -> Option<CallError> {
    if !answer.error_code()?.starts_with("second_factor_") {
        return None;
    }
    let body: Value = serde_json::from_slice(&answer.body).ok()?;
    let refusal = ToolError::invalid(CODE, answer.refusal().message);
    Some(CallError::Tool(match body.get("enrolment") {
        Some(enrolment) => refusal.with(enrolment),
        None => refusal,
    }))
}

impl Auth {
    /// A key for the account's authenticator.
    pub(crate) async fn begin_factor(
        self: &Arc<Self>,
        password: &str,
    ) -> Result<Enrolment, CallError> {
        let answer = self
            .factor(Method::POST, &json!({ "password": password }))
            .await?;
        self.read(&answer)
    }

    /// Turns the second factor on, and returns the recovery codes.
    pub(crate) async fn confirm_factor(
        self: &Arc<Self>,
        enrolment: &Enrolment,
        code: &str,
    ) -> Result<Vec<String>, CallError> {
        #[derive(Deserialize)]
        struct Confirmed {
            recovery_codes: Vec<String>,
        }
        let body = json!({ "enrolment": enrolment.enrolment, "code": code });
        let answer = self.factor(Method::PUT, &body).await?;
        self.read(&answer)
            .map(|confirmed: Confirmed| confirmed.recovery_codes)
    }

    /// Turns the second factor off.
    pub(crate) async fn turn_off_factor(self: &Arc<Self>, code: &str) -> Result<(), CallError> {
        let body = json!({ "code": code });
        self.factor(Method::DELETE, &body).await.map(drop)
    }

    async fn factor(self: &Arc<Self>, method: Method, body: &Value) -> Result<Response, CallError> {
        let answer = self.as_account(method, "user/factor", body).await?;
        if let Some(asks) = asks(&answer) {
            return Err(asks);
        }
        match answer.status.as_u16() {
            200..=299 => Ok(answer),
            400 | 422 => Err(CallError::Tool(ToolError::new(
                ErrorCode::InvalidArgument,
                answer.refusal().message,
            ))),
            _ => Err(Failure::Status(Box::new(answer.refusal())).into_error(self.url(), false)),
        }
    }
}
