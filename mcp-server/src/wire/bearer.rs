//! Authenticates a request by its bearer token, before anything else is checked.

use axum::http::{HeaderMap, header};
use frontdesk_protocol::{ErrorCode, ToolError};

use super::address::Addressed;
use super::refusal::Refusal;
use super::{Service, resource};
use crate::identity::{TokenError, Verified, bearer_token};
use crate::telemetry;

/// The bearer of the token.
pub(super) async fn caller(
    service: &Service,
    addressed: Addressed,
    headers: &HeaderMap,
) -> Result<Verified, Refusal> {
    let verified = match bearer_token(headers) {
        Ok(token) => service.inner.identity.verify(token).await,
        Err(error) => Err(error),
    };
    verified.map_err(|error| {
        if error.is_setup_mistake() {
            telemetry::record_token_mistake(&error);
        }
        let metadata = resource::metadata_address(service, addressed, headers);
        refuse(&error, metadata.as_deref())
    })
}

/// `metadata` is the address of the host's sign-in metadata.
fn refuse(error: &TokenError, metadata: Option<&str>) -> Refusal {
    let Some(challenge) = error.challenge(metadata) else {
        return Refusal::new(&ToolError::new(ErrorCode::Unavailable, error.to_string()));
    };
    let refusal = ToolError::new(ErrorCode::Unauthorized, error.to_string())
        .hint("send `Authorization: Bearer <ACCESS_TOKEN>` with a token from /auth/v1/token");
    Refusal::new(&refusal).header(header::WWW_AUTHENTICATE, challenge)
}
