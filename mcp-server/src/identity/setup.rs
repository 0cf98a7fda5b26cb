//! The page that creates the first organisation with its owner, on a server that has none. Its link is printed at the
//! server's start. Nothing of it is stored: it is signed, and ends for good when an organisation is created.

mod lists;

use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use frontdesk_protocol::ErrorCode;
use frontdesk_protocol::value::Currency;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::accounts::{Setup, is_address};
use super::authorization::{FlowKey, PageContext, page};
use super::link::{self, LinkForm, LinkPage, Refusal, Refused, Submitted};
use super::visitor::Visitor;
use super::{AuthError, Identity, sign_in};
use crate::database::{Access, Actor, TransactionError, refusal};
use crate::page::{Fields, Mistake};

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

/// What is entered in the form.
struct Entered<'a> {
    organization: &'a str,
    slug: &'a str,
    time_zone: &'a str,
    currency: &'a str,
    name: &'a str,
    email: &'a str,
    password: &'a str,
}

impl<'a> Entered<'a> {
    fn of(form: &'a Submitted) -> Entered<'a> {
        let field = |name| form.field(name).trim();
        Entered {
            organization: field("organization"),
            slug: field("slug"),
            time_zone: field("time_zone"),
            currency: field("currency"),
            name: field("name"),
            email: field("email"),
            password: form.field("password"),
        }
    }

    fn html(&self, mistake: Option<&Mistake>) -> String {
        let longest = format!(" maxlength=\"{LONGEST}\"");
        let fields = Fields::new("organization", mistake)
            .input(
                "Organisation",
                "organization",
                self.organization,
                &format!("{longest} autocomplete=\"organization\" required"),
            )
            .input(
                "Short name for addresses (default: made from the name)",
                "slug",
                self.slug,
                &format!(
                    " maxlength=\"{SLUG}\" pattern=\"[a-z0-9]+(-[a-z0-9]+)*\" placeholder=\"riverside-school\" \
                     autocapitalize=\"none\""
                ),
            )
            .select("Time zone", "time_zone", &lists::time_zones(self.time_zone))
            .select("Currency", "currency", &lists::currencies(self.currency))
            .input(
                "Your name",
                "name",
                self.name,
                &format!("{longest} autocomplete=\"name\" required"),
            )
            .input(
                "Your e-mail address, to sign in with",
                "email",
                self.email,
                &format!("{longest} type=\"email\" autocomplete=\"username\" required"),
            );
        link::new_password(fields).html()
    }

    /// Refuses what the server can tell without the database.
    fn check(&self) -> Result<(), Mistake> {
        let is_name =
            |text: &str| (1..=LONGEST).contains(&text.chars().count()) && !text.contains('\0');
        let wrong = |field, text: &str| Err(Mistake::at(field, text));
        for (field, text) in [("organization", self.organization), ("name", self.name)] {
            if !is_name(text) {
                return wrong(field, "The name must have 1 to 200 characters.");
            }
        }
        if TimeZone::get(self.time_zone).is_err() {
            return wrong(
                "time_zone",
                "The time zone must be a name such as Europe/Lisbon.",
            );
        }
        if Currency::new(self.currency).is_err() {
            let text = "The currency must be a code of three capital letters, such as EUR.";
            return wrong("currency", text);
        }
        if !is_address(self.email) {
            return wrong(
                "email",
                "The e-mail address must look like name@example.org.",
            );
        }
        link::check_password(self.password, self.email)
    }
}

/// What the database refuses of the fields.
fn refused(error: TransactionError) -> Refused {
    let refusal = refusal(&error);
    match refusal.field {
        Some(field) if refusal.code == ErrorCode::InvalidArgument => {
            let text = format!("The {field} {}.", refusal.message);
            Mistake {
                field: Some(field),
                text,
            }
            .into()
        }
        _ => error.into(),
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

    fn form(&self, submitted: Option<&Submitted>, mistake: Option<&Mistake>) -> LinkForm {
        let time_zone = Setup::time_zone();
        let empty = Entered {
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
            fields: submitted.map_or(empty, Entered::of).html(mistake),
            button: "Create",
        }
    }

    async fn submit(
        &self,
        context: &PageContext,
        _: &Visitor,
        form: &Submitted,
    ) -> Result<Result<Response, Refusal>, Refused> {
        let fields = Entered::of(form);
        fields.check()?;
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
            .await
            .map_err(refused)?;
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
}
