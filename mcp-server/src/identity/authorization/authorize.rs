//! The authorization endpoint: a page with a form for e-mail address and password that also offers the code-hosting
//! provider, if there is one.

use axum::extract::Query;
use axum::extract::rejection::QueryRejection;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::Deserialize;

use super::choice::{Choice, choose};
use super::context::{Back, PageContext};
use super::document::DocumentError;
use super::flow::{Asked, Flow, FlowClient, hash};
use super::oauth::Form;
use super::page::{self, SignIn};
use super::step::{self, Passed};
use crate::identity::factor::Shown;
use crate::identity::sign_in::Wanted;
use crate::identity::visitor::Visitor;
use crate::identity::{AuthError, sign_in};
use crate::page::Mistake;

/// A repeated parameter is refused (RFC 6749, section 3.1).
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

/// `GET /auth/v1/oauth/authorize`: the sign-in page. Until the redirect address is known to belong to the client,
/// errors are shown on a page and not sent to the redirect address.
pub(super) async fn show(
    context: PageContext,
    query: Result<Query<Authorize>, QueryRejection>,
) -> Response {
    let refusal = |text: &str| page::refusal(StatusCode::BAD_REQUEST, text);
    let Ok(Query(asked)) = query else {
        return refusal("This is not a sign-in address. Start again from the program.");
    };
    let id = asked.client_id.as_deref().unwrap_or_default();
    let client = match context.client(id).await {
        Ok(client) => client,
        Err(error @ DocumentError::Busy) => {
            return page::refusal(StatusCode::SERVICE_UNAVAILABLE, &error.to_string());
        }
        Err(error) => return refusal(&error.to_string()),
    };
    let address = asked.redirect_uri.as_deref().unwrap_or_default();
    let Some(redirect) = client.redirect(address) else {
        return refusal("You cannot be sent back to the program: it registered another address.");
    };
    let back = Back {
        redirect: redirect.clone(),
        state: asked.state.clone(),
        issuer: Some(context.base.clone()),
    };
    if asked.response_type.as_deref() != Some("code") {
        return back.with_error("unsupported_response_type", "response_type must be code");
    }
    let is_ours = |resource: &str| context.is_ours(resource);
    if !asked.resource.as_deref().is_none_or(is_ours) {
        return back.with_error(
            "invalid_target",
            "the resource does not belong to this service",
        );
    }
    let asked = Asked {
        redirect,
        challenge: asked.code_challenge.as_deref(),
        method: asked.code_challenge_method.as_deref(),
        state: asked.state.as_deref(),
        link: None,
        client: Some(FlowClient {
            id: hash(id),
            name: client.name().map(str::to_owned),
            host: context
                .key
                .read(id)
                .is_none()
                .then(|| host_of(id))
                .flatten(),
        }),
    };
    context.begin(asked, |flow, sealed| {
        context.page(flow, sealed, "", None, StatusCode::OK)
    })
}

/// `POST /auth/v1/oauth/authorize`: the submitted form. A form from another site lacks the cookie, which browsers do
/// not send along, and a record that belongs to it.
pub(super) async fn sign_in(
    context: PageContext,
    visitor: Visitor,
    headers: HeaderMap,
    body: axum::body::Bytes,
) -> Response {
    let form = Form::of_page(&headers, &body);
    let found = form.as_ref().and_then(|form| {
        let sealed = form.find("flow")?;
        let flow = context.key.open(sealed, &context.cookie, context.now())?;
        flow.client.is_some().then_some((form, sealed, flow))
    });
    let Some((form, sealed, flow)) = found else {
        return page::refusal(StatusCode::BAD_REQUEST, page::NOT_BEGUN);
    };
    let email = form.find("email").unwrap_or_default();
    let password = form.find("password").unwrap_or_default();
    let signed_in = async {
        let password = password.to_owned();
        let identity = &context.identity;
        let signed_in = sign_in::check(identity, email, password, Wanted::Any, &visitor).await?;
        let passed = Passed::to(&flow, signed_in.account.id, signed_in.account.epoch);
        step::go_on(&context, &flow, sealed, &passed, Shown::default(), &visitor).await
    };
    match signed_in.await {
        Ok(response) => response,
        Err(AuthError::OrganizationRequired(accounts)) => {
            let choice = Choice::of(&flow, accounts.iter(), None, None);
            choose(&context, &flow, sealed, &choice, &accounts)
        }
        Err(error) => {
            let status = error.status();
            let mistake = match &error {
                AuthError::InvalidCredentials => Mistake::at(
                    "password",
                    "E-mail address or password is wrong. Try again.",
                ),
                error => Mistake {
                    field: None,
                    text: page::told_of(error),
                },
            };
            context.page(&flow, sealed, email, Some(&mistake), status)
        }
    }
}

impl PageContext {
    fn page(
        &self,
        flow: &Flow,
        sealed: &str,
        email: &str,
        mistake: Option<&Mistake>,
        status: StatusCode,
    ) -> Response {
        let client = flow.client.as_ref();
        SignIn {
            action: &format!("{}/auth/v1/oauth/authorize", self.base),
            flow: sealed,
            client: client.and_then(|client| client.name.as_deref()),
            vouched_by: client.and_then(|client| client.host.as_deref()),
            redirect: &flow.redirect,
            cancel: &self.back(flow).cancelled(),
            provider: (self.provider()).and_then(|provider| provider.code_host_page(self, sealed)),
            email,
            mistake,
        }
        .page(status)
    }
}

fn host_of(id: &str) -> Option<String> {
    let url = url::Url::parse(id).ok()?;
    url.host_str().map(str::to_owned)
}
