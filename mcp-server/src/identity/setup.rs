//! The page that creates the first organisation with its owner, on a server that has none. Its link is printed at the
//! server's start. Nothing of it is stored: it is signed, and ends for good when an organisation is created.

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{DefaultBodyLimit, Query};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::get;
use frontdesk_protocol::ErrorCode;
use frontdesk_protocol::value::Currency;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::accounts::{Setup, is_address};
use super::authorization::{FlowKey, PageContext, page};
use super::link::{self, Link, LinkForm, MAX_BODY, Submitted};
use super::visitor::Visitor;
use super::{AuthError, Identity, Visit, sign_in};
use crate::database::{Access, Actor, refusal};
use crate::page::escaped;

/// The path of the page.
const PATH: &str = "/auth/v1/setup";
/// The heading if no organisation was created.
const NOT_CREATED: &str = "Not created";
/// The lifetime of a link.
const LIFETIME: SignedDuration = SignedDuration::from_hours(24);
/// The maximum length of a name in characters.
const LONGEST: usize = 200;
/// Maximum number of characters of a slug.
const SLUG: usize = 60;

pub(super) fn router(identity: Identity) -> Router {
    Router::new()
        .route(PATH, get(show).post(create))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .with_state(identity)
}

impl Identity {
    /// Whether the server has an organisation.
    ///
    /// # Errors
    /// Database errors.
    pub(crate) async fn has_organization(&self) -> Result<bool, AuthError> {
        let mut transaction = self.0.database.transaction(Actor::Identity, Access::Read);
        let rows = transaction
            .query("select auth.has_organization()", &[])
            .await?;
        Ok(rows.first().is_some_and(|row| row.get(0)))
    }

    /// The number of organisations that there were, with removed ones.
    async fn organizations_made(&self) -> Result<i64, AuthError> {
        let mut transaction = self.0.database.transaction(Actor::Identity, Access::Read);
        let rows = transaction
            .query("select auth.organizations_made()", &[])
            .await?;
        Ok(rows.first().map_or(0, |row| row.get(0)))
    }

    /// A link to create the first organisation, and its end. `None` if there is an organisation, or if another identity
    /// provider has the accounts. `own` is the server's address, for a server without a public one.
    ///
    /// # Errors
    /// Database errors.
    pub async fn setup_link(&self, own: &str) -> Result<Option<(String, Timestamp)>, AuthError> {
        let Some(provider) = &self.0.provider else {
            return Ok(None);
        };
        if self.has_organization().await? {
            return Ok(None);
        }
        let until = self.0.clock.now() + LIFETIME;
        let base = (self.0.public_address.base(&HeaderMap::new())).unwrap_or_else(|| own.into());
        let made = self.organizations_made().await?;
        let token = FlowKey::new(&provider.sign_in_key).sign_setup(until, made);
        Ok(token.map(|token| (format!("{base}{PATH}?token={token}"), until)))
    }
}

/// The fields of the form.
#[derive(Default)]
struct Fields<'a> {
    organization: &'a str,
    slug: &'a str,
    time_zone: &'a str,
    currency: &'a str,
    name: &'a str,
    email: &'a str,
    password: &'a str,
}

impl Fields<'_> {
    fn page(
        &self,
        context: &PageContext,
        token: &str,
        wrong: Option<&str>,
        status: StatusCode,
    ) -> Response {
        let text = |label: &str, name: &str, value: &str, more: &str| {
            let longest = match name {
                "slug" => SLUG,
                _ => LONGEST,
            };
            format!(
                "<label>{label} <input name=\"{name}\" value=\"{}\" maxlength=\"{longest}\"{more}></label>\n",
                escaped(value)
            )
        };
        let fields = [
            text(
                "Organisation",
                "organization",
                self.organization,
                " required autofocus",
            ),
            text(
                "Short name for addresses (default: made from the name)",
                "slug",
                self.slug,
                " pattern=\"[a-z0-9]+(-[a-z0-9]+)*\" placeholder=\"riverside-school\" autocapitalize=\"none\"",
            ),
            text(
                "Time zone",
                "time_zone",
                self.time_zone,
                " required autocapitalize=\"none\"",
            ),
            text(
                "Currency",
                "currency",
                self.currency,
                " pattern=\"[A-Z]{3}\" required",
            ),
            text(
                "Your name",
                "name",
                self.name,
                " autocomplete=\"name\" required",
            ),
            text(
                "Your e-mail address, to sign in with",
                "email",
                self.email,
                " type=\"email\" autocomplete=\"username\" required",
            ),
            link::new_password(""),
        ];
        let form = LinkForm {
            title: "Set up",
            heading: "Set up Frontdesk",
            says: "Create your organisation, and your account as its owner. The password has at least 8 characters."
                .to_owned(),
            fields: fields.concat(),
            button: "Create",
            path: PATH,
            token,
        };
        form.page(context, wrong, status)
    }

    /// What is wrong with the fields.
    fn mistake(&self) -> Option<&'static str> {
        let is_name =
            |text: &str| (1..=LONGEST).contains(&text.chars().count()) && !text.contains('\0');
        if !is_name(self.organization) || !is_name(self.name) {
            return Some("The names must have 1 to 200 characters.");
        }
        if TimeZone::get(self.time_zone).is_err() {
            return Some("The time zone must be a name such as Europe/Lisbon.");
        }
        if Currency::new(self.currency).is_err() {
            return Some("The currency must be a code of three capital letters, such as EUR.");
        }
        (!is_address(self.email)).then_some("The e-mail address must look like name@example.org.")
    }
}

