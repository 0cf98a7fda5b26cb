//! The server's metadata as an authorization server (RFC 8414), the registration of public clients (RFC 7591), and the
//! token endpoint.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::json;

use super::client::Metadata;
use super::code::{self, Binding};
use super::context::{Absent, PageContext};
use super::flow::hash;
use super::page;
use crate::identity::claims::Purpose;
use crate::identity::tokens::NO_STORE;
use crate::identity::visitor::Visitor;
use crate::identity::{AuthError, Identity, Tokens, Visit, session};

/// The time others can cache the metadata, in seconds.
const CACHED: &str = "public, max-age=600";

/// A refusal in the format of RFC 6749, section 5.2, and RFC 7591, section 3.2.2.
pub(in crate::identity) struct Refused(StatusCode, &'static str, String);

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let Refused(status, error, description) = self;
        let body = json!({ "error": error, "error_description": description });
        (status, [(header::CACHE_CONTROL, NO_STORE)], Json(body)).into_response()
    }
}

fn refused(error: &'static str, description: &str) -> Refused {
    Refused(StatusCode::BAD_REQUEST, error, description.to_owned())
}

/// `GET /.well-known/oauth-authorization-server`.
pub(super) async fn metadata(context: PageContext) -> Response {
    let base = &context.base;
    let body = json!({
        "issuer": base,
        "authorization_endpoint": format!("{base}/auth/v1/oauth/authorize"),
        "token_endpoint": format!("{base}/auth/v1/oauth/token"),
        "registration_endpoint": format!("{base}/auth/v1/oauth/register"),
        "jwks_uri": format!("{base}/auth/v1/.well-known/jwks.json"),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": ["none"],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": true,
        "client_id_metadata_document_supported": true,
    });
    ([(header::CACHE_CONTROL, CACHED)], Json(body)).into_response()
}

/// The metadata at an address that ends with the path of the public address (RFC 8414, section 3.1).
pub(super) async fn metadata_below(
    State(identity): State<Identity>,
    Path(path): Path<String>,
    context: Result<PageContext, Absent>,
) -> Response {
    if format!("/{path}") != identity.0.public_address.path() {
        return StatusCode::NOT_FOUND.into_response();
    }
    match context {
        Ok(context) => metadata(context).await,
        Err(absent) => absent.into_response(),
    }
}

/// `POST /auth/v1/oauth/register`: a client's id is its signed registration, so registrations are not stored. A client
/// that requests a secret is registered without one, and the answer says so (RFC 7591, section 3.2.1).
pub(super) async fn register(
    context: Result<PageContext, Absent>,
    visitor: Visitor,
    body: Bytes,
) -> Result<Response, Refused> {
    let context = context.map_err(|_| not_ours())?;
    if let Err(refusal) = visitor.admit(&context.identity, Visit::Registration) {
        return Ok(refusal.into_response());
    }
    let metadata: serde_json::Value = serde_json::from_slice(&body).unwrap_or_default();
    let asked = Metadata::deserialize(&metadata).map_err(|_| {
        refused(
            "invalid_client_metadata",
            "send JSON with redirect_uris, a list",
        )
    })?;
    let now = context.now().as_second();
    let client = asked.client(now);
    let client = client.map_err(|(error, description)| refused(error, description))?;
    let id = (context.key.name(&client))
        .ok_or_else(|| refused("invalid_client_metadata", "the metadata is too long"))?;
    let mut body = json!({
        "client_id": id,
        "client_id_issued_at": now,
        "redirect_uris": metadata["redirect_uris"],
        "token_endpoint_auth_method": "none",
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
    });
    if let Some(name) = client.name() {
        body["client_name"] = name.into();
    }
    let headers = [(header::CACHE_CONTROL, NO_STORE)];
    Ok((StatusCode::CREATED, headers, Json(body)).into_response())
}

fn not_ours() -> Refused {
    let error = AuthError::NotOurs;
    Refused(error.status(), "invalid_request", error.to_string())
}

