//! The page of a link that sets a new password, for a person who forgot theirs. An owner of the organisation issues the
//! link.

use axum::http::StatusCode;
use axum::response::Response;
use frontdesk_protocol::id::UserId;

use super::authorization::{PageContext, page};
use super::link::{self, LinkForm, LinkPage, LinkToken, Refusal, Refused, Submitted};
use super::visitor::Visitor;
use super::{AuthError, session, sign_in};
use crate::database::{Access, Actor};
use crate::page::{Fields, Mistake, escaped};

/// The account of an open link.
pub(super) struct NewPassword {
    account: UserId,
    email: String,
    organization: String,
    token: LinkToken,
}

/// Why a link in another state than `open` is refused.
fn refusal(state: &str) -> Refusal {
    match state {
        "used" => (
            StatusCode::GONE,
            "This link has already been used. Sign in with the password that was chosen then.",
        ),
        "revoked" => (
            StatusCode::GONE,
            "The person who created this link no longer has the rights for it. Ask an owner for a new one.",
        ),
        "ended" => (
            StatusCode::GONE,
            "This link has ended: the account's password, role or level was changed since. Ask an owner for a new one.",
        ),
        "expired" => (
            StatusCode::GONE,
            "This link has expired: it was valid for one day. Ask an owner for a new one.",
        ),
        "closed" => (
            StatusCode::CONFLICT,
            "The account was deactivated. Ask an owner to activate it.",
        ),
        _ => (
            StatusCode::NOT_FOUND,
            "There is no such link. Ask for a new one, and open the whole link.",
        ),
    }
}

impl LinkPage for NewPassword {
    const PATH: &'static str = "/auth/v1/password";
    const REFUSED: &'static str = "Not changed";

    async fn open(context: &PageContext, token: &str) -> Result<Result<Self, Refusal>, AuthError> {
        let Some(token) = LinkToken::parse(token) else {
            return Ok(Err(refusal("")));
        };
        let _lookup = context.identity.provider()?.lookups.acquire().await;
        let database = &context.identity.0.database;
        let mut transaction = database.transaction(Actor::Identity, Access::Read);
        let sql = "select state, account, email, organization from auth.password_link($1, $2)";
        let rows = transaction
            .query(sql, &[&token.hash(), &context.now()])
            .await?;
        let Some(row) = rows.first() else {
            return Ok(Err(refusal("")));
        };
        let state: String = row.get(0);
        Ok(match state.as_str() {
            "open" => Ok(NewPassword {
                account: UserId(row.get(1)),
                email: row.get(2),
                organization: row.get(3),
                token,
            }),
            state => Err(refusal(state)),
        })
    }

    fn form(&self, _: Option<&Submitted>, mistake: Option<&Mistake>) -> LinkForm {
        let fields = Fields::new("password", mistake);
        LinkForm {
            title: "New password",
            heading: "Choose a new password".to_owned(),
            says: format!(
                "For your account at <b>{}</b>. The password has at least 8 characters. All sign-ins to the account end.",
                escaped(&self.organization)
            ),
            fields: link::fixed_email(&self.email) + &link::new_password(fields).html(),
            button: "Change",
        }
    }

    async fn submit(
        &self,
        context: &PageContext,
        _: &Visitor,
        form: &Submitted,
    ) -> Result<Result<Response, Refusal>, Refused> {
        let password = form.field("password");
        link::check_password(password, &self.email)?;
        let identity = &context.identity;
        let hash = sign_in::hash(identity, &self.email, password.to_owned()).await?;
        let mut transaction = identity
            .0
            .database
            .transaction(Actor::Identity, Access::Write);
        let rows = transaction
            .query(
                "select auth.use_password_link($1, $2, $3)",
                &[&self.token.hash(), &context.now(), &hash],
            )
            .await?;
        let state: Option<String> = rows.first().and_then(|row| row.get(0));
        let state = state.unwrap_or_default();
        if state != "done" {
            transaction.rollback().await?;
            return Ok(Err(refusal(&state)));
        }
        session::end_others(&mut transaction, self.account, None).await?;
        transaction.commit().await?;
        tracing::info!(user = %self.account, "a password was changed through a link");
        let text = format!(
            "Your password has been changed. To sign in, run in a terminal: frontdesk login --url {} --email {}",
            context.base, self.email
        );
        Ok(Ok(page::told(StatusCode::OK, "Changed", &text)))
    }
}
