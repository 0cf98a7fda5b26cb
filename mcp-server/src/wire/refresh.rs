//! `POST /auth/refresh`: exchanges a refresh token for a new access token, at every host (specification, section 5.5).

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::Service;
use super::address::Addressed;
use crate::identity::Purpose;

#[derive(Deserialize)]
struct Refresh {
    refresh_token: String,
}

pub(super) async fn refresh(
    State(service): State<Service>,
    _: Addressed,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let purpose = Purpose::of(&headers);
    let Ok(Refresh { refresh_token }) = serde_json::from_slice(&body) else {
        let body = serde_json::json!({
            "code": 400,
            "error_code": "validation_failed",
            "msg": "the body must be a JSON object with refresh_token, a string",
        });
        return (StatusCode::BAD_REQUEST, Json(body)).into_response();
    };
    match service
        .inner
        .identity
        .refresh(&refresh_token, purpose)
        .await
    {
        Ok(tokens) => tokens.into_response(),
        Err(error) => error.into_response(),
    }
}
