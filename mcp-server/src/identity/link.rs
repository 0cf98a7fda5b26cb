//! What the pages behind single-use links share: the secret of the link, the form, and its submission.

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;

use super::authorization::{Form, PageContext, page};
use super::refresh_token::RefreshToken;
use super::{AuthError, Identity};
use crate::page::escaped;

/// The minimum length of a new password in characters.
pub(super) const SHORTEST: usize = 8;
/// The maximum size of a body in bytes.
pub(super) const MAX_BODY: usize = 8 * 1024;

/// The secret of a link: 32 random bytes. The database only has the hash.
pub(crate) struct LinkToken(RefreshToken);

impl LinkToken {
    /// A new token.
    pub(crate) fn random() -> Self {
        LinkToken(RefreshToken::random())
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        RefreshToken::parse(text).map(LinkToken)
    }

    /// The hash stored in the database.
    pub(crate) fn hash(&self) -> Vec<u8> {
        self.0.hash()
    }

    /// The link to a page, such as `invitation`, of the identity provider at this address.
    pub(crate) fn link(&self, provider: &str, page: &str) -> String {
        format!("{provider}/{page}?token={}", self.0.reveal())
    }
}

impl Identity {
    /// The address below which the pages are, if this server creates accounts.
    pub(crate) fn accounts_at(&self, headers: &HeaderMap) -> Option<String> {
        self.0.provider.as_ref()?;
        let base = self.0.public_address.base(headers)?;
        Some(format!("{base}/auth/v1"))
    }
}

/// The query of a link.
#[derive(serde::Deserialize)]
pub(super) struct Link {
    pub(super) token: String,
}

/// A page with a form, behind a link.
pub(super) struct LinkForm<'a> {
    pub(super) title: &'a str,
    /// Plain text.
    pub(super) heading: &'a str,
    /// HTML.
    pub(super) says: String,
    /// The fields as HTML.
    pub(super) fields: String,
    pub(super) button: &'a str,
    /// The path that the form is sent to.
    pub(super) path: &'a str,
    pub(super) token: &'a str,
}

impl LinkForm<'_> {
    /// The page. `wrong` is the error of the last attempt.
    pub(super) fn page(
        &self,
        context: &PageContext,
        wrong: Option<&str>,
        status: StatusCode,
    ) -> Response {
        let cookie = context.browser();
        let wrong = wrong.map_or(String::new(), |wrong| {
            format!("<p role=\"alert\">{}</p>\n", escaped(wrong))
        });
        let body = format!(
            "<h1>{heading}</h1>\n<p>{says}</p>\n\
             {wrong}<form method=\"post\" action=\"{base}{path}\">\n\
             <input type=\"hidden\" name=\"token\" value=\"{token}\">\n\
             <input type=\"hidden\" name=\"ticket\" value=\"{ticket}\">\n\
             {fields}<p><button>{button}</button></p>\n</form>\n",
            heading = escaped(self.heading),
            says = self.says,
            base = escaped(&context.base),
            path = self.path,
            token = escaped(self.token),
            ticket = context.key.ticket(&cookie, self.token),
            fields = self.fields,
            button = self.button,
        );
        context.remember(&cookie, page::form(status, self.title, &body, None))
    }
}

/// The field of the address, which the link determines.
pub(super) fn fixed_email(email: &str) -> String {
    format!(
        "<label>E-mail <input type=\"email\" value=\"{}\" autocomplete=\"username\" readonly></label>\n",
        escaped(email)
    )
}

/// The field of a new password.
pub(super) fn new_password(attributes: &str) -> String {
    format!(
        "<label>Password <input type=\"password\" name=\"password\" minlength=\"{SHORTEST}\" \
         autocomplete=\"new-password\" required{attributes}></label>\n"
    )
}

/// Refuses a password that is too short.
pub(super) fn check_length(password: &str) -> Result<(), AuthError> {
    let msg = match password.chars().count() < SHORTEST {
        true => "The password must have at least 8 characters.",
        false if password.contains(char::is_control) => {
            "The password must have no line breaks and no control characters."
        }
        false => return Ok(()),
    };
    Err(AuthError::BadRequest {
        error_code: "weak_password",
        msg,
    })
}

/// A submitted form.
pub(super) struct Submitted(Form);

impl Submitted {
    /// Reads the form. `None` if it has no ticket for this browser's cookie, as one from another site.
    pub(super) fn read(context: &PageContext, headers: &HeaderMap, body: &[u8]) -> Option<Self> {
        Form::read(body).ok().map(Submitted).filter(|form| {
            !page::is_from_elsewhere(headers)
                && (context.key).is_ticket(
                    form.field("ticket"),
                    &context.cookie,
                    form.field("token"),
                )
        })
    }

    /// The value of a field; empty if it is missing.
    pub(super) fn field(&self, name: &str) -> &str {
        self.0.find(name).unwrap_or_default()
    }
}

/// The page for a form without a ticket.
pub(super) fn without_ticket(heading: &str) -> Response {
    let text = "This form was not opened in this browser, or too long ago. Open the link again.";
    page::told(StatusCode::BAD_REQUEST, heading, text)
}

/// The page for an error that the person did not cause.
pub(super) fn failed(error: &AuthError, heading: &str) -> Response {
    let mut page = page::told(error.status(), heading, &page::told_of(error));
    if let Some(seconds) = error.retry_after() {
        page.headers_mut()
            .insert(header::RETRY_AFTER, seconds.into());
    }
    page
}
