//! The end of a sign-in in a browser: a code for the client. If the account has a second factor, or needs one, a page asks
//! for its code before.

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use frontdesk_protocol::id::UserId;
use qrcode::{Color, EcLevel, QrCode};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::code::{self, Binding};
use super::context::PageContext;
use super::flow::Flow;
use super::oauth::Form;
use super::page;
use crate::database::{Access, Actor};
#[cfg(feature = "code-host")]
use crate::identity::code_host;
use crate::identity::factor::{self, Enrolment, Shown};
use crate::identity::visitor::Visitor;
use crate::identity::{AuthError, Identity};
use crate::page::{Fields, Mistake, escaped};

/// The path of the submitted form.
pub(super) const PATH: &str = "/auth/v1/oauth/factor";

/// A person who has shown a password, or comes from the code host. The page carries this record, signed.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::identity) struct Passed {
    /// The sign-in's nonce.
    of: String,
    account: UserId,
    epoch: i32,
    /// The provider, and the address there to link with the account.
    link: Option<(String, String)>,
    /// The login at the provider; `None` if the person does not come from there.
    login: Option<Option<String>>,
}

impl Passed {
    pub(in crate::identity) fn to(flow: &Flow, account: UserId, epoch: i32) -> Self {
        Passed {
            of: flow.nonce.clone(),
            account,
            epoch,
            link: None,
            login: None,
        }
    }

    /// The same, through the provider.
    #[cfg(feature = "code-host")]
    pub(in crate::identity) fn through(self, login: Option<String>) -> Self {
        Passed {
            login: Some(login),
            ..self
        }
    }

    /// The same, to link this provider and address.
    pub(super) fn linking(self, link: Option<(String, String)>) -> Self {
        Passed { link, ..self }
    }
}

