//! The page on which an authenticated person chooses one of their accounts, or confirms linking an account with their
//! address at the code-hosting provider.

use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use frontdesk_protocol::id::UserId;
use serde::{Deserialize, Serialize};

use super::context::PageContext;
use super::flow::Flow;
use super::oauth::Form;
use super::page;
use super::step::{self, Passed};
use crate::identity::factor::Shown;
use crate::identity::sign_in::Found;
use crate::identity::visitor::Visitor;
use crate::page::escaped;

/// The path of the submitted form.
pub(super) const PATH: &str = "/auth/v1/oauth/account";

/// The options of a person in a sign-in. The page carries this record, signed.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::identity) struct Choice {
    /// The sign-in's nonce.
    of: String,
    /// The accounts, each with its epoch.
    accounts: Vec<(UserId, i32)>,
    /// The provider, and the address there to link with the account.
    link: Option<(String, String)>,
    /// The login at the provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    login: Option<String>,
}

impl Choice {
    pub(in crate::identity) fn of<'a>(
        flow: &Flow,
        accounts: impl Iterator<Item = &'a Found>,
        link: Option<(&str, &str)>,
        login: Option<&str>,
    ) -> Self {
        Choice {
            of: flow.nonce.clone(),
            accounts: accounts
                .map(|found| (found.account.id, found.account.epoch))
                .collect(),
            link: link.map(|(provider, address)| (provider.to_owned(), address.to_owned())),
            login: login.map(str::to_owned),
        }
    }
}

/// The page that offers these accounts.
pub(in crate::identity) fn choose(
    context: &PageContext,
    flow: &Flow,
    sealed: &str,
    choice: &Choice,
    accounts: &[Found],
) -> Response {
    let Some(signed) = context.key.sign_choice(choice) else {
        return page::refusal(StatusCode::INTERNAL_SERVER_ERROR, "The server failed.");
    };
    let (title, says) = match &choice.link {
        None => (
            "Choose an organisation",
            "You have an account at each of these organisations.".to_owned(),
        ),
        Some((provider, address)) => (
            "Link an account",
            format!(
                "From now on, signing in with {provider} as {address} opens this account. Go on only if both are \
                 yours."
            ),
        ),
    };
    let mut buttons = String::new();
    for found in accounts {
        let name = match &choice.link {
            None => found.name().to_owned(),
            Some(_) => format!("Link {} at {}", found.account.email, found.name()),
        };
        let (id, name) = (found.account.id, escaped(&name));
        buttons.push_str(&format!(
            "<p><button name=\"account\" value=\"{id}\">{name}</button></p>\n"
        ));
    }
    let body = format!(
        "<h1>{title}</h1>\n<p>{}</p>\n<form method=\"post\" action=\"{}{PATH}\">\n\
         <input type=\"hidden\" name=\"flow\" value=\"{}\">\n\
         <input type=\"hidden\" name=\"choice\" value=\"{}\">\n{buttons}</form>\n\
         <p><a href=\"{}\">Cancel</a></p>\n",
        escaped(&says),
        escaped(&context.base),
        escaped(sealed),
        escaped(&signed),
        escaped(context.back(flow).cancelled().as_str()),
    );
    page::form(StatusCode::OK, title, &body, Some(&flow.redirect))
}

/// `POST /auth/v1/oauth/account`: the submitted form.
pub(super) async fn chosen(
    context: PageContext,
    visitor: Visitor,
    headers: HeaderMap,
    body: axum::body::Bytes,
) -> Response {
    let form = Form::of_page(&headers, &body);
    let found = form.as_ref().and_then(|form| {
        let sealed = form.find("flow")?;
        let flow = context.key.open(sealed, &context.cookie, context.now())?;
        let choice: Choice = context.key.read_choice(form.find("choice")?)?;
        let account: UserId = form.find("account")?.parse().ok()?;
        let offered = choice.accounts.iter().find(|offered| offered.0 == account);
        let epoch = offered.filter(|_| choice.of == flow.nonce)?.1;
        Some((sealed, flow, choice, account, epoch))
    });
    let Some((sealed, flow, choice, account, epoch)) = found else {
        return page::refusal(StatusCode::BAD_REQUEST, page::NOT_BEGUN);
    };
    let passed = Passed::to(&flow, account, epoch).linking(choice.link);
    #[cfg(feature = "code-host")]
    let passed = match choice.login {
        Some(login) => passed.through(Some(login)),
        None => passed,
    };
    match step::go_on(&context, &flow, sealed, &passed, Shown::default(), &visitor).await {
        Ok(response) => response,
        Err(error) => page::refusal(error.status(), &page::told_of(&error)),
    }
}