/// The page for a link that does not work.
fn refused(status: StatusCode, text: &str) -> Response {
    page::told(status, NOT_CREATED, text)
}

fn used() -> Response {
    let text =
        "This server already has an organisation. Ask one of its owners to invite you, or sign in.";
    refused(StatusCode::GONE, text)
}

/// Checks a link; returns the number of organisations that it was made for.
///
/// # Errors
/// The page to answer with.
async fn check(context: &PageContext, visitor: &Visitor, token: &str) -> Result<i64, Response> {
    let failed = |error: &AuthError| link::failed(error, NOT_CREATED);
    let admitted = visitor.admit(&context.identity, Visit::Invitation);
    admitted.map_err(|error| failed(&error))?;
    let Some((until, made)) = context.key.read_setup(token) else {
        let text = "There is no such link. Open the whole link that the server printed.";
        return Err(refused(StatusCode::NOT_FOUND, text));
    };
    if (context.identity.has_organization().await).map_err(|error| failed(&error))? {
        return Err(used());
    }
    let now_made = context.identity.organizations_made().await;
    if now_made.map_err(|error| failed(&error))? != made {
        let text = "This link has been used. Start the server again: it prints a new one. Or run frontdesk-server setup.";
        return Err(refused(StatusCode::GONE, text));
    }
    if context.now() >= until {
        let text = "This link has expired. Start the server again: it prints a new one. Or run \
                    frontdesk-server setup.";
        return Err(refused(StatusCode::GONE, text));
    }
    Ok(made)
}

/// `GET /auth/v1/setup`: the page with the form, or an explanation.
async fn show(
    context: PageContext,
    visitor: Visitor,
    link: Result<Query<Link>, QueryRejection>,
) -> Response {
    let token = link.map_or(String::new(), |Query(link)| link.token);
    match check(&context, &visitor, &token).await {
        Ok(_) => {
            let fields = Fields {
                time_zone: &Setup::time_zone(),
                currency: Setup::CURRENCY,
                ..Fields::default()
            };
            fields.page(&context, &token, None, StatusCode::OK)
        }
        Err(page) => page,
    }
}

/// `POST /auth/v1/setup`: the submitted form.
async fn create(
    context: PageContext,
    visitor: Visitor,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let Some(form) = Submitted::read(&context, &headers, &body) else {
        return link::without_ticket(NOT_CREATED);
    };
    let token = form.field("token");
    let made = match check(&context, &visitor, token).await {
        Ok(made) => made,
        Err(page) => return page,
    };
    let fields = Fields {
        organization: form.field("organization").trim(),
        slug: form.field("slug").trim(),
        time_zone: form.field("time_zone").trim(),
        currency: form.field("currency").trim(),
        name: form.field("name").trim(),
        email: form.field("email").trim(),
        password: form.field("password"),
    };
    match set_up(&context, &fields, made).await {
        Ok(true) => {
            tracing::info!("the first organisation was created");
            let text = format!(
                "{} has been created, and you are its owner. To sign in, run in a terminal: frontdesk login --url {} --email {}",
                fields.organization, context.base, fields.email
            );
            page::told(StatusCode::OK, "Created", &text)
        }
        Ok(false) => used(),
        Err(error) => {
            let text = match &error {
                AuthError::BadRequest { msg, .. } => (*msg).to_owned(),
                AuthError::Database(of) if refusal(of).code == ErrorCode::InvalidArgument => {
                    let refusal = refusal(of);
                    let field = refusal.field.unwrap_or_default();
                    format!("The {field} {}.", refusal.message)
                }
                error => page::told_of(error),
            };
            let status = match &error {
                AuthError::Database(of) if refusal(of).code == ErrorCode::InvalidArgument => {
                    StatusCode::BAD_REQUEST
                }
                error => error.status(),
            };
            fields.page(&context, token, Some(&text), status)
        }
    }
}

/// Creates the organisation; false if there is one, or if there were more than `made`.
async fn set_up(context: &PageContext, fields: &Fields<'_>, made: i64) -> Result<bool, AuthError> {
    if let Some(msg) = fields.mistake() {
        return Err(AuthError::BadRequest {
            error_code: "validation_failed",
            msg,
        });
    }
    link::check_length(fields.password)?;
    let hash = sign_in::hash(&context.identity, fields.email, fields.password.to_owned()).await?;
    let database = &context.identity.0.database;
    let mut transaction = database.transaction(Actor::Identity, Access::Write);
    let created = transaction
        .query(
            "select auth.set_up($1, $2, $3, $4, $5, $6, $7, $8)",
            &[
                &fields.organization,
                &fields.slug,
                &fields.name,
                &fields.email,
                &hash,
                &made,
                &fields.time_zone,
                &fields.currency,
            ],
        )
        .await?;
    let slug: Option<String> = created.first().and_then(|row| row.get(0));
    transaction.commit().await?;
    Ok(slug.is_some())
}
