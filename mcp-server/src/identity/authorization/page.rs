//! The pages of a sign-in. They need no script, and load nothing from other addresses.

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use url::{Host, Url};

use crate::identity::AuthError;
use crate::page::{Fields, Mistake, PLAIN, escaped, plain};

/// The refusal of a form without a record of this browser's.
pub(super) const NOT_BEGUN: &str = "This sign-in did not begin in this browser, or took longer than ten minutes. Start again from the program.";

/// The sign-in page.
pub(super) struct SignIn<'a> {
    /// The path of the submitted form.
    pub(super) action: &'a str,
    /// The signed record of the sign-in.
    pub(super) flow: &'a str,
    /// The name that the client claims.
    pub(super) client: Option<&'a str>,
    /// The host that vouches for that name, if the client's id is an address.
    pub(super) vouched_by: Option<&'a str>,
    /// The address that receives the code.
    pub(super) redirect: &'a Url,
    /// The address for leaving without signing in.
    pub(super) cancel: &'a Url,
    /// The alternative: a provider's name and page.
    pub(super) provider: Option<(&'a str, Url)>,
    /// The e-mail address from the last attempt.
    pub(super) email: &'a str,
    /// The error of the last attempt.
    pub(super) mistake: Option<&'a Mistake>,
}

impl SignIn<'_> {
    /// The page, with this status.
    pub(super) fn page(&self, status: StatusCode) -> Response {
        let name = escaped(self.client.unwrap_or("A program without a name"));
        let vouched = self.vouched_by.map(escaped);
        let vouched = vouched.map_or(String::new(), |host| format!(" of <b>{host}</b>"));
        let goes_to = match self.redirect.scheme() {
            "http" => "The program runs on this computer.".to_owned(),
            _ => format!(
                "You will be sent to <b>{}</b>. Sign in only if you came from there: the program chose its own name.",
                escaped(&self.redirect.origin().ascii_serialization())
            ),
        };
        let provider = self.provider.as_ref().map(|(name, page)| {
            format!(
                "<a href=\"{}\">Sign in with {}</a>",
                escaped(page.as_str()),
                escaped(name)
            )
        });
        let first = match self.email {
            "" => "email",
            _ => "password",
        };
        let fields = Fields::new(first, self.mistake)
            .input(
                "E-mail",
                "email",
                self.email,
                " type=\"email\" autocomplete=\"username\" required",
            )
            .input(
                "Password",
                "password",
                "",
                " type=\"password\" autocomplete=\"current-password\" required",
            )
            .html();
        let body = format!(
            "<h1>Sign in to Frontdesk</h1>\n\
             <p><b>{name}</b>{vouched} asks to use Frontdesk as you: to see and change, at every host, whatever your account can. {goes_to}</p>\n\
             <form method=\"post\" action=\"{}\">\n\
             <input type=\"hidden\" name=\"flow\" value=\"{}\">\n\
             {fields}<p><button>Sign in</button>{}<a href=\"{}\">Cancel</a></p>\n</form>\n",
            escaped(self.action),
            escaped(self.flow),
            provider.unwrap_or_default(),
            escaped(self.cancel.as_str()),
        );
        // Browsers apply the policy to the redirect after a form, too.
        let headers = headers(&form_target(self.redirect), "same-origin");
        (status, headers, Html(document("Sign in", &body))).into_response()
    }
}

/// A page that explains why the sign-in failed, and what to do.
pub(in crate::identity) fn refusal(status: StatusCode, text: &str) -> Response {
    told(status, "Not signed in", text)
}

/// A page with a heading and a message.
pub(in crate::identity) fn told(status: StatusCode, heading: &str, text: &str) -> Response {
    let body = format!("<h1>{heading}</h1>\n<p>{}</p>\n", escaped(text));
    (status, strict_headers(), Html(document(heading, &body))).into_response()
}

/// A page with a form for this server. The answer to the form may redirect to `redirect`.
pub(in crate::identity) fn form(
    status: StatusCode,
    title: &str,
    body: &str,
    redirect: Option<&Url>,
) -> Response {
    let target = redirect.map_or("'self'".to_owned(), form_target);
    let headers = headers(&target, "same-origin");
    (status, headers, Html(document(title, body))).into_response()
}

/// A page that explains why the sign-in failed, with a link back to a program elsewhere: the browser is not redirected
/// there without its user's consent.
pub(in crate::identity) fn stop(text: &str, back: &Url) -> Response {
    let body = format!(
        "<h1>Not signed in</h1>\n<p>The program that sent you was refused: {}.</p>\n\
         <p><a href=\"{}\">Back to {}</a></p>\n",
        escaped(text),
        escaped(back.as_str()),
        escaped(&back.origin().ascii_serialization()),
    );
    let page = Html(document("Not signed in", &body));
    (StatusCode::BAD_REQUEST, strict_headers(), page).into_response()
}

/// The message for an error that the person did not cause.
pub(in crate::identity) fn told_of(error: &AuthError) -> String {
    match error {
        AuthError::TooManyAttempts { .. } | AuthError::Busy => format!("{error}."),
        error => {
            tracing::error!(%error, "identity: a page failed");
            "The server failed. Try again.".to_owned()
        }
    }
}

/// Whether the browser reports that another site sent the form.
pub(super) fn is_from_elsewhere(headers: &HeaderMap) -> bool {
    let site = headers.get("sec-fetch-site");
    site.is_some_and(|site| site != "same-origin")
}

fn document(title: &str, body: &str) -> String {
    plain(&format!("{title} – Frontdesk"), body)
}

/// Redirects the browser to this address.
pub(in crate::identity) fn redirect(address: &Url) -> Response {
    let location = HeaderValue::from_str(address.as_str());
    match location {
        Ok(location) => {
            let location = [(header::LOCATION, location)];
            (StatusCode::SEE_OTHER, strict_headers(), location).into_response()
        }
        // A parsed address is always ASCII.
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// The addresses that a form can be sent to, including redirects of its answer. A policy cannot name an IPv6 address.
fn form_target(redirect: &Url) -> String {
    match redirect.host() {
        Some(Host::Ipv6(_)) | None => format!("'self' {}:", redirect.scheme()),
        Some(_) => format!("'self' {}", redirect.origin().ascii_serialization()),
    }
}

fn strict_headers() -> HeaderMap {
    headers("'none'", "no-referrer")
}

/// Headers against caching, framing, scripts and forms for other addresses. With the referrer policy `no-referrer`, a
/// browser would send a form with `Origin: null`, so the page with the form uses another policy.
fn headers(form_target: &str, referrer: &'static str) -> HeaderMap {
    let policy = PLAIN.policy(&format!("form-action {form_target}"));
    let mut headers: HeaderMap = [
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, referrer),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("x-robots-tag"), "noindex"),
    ]
    .into_iter()
    .map(|(name, value)| (name, HeaderValue::from_static(value)))
    .collect();
    if let Ok(policy) = policy.try_into() {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    headers
}
