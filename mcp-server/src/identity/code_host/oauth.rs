//! The same sign-in for any MCP client: what this server says about itself as an authorization server (RFC
//! 8414), the registration of public clients (RFC 7591), and the authorization code grant with PKCE.

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::json;
use url::Url;

use super::client::Registered;
use super::code::{self, Binding};
use super::flow::{Asked, loopback};
use super::page;
use super::stage::{Absent, Back, Stage};
use crate::identity::tokens::NO_STORE;
use crate::identity::{AuthError, Identity, Tokens};

/// How long others may keep what the server says about itself, in seconds.
const CACHED: &str = "public, max-age=600";
/// The most addresses that a client may register.
const MOST_REDIRECTS: usize = 8;
/// The longest name of a client, in bytes.
const LONGEST_NAME: usize = 200;

/// A refusal as RFC 6749, section 5.2, and RFC 7591, section 3.2.2, have it.
pub(super) struct Refused(StatusCode, &'static str, String);

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
pub(super) async fn metadata(stage: Stage) -> Response {
    let base = &stage.base;
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
    });
    ([(header::CACHE_CONTROL, CACHED)], Json(body)).into_response()
}

/// The same with the path of the public address behind it (RFC 8414, section 3.1).
pub(super) async fn metadata_below(
    State(identity): State<Identity>,
    Path(path): Path<String>,
    stage: Result<Stage, Absent>,
) -> Response {
    if format!("/{path}") != identity.0.public_address.path() {
        return StatusCode::NOT_FOUND.into_response();
    }
    match stage {
        Ok(stage) => metadata(stage).await,
        Err(absent) => absent.into_response(),
    }
}

#[derive(Deserialize)]
struct Registration {
    redirect_uris: Vec<String>,
    client_name: Option<String>,
    token_endpoint_auth_method: Option<String>,
    grant_types: Option<Vec<String>>,
    response_types: Option<Vec<String>>,
}

/// `POST /auth/v1/oauth/register`: the client's id says by itself what was registered, so that nothing is
/// stored.
pub(super) async fn register(
    stage: Result<Stage, Absent>,
    body: Bytes,
) -> Result<Response, Refused> {
    let stage = stage.map_err(|_| no_provider())?;
    let wrong = |what: &str| refused("invalid_client_metadata", what);
    let asked: Registration =
        serde_json::from_slice(&body).map_err(|_| wrong("send JSON with redirect_uris, a list"))?;
    if asked.redirect_uris.is_empty() || asked.redirect_uris.len() > MOST_REDIRECTS {
        return Err(refused("invalid_redirect_uri", "register 1 to 8 addresses"));
    }
    let redirects: Option<Vec<Url>> = asked.redirect_uris.iter().map(|it| loopback(it)).collect();
    let redirects = redirects.ok_or_else(|| {
        refused(
            "invalid_redirect_uri",
            "only addresses of the client's own machine are taken, like http://127.0.0.1:PORT/callback",
        )
    })?;
    if asked
        .token_endpoint_auth_method
        .is_some_and(|it| it != "none")
    {
        return Err(wrong(
            "token_endpoint_auth_method must be none: clients keep no secret here",
        ));
    }
    let known = |all: Option<Vec<String>>, known: &[&str]| {
        all.is_none_or(|all| all.iter().all(|it| known.contains(&it.as_str())))
    };
    if !known(asked.grant_types, &["authorization_code", "refresh_token"])
        || !known(asked.response_types, &["code"])
    {
        return Err(wrong(
            "grant_types are authorization_code and refresh_token, response_types code",
        ));
    }
    let name = asked.client_name.unwrap_or_default();
    if name.len() > LONGEST_NAME {
        return Err(wrong("client_name is too long"));
    }
    let now = stage.now().as_second();
    let client = Registered::new(redirects, now);
    let id = stage
        .key
        .name(&client)
        .ok_or_else(|| wrong("it is too long"))?;
    let body = json!({
        "client_id": id,
        "client_id_issued_at": now,
        "client_name": name,
        "redirect_uris": asked.redirect_uris,
        "token_endpoint_auth_method": "none",
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
    });
    let headers = [(header::CACHE_CONTROL, NO_STORE)];
    Ok((StatusCode::CREATED, headers, Json(body)).into_response())
}

fn no_provider() -> Refused {
    Refused(
        StatusCode::NOT_FOUND,
        "invalid_request",
        "this server signs nobody in through a provider".to_owned(),
    )
}

