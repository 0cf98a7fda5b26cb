//! Signing in with a browser: the authorization server for MCP clients (RFC 8414, RFC 7591, PKCE), and the parts shared
//! with sign-in through a code-hosting provider.
//!
//! The browser carries the signed record of the sign-in (`flow`), and the resulting code is in the database (`code`),
//! so each step can reach a different server process.

mod authorize;
pub(super) mod choice;
mod client;
pub(super) mod code;
mod context;
mod document;
mod flow;
mod oauth;
pub(super) mod page;
pub(super) mod step;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};

pub(super) use context::{PageContext, cookie_header, named_cookie};
pub(super) use document::Documents;
pub(super) use flow::FlowKey;
pub(super) use oauth::Form;
#[cfg(feature = "code-host")]
pub(super) use {
    client::loopback,
    context::{Absent, Back},
    flow::{Asked, Flow},
};

use super::Identity;

/// The maximum size of a body in bytes.
const MAX_BODY: usize = 16 * 1024;

pub(super) fn router(identity: Identity) -> Router {
    Router::new()
        .route(
            "/auth/v1/oauth/authorize",
            get(authorize::show).post(authorize::sign_in),
        )
        .route(choice::PATH, post(choice::chosen))
        .route(step::PATH, post(step::entered))
        .route("/auth/v1/oauth/token", post(oauth::token))
        .route("/auth/v1/oauth/register", post(oauth::register))
        .route(
            "/.well-known/oauth-authorization-server",
            get(oauth::metadata),
        )
        .route(
            "/.well-known/oauth-authorization-server/{*path}",
            get(oauth::metadata_below),
        )
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .with_state(identity)
}
