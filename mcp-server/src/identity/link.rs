//! The pages behind single-use links: the secret of the link, the form, and its submission. A page needs no script.

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{DefaultBodyLimit, Query};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use axum::routing::get;

use super::authorization::{Form, PageContext, page};
use super::password::{SHORTEST, weakness};
use super::refresh_token::RefreshToken;
use super::visitor::Visitor;
use super::{AuthError, Identity, Visit};
use crate::page::{Fields, Mistake, escaped};

/// The maximum size of a body in bytes.
const MAX_BODY: usize = 8 * 1024;

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

/// Why a link or its form is refused: the status and the text of the page.
pub(super) type Refusal = (StatusCode, &'static str);

/// What an open link is for.
pub(super) trait LinkPage: Sized + Send + Sync + 'static {
    /// The path of the page.
    const PATH: &'static str;
    /// The heading of a refusal.
    const REFUSED: &'static str;

    /// Looks the link up.
    fn open(
        context: &PageContext,
        token: &str,
    ) -> impl Future<Output = Result<Result<Self, Refusal>, AuthError>> + Send;

    /// The form, with the values that were submitted and what was wrong with them.
    fn form(&self, submitted: Option<&Submitted>, mistake: Option<&Mistake>) -> LinkForm;

    /// Does what the form is for, and returns the page that says so.
    fn submit(
        &self,
        context: &PageContext,
        visitor: &Visitor,
        form: &Submitted,
    ) -> impl Future<Output = Result<Result<Response, Refusal>, Refused>> + Send;
}

/// Why a submitted form comes back.
pub(super) struct Refused {
    status: StatusCode,
    mistake: Mistake,
}

impl From<Mistake> for Refused {
    fn from(mistake: Mistake) -> Self {
        Refused {
            status: StatusCode::BAD_REQUEST,
            mistake,
        }
    }
}

impl<E: Into<AuthError>> From<E> for Refused {
    fn from(error: E) -> Self {
        let error = error.into();
        let mistake = match &error {
            AuthError::InvalidCredentials => {
                Mistake::at("password", "The password is wrong. Try again.")
            }
            error => Mistake {
                field: None,
                text: page::told_of(error),
            },
        };
        Refused {
            status: error.status(),
            mistake,
        }
    }
}

/// The page of this kind of link.
pub(super) fn router<P: LinkPage>(identity: Identity) -> Router {
    Router::new()
        .route(P::PATH, get(show::<P>).post(submit::<P>))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .with_state(identity)
}

/// The query of a link.
#[derive(serde::Deserialize)]
struct Link {
    token: String,
}

/// `GET`: the page with the form, or an explanation.
async fn show<P: LinkPage>(
    context: PageContext,
    visitor: Visitor,
    link: Result<Query<Link>, QueryRejection>,
) -> Response {
    let token = link.map_or(String::new(), |Query(link)| link.token);
    match open::<P>(&context, &visitor, &token).await {
        Ok(page) => (page.form(None, None)).page::<P>(&context, &token, StatusCode::OK),
        Err(refusal) => refusal,
    }
}

/// `POST`: the submitted form. A form from another site has no ticket for this browser's cookie.
async fn submit<P: LinkPage>(
    context: PageContext,
    visitor: Visitor,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let Some(form) = Submitted::read(&context, &headers, &body) else {
        let text =
            "This form was not opened in this browser, or too long ago. Open the link again.";
        return refused::<P>((StatusCode::BAD_REQUEST, text));
    };
    let token = form.field("token");
    let page = match open::<P>(&context, &visitor, token).await {
        Ok(page) => page,
        Err(refusal) => return refusal,
    };
    match page.submit(&context, &visitor, &form).await {
        Ok(Ok(done)) => done,
        Ok(Err(refusal)) => refused::<P>(refusal),
        Err(Refused { status, mistake }) => {
            let form = page.form(Some(&form), Some(&mistake));
            form.page::<P>(&context, token, status)
        }
    }
}

/// What the link is for, or the page to answer with.
async fn open<P: LinkPage>(
    context: &PageContext,
    visitor: &Visitor,
    token: &str,
) -> Result<P, Response> {
    let opened = async {
        visitor.admit(&context.identity, Visit::Invitation)?;
        P::open(context, token).await
    };
    match opened.await {
        Ok(opened) => opened.map_err(refused::<P>),
        Err(error) => Err(failed(&error, P::REFUSED)),
    }
}

fn refused<P: LinkPage>((status, text): Refusal) -> Response {
    page::told(status, P::REFUSED, text)
}

/// The form of a page.
pub(super) struct LinkForm {
    pub(super) title: &'static str,
    /// Plain text.
    pub(super) heading: String,
    /// HTML.
    pub(super) says: String,
    /// The fields as HTML.
    pub(super) fields: String,
    pub(super) button: &'static str,
}

impl LinkForm {
    fn page<P: LinkPage>(
        &self,
        context: &PageContext,
        token: &str,
        status: StatusCode,
    ) -> Response {
        let cookie = context.browser();
        let body = format!(
            "<h1>{heading}</h1>\n<p>{says}</p>\n\
             <form method=\"post\" action=\"{base}{path}\">\n\
             <input type=\"hidden\" name=\"token\" value=\"{value}\">\n\
             <input type=\"hidden\" name=\"ticket\" value=\"{ticket}\">\n\
             {fields}<p><button>{button}</button></p>\n</form>\n",
            heading = escaped(&self.heading),
            says = self.says,
            base = escaped(&context.base),
            path = P::PATH,
            value = escaped(token),
            ticket = context.key.ticket(&cookie, token),
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

/// Adds the field of a new password.
pub(super) fn new_password(fields: Fields<'_>) -> Fields<'_> {
    let more = format!(
        " type=\"password\" minlength=\"{SHORTEST}\" autocomplete=\"new-password\" required"
    );
    fields.input("Password", "password", "", &more)
}

/// Refuses a password that is too weak for the account of this e-mail address.
pub(super) fn check_password(password: &str, email: &str) -> Result<(), Mistake> {
    weakness(password, email).map_or(Ok(()), |text| Err(Mistake::at("password", text)))
}

/// A submitted form.
pub(super) struct Submitted(Form);

impl Submitted {
    /// Reads the form. `None` if it has no ticket for this browser's cookie, as one from another site.
    fn read(context: &PageContext, headers: &HeaderMap, body: &[u8]) -> Option<Self> {
        let form = Form::of_page(headers, body).map(Submitted);
        form.filter(|form| {
            (context.key).is_ticket(form.field("ticket"), &context.cookie, form.field("token"))
        })
    }

    /// The value of a field; empty if it is missing.
    pub(super) fn field(&self, name: &str) -> &str {
        self.0.find(name).unwrap_or_default()
    }
}

/// The page for an error that the person did not cause.
fn failed(error: &AuthError, heading: &str) -> Response {
    let mut page = page::told(error.status(), heading, &page::told_of(error));
    if let Some(seconds) = error.retry_after() {
        page.headers_mut()
            .insert(header::RETRY_AFTER, seconds.into());
    }
    page
}