/// A repeated parameter is none.
#[derive(Deserialize)]
pub(super) struct Authorize {
    response_type: Option<String>,
    client_id: Option<String>,
    redirect_uri: Option<String>,
    code_challenge: Option<String>,
    code_challenge_method: Option<String>,
    state: Option<String>,
    resource: Option<String>,
}

/// `GET /auth/v1/oauth/authorize`: sends the browser to the provider.
pub(super) async fn authorize(
    stage: Stage,
    query: Result<Query<Authorize>, QueryRejection>,
) -> Response {
    let refusal = |text: &str| page::refusal(StatusCode::BAD_REQUEST, text);
    let Ok(Query(asked)) = query else {
        return refusal("This address is not one to sign in at. Begin again in the program.");
    };
    let id = asked.client_id.as_deref().unwrap_or_default();
    let Some(client) = stage.key.read(id) else {
        return refusal(
            "The program that sent you is not registered here. It has to register first.",
        );
    };
    let redirect = asked.redirect_uri.as_deref().and_then(loopback);
    let Some(redirect) = redirect.filter(|it| client.is_known(it)) else {
        return refusal("Nobody is sent on from here: the program registered another address.");
    };
    let back = Back {
        redirect,
        state: asked.state.clone(),
        issuer: Some(stage.base.clone()),
    };
    if asked.response_type.as_deref() != Some("code") {
        return back.with_error("unsupported_response_type", "response_type must be code");
    }
    let is_ours = |resource: &str| stage.is_ours(resource);
    if !asked.resource.as_deref().is_none_or(is_ours) {
        return back.with_error("invalid_target", "the resource is none of this service");
    }
    let asked = Asked {
        redirect: asked.redirect_uri.as_deref(),
        challenge: asked.code_challenge.as_deref(),
        method: asked.code_challenge_method.as_deref(),
        state: asked.state.as_deref(),
        client: Some(id),
    };
    stage.begin(&asked)
}

/// `POST /auth/v1/oauth/token`: the authorization code grant and the refresh grant, as a form.
pub(super) async fn token(stage: Result<Stage, Absent>, body: Bytes) -> Result<Response, Refused> {
    let stage = stage.map_err(|_| no_provider())?;
    let mut form = Form::read(&body)?;
    let id = form.take("client_id")?;
    stage.key.read(&id).ok_or_else(|| {
        Refused(
            StatusCode::UNAUTHORIZED,
            "invalid_client",
            "the client is not registered here".to_owned(),
        )
    })?;
    if form.find("resource").is_some_and(|it| !stage.is_ours(it)) {
        return Err(refused(
            "invalid_target",
            "the resource is none of this service",
        ));
    }
    let tokens = match form.take("grant_type")?.as_str() {
        "authorization_code" => {
            let (code, verifier) = (form.take("code")?, form.take("code_verifier")?);
            let redirect = form.take("redirect_uri")?;
            let binding = Binding::shown_by(&verifier, &id, &redirect);
            code::redeem(&stage.identity, &code, binding).await
        }
        "refresh_token" => stage.identity.refresh(&form.take("refresh_token")?).await,
        _ => {
            let text = "grant_type must be authorization_code or refresh_token";
            return Err(refused("unsupported_grant_type", text));
        }
    };
    let tokens = tokens.map_err(|error| of(&error))?;
    Ok(answer(&tokens))
}

/// As RFC 6749, section 5.1, has it.
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
        | AuthError::RefreshTokenAlreadyUsed => refused("invalid_grant", &error.to_string()),
        error => {
            tracing::error!(%error, "identity: a grant failed");
            let text = "the server failed; try again";
            Refused(error.status(), "temporarily_unavailable", text.to_owned())
        }
    }
}

/// The fields of a form. A repeated one is none (RFC 6749, section 3.2).
struct Form(Vec<(String, String)>);

impl Form {
    fn read(body: &[u8]) -> Result<Form, Refused> {
        let fields: Vec<_> = url::form_urlencoded::parse(body).into_owned().collect();
        let mut names: Vec<_> = fields.iter().map(|(name, _)| name).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        match names.len() == count {
            true => Ok(Form(fields)),
            false => Err(refused("invalid_request", "a parameter is there twice")),
        }
    }

    fn find(&self, name: &str) -> Option<&str> {
        let field = self.0.iter().find(|(known, _)| known == name)?;
        Some(field.1.as_str())
    }

    fn take(&mut self, name: &str) -> Result<String, Refused> {
        let at = self.0.iter().position(|(known, _)| known == name);
        let at = at.ok_or_else(|| refused("invalid_request", &format!("{name} is missing")))?;
        Ok(self.0.swap_remove(at).1)
    }
}
