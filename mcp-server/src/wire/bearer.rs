//! The bearer token of a request: checked before anything else about it.

use axum::http::{HeaderMap, header};
use frontdesk_protocol::id::UserId;
use frontdesk_protocol::{ErrorCode, ToolError};

use super::Service;
use super::refusal::Refusal;
use crate::identity::{TokenError, bearer_token};

/// Who calls.
pub(super) async fn caller(service: &Service, headers: &HeaderMap) -> Result<UserId, Refusal> {
    let token = bearer_token(headers).map_err(|error| refuse(&error))?;
    match service.inner.identity.verify(token).await {
        Ok(verified) => Ok(verified.user),
        Err(error) => Err(refuse(&error)),
    }
}

fn refuse(error: &TokenError) -> Refusal {
    let Some(challenge) = error.challenge() else {
        return Refusal::new(&ToolError::new(ErrorCode::Unavailable, error.to_string()));
    };
    let refusal = ToolError::new(ErrorCode::Unauthorized, error.to_string())
        .hint("send `Authorization: Bearer <ACCESS_TOKEN>` with a token from /auth/v1/token");
    Refusal::new(&refusal).header(header::WWW_AUTHENTICATE, challenge)
}
