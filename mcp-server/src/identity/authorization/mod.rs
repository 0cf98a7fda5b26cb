//! Signing in in a browser: the authorization server of MCP's clients (RFC 8414, RFC 7591, PKCE), and what a
//! sign-in through a code-hosting provider shares with it.
//!
//! The browser carries a signed record of the sign-in (`flow`), and what it ends with is in the database
//! (`code`), so that each step may come to another server process.

mod authorize;
pub(super) mod choice;
mod client;
pub(super) mod code;
mod document;
mod flow;
mod oauth;
pub(super) mod page;
mod stage;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};

pub(super) use document::Documents;
pub(super) use flow::FlowKey;
pub(super) use oauth::Form;
pub(super) use stage::{Stage, cookie_header, named_cookie};
#[cfg(feature = "code-host")]
pub(super) use {
    client::loopback,
    flow::{Asked, Flow},
    stage::{Absent, Back},
};

use super::Identity;

/// The most bytes that a body may have.
const MAX_BODY: usize = 16 * 1024;

pub(super) fn router(identity: Identity) -> Router {
    Router::new()
        .route(
            "/auth/v1/oauth/authorize",
            get(authorize::show).post(authorize::sign_in),
        )
        .route(choice::PATH, post(choice::chosen))
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
