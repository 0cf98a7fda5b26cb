//! The page of an invitation: the invited person joins with a new account, or with the existing account of
//! the e-mail address.

use axum::http::{StatusCode, header};
use axum::response::Response;
use frontdesk_protocol::id::UserId;
use uuid::Uuid;

use super::authorization::{PageContext, page};
use super::link::{self, LinkForm, LinkPage, LinkToken, Refusal, Refused, Submitted};
use super::sign_in::Wanted;
use super::visitor::Visitor;
use super::{AuthError, sign_in};
use crate::database::{Access, Actor};
use crate::page::{Fields, Mistake, escaped};
use crate::telemetry;

/// An open invitation.
pub(super) struct Invitation {
    token: LinkToken,
    organization: String,
    role: String,
    email: String,
    /// The existing account with the e-mail address: in the organisation, or without one.
    account: Option<Uuid>,
    /// Whether that account has a password; otherwise it signs in through a provider.
    has_password: bool,
}

/// Why an invitation in another state than `open` is refused.
fn refusal(state: &str) -> Refusal {
    match state {
        "used" => (
            StatusCode::GONE,
            "This link has already been used. Sign in with the password that was chosen then.",
        ),
        "revoked" => (StatusCode::GONE, "This invitation was withdrawn."),
        "expired" => (
            StatusCode::GONE,
            "This link has expired: it was valid for three days. Ask for a new one.",
        ),
        "closed" => (
            StatusCode::CONFLICT,
            "The account with this address is closed. Ask to be invited with another address.",
        ),
        "taken" => (
            StatusCode::CONFLICT,
            "You already have an account there: sign in with it.",
        ),
        "changed" => (
            StatusCode::CONFLICT,
            "An account with this address has just been created. Open the link again.",
        ),
        _ => (
            StatusCode::NOT_FOUND,
            "There is no such invitation. Ask for a new link, and open the whole link.",
        ),
    }
}

impl LinkPage for Invitation {
    const PATH: &'static str = "/auth/v1/invitation";
    const REFUSED: &'static str = "Not joined";

    async fn open(context: &PageContext, token: &str) -> Result<Result<Self, Refusal>, AuthError> {
        let Some(token) = LinkToken::parse(token) else {
            return Ok(Err(refusal("")));
        };
        let database = &context.identity.0.database;
        let _lookup = context.identity.provider()?.lookups.acquire().await;
        let mut transaction = database.transaction(Actor::Identity, Access::Read);
        let sql = "select state, organization, role, email, account, has_password \
                   from auth.invitation($1, $2)";
        let rows = transaction
            .query(sql, &[&token.hash(), &context.now()])
            .await?;
        let Some(row) = rows.first() else {
            return Ok(Err(refusal("")));
        };
        let state: String = row.get(0);
        Ok(match state.as_str() {
            "open" => Ok(Invitation {
                token,
                organization: row.get(1),
                role: row.get(2),
                email: row.get(3),
                account: row.get(4),
                has_password: row.get(5),
            }),
            state => Err(refusal(state)),
        })
    }

    fn form(&self, _: Option<&Submitted>, mistake: Option<&Mistake>) -> LinkForm {
        let fields = Fields::new("password", mistake);
        let (says, fields) = match (self.account, self.has_password) {
            (None, _) => (
                "Choose a password to sign in with, of at least 8 characters.",
                link::new_password(fields),
            ),
            (Some(_), true) => (
                "You already have an account with this address: enter its password.",
                fields.input(
                    "Password",
                    "password",
                    "",
                    " type=\"password\" autocomplete=\"current-password\" required",
                ),
            ),
            (Some(_), false) => (
                "You already have an account with this address; sign in with it as before.",
                fields,
            ),
        };
        LinkForm {
            title: "Join",
            heading: format!("Join {}", self.organization),
            says: format!(
                "You are invited to <b>{}</b> at Frontdesk, as <b>{}</b>. {says}",
                escaped(&self.organization),
                escaped(&self.role)
            ),
            fields: link::fixed_email(&self.email) + &fields.html(),
            button: "Join",
        }
    }

    async fn submit(
        &self,
        context: &PageContext,
        visitor: &Visitor,
        form: &Submitted,
    ) -> Result<Result<Response, Refusal>, Refused> {
        let password = form.field("password").to_owned();
        // The device has a cookie if the person has given an account's password.
        let (mut hash, mut device) = (None, None);
        match self.account {
            None => {
                link::check_password(&password, &self.email)?;
                hash = Some(sign_in::hash(&context.identity, &self.email, password).await?);
            }
            Some(account) if self.has_password => {
                let only = Wanted::Only(UserId(account));
                let shown =
                    sign_in::check(&context.identity, &self.email, password, only, visitor).await?;
                device = shown.device;
            }
            Some(_) => {}
        }
        let database = &context.identity.0.database;
        let mut transaction = database.transaction(Actor::Identity, Access::Write);
        let rows = transaction
            .query(
                "select auth.accept_invitation($1, $2, $3, $4)",
                &[&self.token.hash(), &context.now(), &self.account, &hash],
            )
            .await?;
        transaction.commit().await?;
        let state: Option<String> = rows.first().and_then(|row| row.get(0));
        let state = state.unwrap_or_default();
        if state != "done" {
            return Ok(Err(refusal(&state)));
        }
        telemetry::record_joined(&self.email);
        let text = format!(
            "You now belong to {}, as {}. To sign in, run in a terminal: frontdesk login --url {} --email {}. If the \
             command frontdesk is not found, ask who invited you for the program. Any MCP client can sign in, too: its \
             server is {}/events/mcp.",
            self.organization, self.role, context.base, self.email, context.base
        );
        let mut joined = page::told(StatusCode::OK, "Joined", &text);
        if let Some(cookie) = device {
            joined.headers_mut().insert(header::SET_COOKIE, cookie);
        }
        Ok(Ok(joined))
    }
}
