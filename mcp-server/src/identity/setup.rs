//! The page that creates the first organisation with its owner, on a server that has none. Its link is printed at the
//! server's start. Nothing of it is stored: it is signed, and ends for good when an organisation is created.

use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use frontdesk_protocol::ErrorCode;
use frontdesk_protocol::value::Currency;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::accounts::{Setup, is_address};
use super::authorization::{FlowKey, PageContext, page};
use super::link::{self, LinkForm, LinkPage, Refusal, Submitted};
use super::visitor::Visitor;
use super::{AuthError, Identity, sign_in};
use crate::database::{Access, Actor, refusal};
use crate::page::escaped;

/// The lifetime of a link.
const LIFETIME: SignedDuration = SignedDuration::from_hours(24);
/// The maximum length of a name in characters.
const LONGEST: usize = 200;
/// Maximum number of characters of a slug.
const SLUG: usize = 60;

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
        let path = FirstOrganization::PATH;
        Ok(token.map(|token| (format!("{base}{path}?token={token}"), until)))
    }
}

/// The fields of the form.
struct Fields<'a> {
    organization: &'a str,
    slug: &'a str,
    time_zone: &'a str,
    currency: &'a str,
    name: &'a str,
    email: &'a str,
    password: &'a str,
}

impl<'a> Fields<'a> {
    fn of(form: &'a Submitted) -> Fields<'a> {
        let field = |name| form.field(name).trim();
        Fields {
            organization: field("organization"),
            slug: field("slug"),
            time_zone: field("time_zone"),
            currency: field("currency"),
            name: field("name"),
            email: field("email"),
            password: form.field("password"),
        }
    }

    fn html(&self) -> String {
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
        fields.concat()
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

const USED: Refusal = (
    StatusCode::GONE,
    "This server already has an organisation. Ask one of its owners to invite you, or sign in.",
);

/// The first organisation of a server, which an open link creates.
pub(super) struct FirstOrganization {
    /// The number of organisations that the link was made for.
    made: i64,
}

impl LinkPage for FirstOrganization {
    const PATH: &'static str = "/auth/v1/setup";
    const REFUSED: &'static str = "Not created";

    async fn open(context: &PageContext, token: &str) -> Result<Result<Self, Refusal>, AuthError> {
        let Some((until, made)) = context.key.read_setup(token) else {
            let text = "There is no such link. Open the whole link that the server printed.";
            return Ok(Err((StatusCode::NOT_FOUND, text)));
        };
        if context.identity.has_organization().await? {
            return Ok(Err(USED));
        }
        if context.identity.organizations_made().await? != made {
            let text = "This link has been used. Start the server again: it prints a new one. Or run \
                        frontdesk-server setup.";
            return Ok(Err((StatusCode::GONE, text)));
        }
        if context.now() >= until {
            let text = "This link has expired. Start the server again: it prints a new one. Or run \
                        frontdesk-server setup.";
            return Ok(Err((StatusCode::GONE, text)));
        }
        Ok(Ok(FirstOrganization { made }))
    }

    fn form(&self, submitted: Option<&Submitted>) -> LinkForm {
        let time_zone = Setup::time_zone();
        let empty = Fields {
            organization: "",
            slug: "",
            time_zone: &time_zone,
            currency: Setup::CURRENCY,
            name: "",
            email: "",
            password: "",
        };
        LinkForm {
            title: "Set up",
            heading: "Set up Frontdesk".to_owned(),
            says: "Create your organisation, and your account as its owner. The password has at least 8 characters."
                .to_owned(),
            fields: submitted.map_or(empty, Fields::of).html(),
            button: "Create",
        }
    }

    async fn submit(
        &self,
        context: &PageContext,
        _: &Visitor,
        form: &Submitted,
    ) -> Result<Result<Response, Refusal>, AuthError> {
        let fields = Fields::of(form);
        if let Some(msg) = fields.mistake() {
            return Err(AuthError::BadRequest {
                error_code: "validation_failed",
                msg,
            });
        }
        link::check_password(fields.password, fields.email)?;
        let password = fields.password.to_owned();
        let hash = sign_in::hash(&context.identity, fields.email, password).await?;
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
                    &self.made,
                    &fields.time_zone,
                    &fields.currency,
                ],
            )
            .await?;
        let slug: Option<String> = created.first().and_then(|row| row.get(0));
        transaction.commit().await?;
        if slug.is_none() {
            return Ok(Err(USED));
        }
        tracing::info!("the first organisation was created");
        let text = format!(
            "{} has been created, and you are its owner. To sign in, run in a terminal: frontdesk login --url {} --email {}",
            fields.organization, context.base, fields.email
        );
        Ok(Ok(page::told(StatusCode::OK, "Created", &text)))
    }

    fn mistake(error: &AuthError) -> (StatusCode, String) {
        match error {
            AuthError::Database(of) if refusal(of).code == ErrorCode::InvalidArgument => {
                let refusal = refusal(of);
                let field = refusal.field.unwrap_or_default();
                let text = format!("The {field} {}.", refusal.message);
                (StatusCode::BAD_REQUEST, text)
            }
            error => link::mistake(error),
        }
    }
}