/// Redirects the browser with a code for the client, or asks for the second factor.
///
/// # Errors
/// As [`factor::clear`], except for what the page asks.
pub(in crate::identity) async fn go_on(
    context: &PageContext,
    flow: &Flow,
    sealed: &str,
    passed: &Passed,
    shown: Shown<'_>,
    visitor: &Visitor,
) -> Result<Response, AuthError> {
    let identity = &context.identity;
    let cleared = factor::clear(identity, passed.account, passed.epoch, shown, visitor).await;
    let wrong = || {
        Mistake::at(
            "code",
            "The code is wrong, or was used before. Enter the next one.",
        )
    };
    let ask = |enrolment: Option<&Enrolment>, mistake| {
        Ok(ask(context, flow, sealed, passed, enrolment, mistake))
    };
    let cleared = match cleared {
        Ok(cleared) => cleared,
        Err(AuthError::CodeRequired) => return ask(None, None),
        Err(AuthError::EnrolmentRequired(enrolment)) => return ask(Some(&enrolment), None),
        Err(AuthError::WrongCode(enrolment)) => return ask(enrolment.as_deref(), Some(wrong())),
        Err(error @ AuthError::TooManyAttempts { .. }) if shown.code.is_some() => {
            let text = page::told_of(&error);
            return ask(None, Some(Mistake { field: None, text }));
        }
        Err(error) => return Err(error),
    };
    let code = code::issue(identity, &cleared, Binding::to(flow)).await?;
    if let Some(((provider, address), (_, session))) = passed.link.as_ref().zip(flow.link) {
        link(identity, session, provider, address).await?;
    }
    #[cfg(feature = "code-host")]
    if let Some(login) = &passed.login {
        code_host::signed_in_through(identity, passed.account, login.as_deref()).await?;
    }
    let back = context.back(flow);
    let mut response = match cleared.recovery {
        None => page::redirect(&back.to_code(&code)),
        Some(codes) => recovery(&codes, &back.to_code(&code)),
    };
    // From now on, the account recognises the device of who gave its password.
    let cookie = match passed.login {
        None => visitor.cookie(identity, identity.provider()?, passed.account),
        Some(_) => None,
    };
    if let Some(cookie) = cookie {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// The page that asks for a code; of the authenticator that gets this key, if the factor is being turned on.
fn ask(
    context: &PageContext,
    flow: &Flow,
    sealed: &str,
    passed: &Passed,
    enrolment: Option<&Enrolment>,
    mistake: Option<Mistake>,
) -> Response {
    let Some(signed) = context.key.sign_passed(passed) else {
        return page::refusal(StatusCode::INTERNAL_SERVER_ERROR, "The server failed.");
    };
    let (says, more) = match enrolment {
        None => (
            "Enter the code that your authenticator shows. If you have lost it, enter a recovery code.".to_owned(),
            String::new(),
        ),
        Some(enrolment) => (
            format!(
                "Your organisation requires a second factor. Add this key to an authenticator app: scan it, \
                 <a href=\"{}\">open it on this device</a>, or type it in.</p>\n{}\n<p><b>{}</b></p>\n\
                 <p>Then enter the code that the app shows.",
                escaped(&enrolment.uri),
                picture(&enrolment.uri),
                escaped(&enrolment.secret),
            ),
            format!(
                "<input type=\"hidden\" name=\"enrolment\" value=\"{}\">\n",
                escaped(&enrolment.enrolment)
            ),
        ),
    };
    let fields = Fields::new("code", mistake.as_ref()).input(
        "Code",
        "code",
        "",
        " autocomplete=\"one-time-code\" maxlength=\"40\" required",
    );
    let title = "Second factor";
    let body = format!(
        "<h1>{title}</h1>\n<p>{says}</p>\n<form method=\"post\" action=\"{}{PATH}\">\n\
         <input type=\"hidden\" name=\"flow\" value=\"{}\">\n\
         <input type=\"hidden\" name=\"passed\" value=\"{}\">\n{more}{}\
         <p><button>Sign in</button><a href=\"{}\">Cancel</a></p>\n</form>\n",
        escaped(&context.base),
        escaped(sealed),
        escaped(&signed),
        fields.html(),
        escaped(context.back(flow).cancelled().as_str()),
    );
    let status = match mistake {
        None => StatusCode::OK,
        Some(_) => StatusCode::BAD_REQUEST,
    };
    page::form(status, title, &body, Some(&flow.redirect))
}

/// The QR code of an address, as SVG.
fn picture(address: &str) -> String {
    let Ok(code) = QrCode::with_error_correction_level(address, EcLevel::L) else {
        return String::new();
    };
    let width = code.width();
    let colors = code.to_colors();
    let dark = colors
        .iter()
        .enumerate()
        .filter(|(_, color)| **color == Color::Dark);
    let dark: String = dark
        .map(|(at, _)| format!("M{},{}h1v1h-1z", at % width + 4, at / width + 4))
        .collect();
    let side = width + 8;
    format!(
        "<svg viewBox=\"0 0 {side} {side}\" width=\"240\" role=\"img\" aria-label=\"The key as a QR code\">\
         <path fill=\"#fff\" d=\"M0,0h{side}v{side}h-{side}z\"/><path fill=\"#000\" d=\"{dark}\"/></svg>"
    )
}

/// The page with the recovery codes, which are shown only once.
fn recovery(codes: &[String], back: &url::Url) -> Response {
    let title = "Recovery codes";
    let body = format!(
        "<h1>{title}</h1>\n<p>The second factor is on. Keep these codes where you find them without your authenticator: \
         each one works once in place of its code. They are not shown again.</p>\n<pre>{}</pre>\n\
         <p>Then go on, within five minutes: <a href=\"{}\">Continue</a></p>\n",
        codes.join("\n"),
        escaped(back.as_str()),
    );
    page::form(StatusCode::OK, title, &body, None)
}

/// `POST /auth/v1/oauth/factor`: the submitted form.
pub(super) async fn entered(
    context: PageContext,
    visitor: Visitor,
    headers: HeaderMap,
    body: axum::body::Bytes,
) -> Response {
    let form = Form::of_page(&headers, &body);
    let found = form.as_ref().and_then(|form| {
        let sealed = form.find("flow")?;
        let flow = context.key.open(sealed, &context.cookie, context.now())?;
        let passed: Passed = context.key.read_passed(form.find("passed")?)?;
        (passed.of == flow.nonce).then_some((form, sealed, flow, passed))
    });
    let Some((form, sealed, flow, passed)) = found else {
        return page::refusal(StatusCode::BAD_REQUEST, page::NOT_BEGUN);
    };
    let shown = Shown {
        code: form.find("code"),
        enrolment: form.find("enrolment"),
    };
    match go_on(&context, &flow, sealed, &passed, shown, &visitor).await {
        Ok(response) => response,
        Err(error) => page::refusal(error.status(), &page::told_of(&error)),
    }
}

/// Links the account of a sign-in with the address at the provider; replaces an earlier link.
///
/// # Errors
/// [`AuthError::InvalidCredentials`] if the sign-in has ended.
async fn link(
    identity: &Identity,
    session: Uuid,
    provider: &str,
    address: &str,
) -> Result<(), AuthError> {
    let now = identity.0.clock.now();
    let database = &identity.0.database;
    let mut transaction = database.transaction(Actor::Identity, Access::Write);
    let linked = transaction
        .query(
            "insert into auth.provider_links (user_id, provider, address, created_at)
             select s.user_id, $2, $3, $4 from auth.sessions s
             where s.id = $1 and s.revoked_at is null for share
             on conflict (user_id, provider) do update
             set address = excluded.address, created_at = excluded.created_at
             returning user_id",
            &[&session, &provider, &address, &now],
        )
        .await?;
    let Some(linked) = linked.first() else {
        transaction.rollback().await?;
        return Err(AuthError::InvalidCredentials);
    };
    let account = UserId(linked.get(0));
    transaction.commit().await?;
    tracing::info!(user = %account, provider, "an account was linked with the provider");
    Ok(())
}