/// `POST /auth/v1/oauth/token`: the authorization code grant and the refresh grant, sent as a form.
pub(super) async fn token(
    context: Result<PageContext, Absent>,
    body: Bytes,
) -> Result<Response, Refused> {
    let context = context.map_err(|_| not_ours())?;
    let mut form = Form::read(&body)?;
    let id = form.take("client_id")?;
    if !context.is_client_id(&id) {
        return Err(Refused(
            StatusCode::UNAUTHORIZED,
            "invalid_client",
            "the client is not registered here".to_owned(),
        ));
    }
    if form.find("resource").is_some_and(|it| !context.is_ours(it)) {
        return Err(refused(
            "invalid_target",
            "the resource does not belong to this service",
        ));
    }
    let tokens = match form.take("grant_type")?.as_str() {
        "authorization_code" => {
            let (code, verifier) = (form.take("code")?, form.take("code_verifier")?);
            let redirect = form.take("redirect_uri")?;
            let binding = Binding::shown_by(&verifier, &id, &redirect);
            code::redeem(&context.identity, &code, binding, Purpose::Program).await
        }
        "refresh_token" => {
            let token = form.take("refresh_token")?;
            session::refresh(
                &context.identity,
                &token,
                Some(&hash(&id)),
                Purpose::Program,
            )
            .await
        }
        _ => {
            let text = "grant_type must be authorization_code or refresh_token";
            return Err(refused("unsupported_grant_type", text));
        }
    };
    let tokens = tokens.map_err(|error| of(&error))?;
    Ok(answer(&tokens))
}

/// The answer in the format of RFC 6749, section 5.1.
fn answer(tokens: &Tokens) -> Response {
    let body = json!({
        "access_token": tokens.access_token,
        "token_type": "Bearer",
        "expires_in": tokens.expires_in,
        "refresh_token": tokens.refresh_token,
    });
    ([(header::CACHE_CONTROL, NO_STORE)], Json(body)).into_response()
}

fn of(error: &AuthError) -> Refused {
    match error {
        AuthError::CodeNotFound
        | AuthError::CodeExpired
        | AuthError::WrongVerifier
        | AuthError::RefreshTokenNotFound
        | AuthError::RefreshTokenAlreadyUsed
        | AuthError::FactorMissing
        | AuthError::Deactivated => refused("invalid_grant", &error.to_string()),
        error => {
            tracing::error!(%error, "identity: a grant failed");
            let text = "the server failed; try again";
            Refused(error.status(), "temporarily_unavailable", text.to_owned())
        }
    }
}

/// The fields of a form, each at most once (RFC 6749, section 3.2).
pub(in crate::identity) struct Form(Vec<(String, String)>);

impl Form {
    /// What a form of one of our pages has sent; `None` for that of another site, and for what cannot be read.
    pub(in crate::identity) fn of_page(headers: &HeaderMap, body: &[u8]) -> Option<Form> {
        let form = Form::read(body).ok();
        form.filter(|_| !page::is_from_elsewhere(headers))
    }

    pub(in crate::identity) fn read(body: &[u8]) -> Result<Form, Refused> {
        let fields: Vec<_> = url::form_urlencoded::parse(body).into_owned().collect();
        let mut names: Vec<_> = fields.iter().map(|(name, _)| name).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        match names.len() == count {
            true => Ok(Form(fields)),
            false => Err(refused("invalid_request", "a parameter is given twice")),
        }
    }

    pub(in crate::identity) fn find(&self, name: &str) -> Option<&str> {
        let field = self.0.iter().find(|(known, _)| known == name)?;
        Some(field.1.as_str())
    }

    fn take(&mut self, name: &str) -> Result<String, Refused> {
        let at = self.0.iter().position(|(known, _)| known == name);
        let at = at.ok_or_else(|| refused("invalid_request", &format!("{name} is missing")))?;
        Ok(self.0.swap_remove(at).1)
    }
}
