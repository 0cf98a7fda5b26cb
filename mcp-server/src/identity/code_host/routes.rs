//! The two addresses that a browser visits: `authorize`, which redirects it to the provider on behalf of the terminal,
//! and `callback`, to which the provider sends it back.

use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequestParts, Query};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use oauth2::RedirectUrl;
use serde::Deserialize;

use super::callback as callback_address;
use super::exchange::{CodeHost, ExchangeError, Person};
use crate::identity::authorization::choice::{Choice, choose};
use crate::identity::authorization::step::{self, Passed};
use crate::identity::authorization::{Absent, Asked, Back, Flow, PageContext, loopback, page};
use crate::identity::factor::Shown;
use crate::identity::visitor::Visitor;
use crate::identity::{AuthError, Identity, sign_in};

/// A repeated parameter is refused.
#[derive(Deserialize)]
struct Authorize {
    provider: Option<String>,
    redirect_to: Option<String>,
    code_challenge: Option<String>,
    code_challenge_method: Option<String>,
    state: Option<String>,
    /// The account to link, signed by `/auth/v1/user/link`.
    link: Option<String>,
}

#[derive(Deserialize)]
struct Callback {
    code: Option<String>,
    state: Option<String>,
    error: Option<String>,
}

/// The context of both addresses: the provider, and the context of the sign-in.
struct Hosted {
    context: PageContext,
    host: Arc<CodeHost>,
    callback: RedirectUrl,
}

impl FromRequestParts<Identity> for Hosted {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, identity: &Identity) -> Result<Self, Response> {
        let context = PageContext::from_request_parts(parts, identity).await;
        let provider = identity.0.provider.as_ref();
        let Some(host) = provider.and_then(|provider| provider.code_host.as_ref()) else {
            let text = "This server offers no sign-in through a provider. Sign in with your e-mail address \
                        and password: frontdesk login --email E.";
            return Err(page::refusal(StatusCode::NOT_FOUND, text));
        };
        let context = context.map_err(Absent::into_response)?;
        let callback = callback_address(&context.base);
        Ok(Hosted {
            host: Arc::clone(host),
            callback: callback.ok_or_else(|| Absent::Address.into_response())?,
            context,
        })
    }
}

pub(in crate::identity) fn router(identity: Identity) -> Router {
    Router::new()
        .route("/auth/v1/authorize", get(authorize))
        .route("/auth/v1/callback", get(callback))
        .with_state(identity)
}

/// Redirects the browser to the provider.
async fn authorize(hosted: Hosted, query: Result<Query<Authorize>, QueryRejection>) -> Response {
    let refusal = |text: &str| page::refusal(StatusCode::BAD_REQUEST, text);
    let Ok(Query(asked)) = query else {
        return refusal("This is not a sign-in address. Run frontdesk login again.");
    };
    let Hosted {
        context,
        host,
        callback,
    } = hosted;
    let name = host.name();
    if asked.provider.as_deref() != Some(name) {
        return refusal(&format!(
            "This server signs people in through {name} only: frontdesk login --provider {name}."
        ));
    }
    let Some(redirect) = asked.redirect_to.as_deref().and_then(loopback) else {
        return refusal(
            "You cannot be sent back: the return address must be on this machine, like \
             http://127.0.0.1:PORT/callback.",
        );
    };
    let now = context.now();
    let link = asked
        .link
        .as_deref()
        .map(|it| context.key.read_link(it, now));
    let Some(link) = link.map_or(Some(None), |link| link.map(Some)) else {
        return refusal("This link has expired. Run frontdesk login --link again.");
    };
    let asked = Asked {
        redirect,
        link,
        challenge: asked.code_challenge.as_deref(),
        method: asked.code_challenge_method.as_deref(),
        state: asked.state.as_deref(),
        client: None,
    };
    context.begin(asked, |_, sealed| {
        let verifier = context.key.verifier(sealed);
        page::redirect(&host.page(callback, sealed.to_owned(), verifier))
    })
}

/// Reads the provider's answer, and redirects the browser to the client that began the sign-in.
async fn callback(
    hosted: Hosted,
    visitor: Visitor,
    query: Result<Query<Callback>, QueryRejection>,
) -> Response {
    let context = &hosted.context;
    let answer = query.ok().map(|Query(answer)| answer);
    let sealed = answer.as_ref().and_then(|it| it.state.as_deref());
    let found = sealed.and_then(|sealed| {
        let flow = context.key.open(sealed, &context.cookie, context.now())?;
        Some((sealed, flow))
    });
    let (Some(answer), Some((sealed, flow))) = (&answer, found) else {
        return page::refusal(
            StatusCode::BAD_REQUEST,
            "This sign-in did not begin in this browser, or took longer than ten minutes. Run frontdesk \
             login again.",
        );
    };
    let back = context.back(&flow);
    let name = hosted.host.name();
    let code = match (&answer.error, &answer.code) {
        (Some(error), _) => {
            let text = format!("{name} refused the sign-in");
            return match error.as_str() {
                "access_denied" => back.with_error("access_denied", &text),
                _ => back.with_error("server_error", &text),
            };
        }
        (None, Some(code)) => code,
        (None, None) => {
            return back.with_error("server_error", &format!("{name} sent no code"));
        }
    };
    let verifier = context.key.verifier(sealed);
    let person = hosted.host.person(hosted.callback, code, verifier).await;
    match person {
        Ok(person) => signed_in(context, &flow, sealed, name, &person, &visitor).await,
        Err(error) => trouble(&back, name, &error),
    }
}

/// Redirects the browser with a code for the account that this address at the provider signs in to. Asks which account
/// if there are several, and asks for confirmation if the sign-in is for linking.
async fn signed_in(
    context: &PageContext,
    flow: &Flow,
    sealed: &str,
    name: &str,
    person: &Person,
    visitor: &Visitor,
) -> Response {
    let address = person.address.as_str();
    let back = context.back(flow);
    let issued = async {
        let accounts = match flow.link {
            Some((user, _)) => Vec::from_iter(sign_in::with_id(&context.identity, user).await?),
            None => sign_in::opened_by(&context.identity, name, address).await?,
        };
        let link = flow.link.map(|_| (name, address));
        match (&*accounts, link) {
            ([], _) => Ok(None),
            ([one], None) => {
                let passed = Passed::to(flow, one.account.id, one.account.epoch);
                let passed = passed.through(person.login.clone());
                let shown = Shown::default();
                let response = step::go_on(context, flow, sealed, &passed, shown, visitor);
                Ok(Some(response.await?))
            }
            (several, link) => {
                let choice = Choice::of(flow, several.iter(), link, person.login.as_deref());
                Ok(Some(choose(context, flow, sealed, &choice, several)))
            }
        }
    };
    match issued.await {
        Ok(Some(answer)) => answer,
        Ok(None) => {
            tracing::info!(
                provider = name,
                "no account matches the address of a sign-in through the provider"
            );
            let text = format!(
                "no account here is linked to {address} at {name}; sign in with your password and link it \
                 (frontdesk login --provider {name} --link), or ask an owner of your organisation for an account"
            );
            back.with_error("access_denied", &text)
        }
        Err::<_, AuthError>(error) => {
            tracing::error!(%error, "a sign-in through the provider could not be stored");
            back.with_error("server_error", "the server failed; try again")
        }
    }
}

fn trouble(back: &Back, name: &str, error: &ExchangeError) -> Response {
    tracing::warn!(provider = name, %error, "a sign-in through the provider failed");
    match error {
        ExchangeError::NoAddress => back.with_error(
            "access_denied",
            &format!("{name} has no verified primary e-mail address of yours"),
        ),
        ExchangeError::Refused => back.with_error(
            "access_denied",
            &format!("{name} refused its own code; sign in again"),
        ),
        ExchangeError::Busy => back.with_error(
            "temporarily_unavailable",
            "too many people are signing in at once; try again",
        ),
        _ => back.with_error(
            "temporarily_unavailable",
            &format!("{name} cannot be reached; try again"),
        ),
    }
}
