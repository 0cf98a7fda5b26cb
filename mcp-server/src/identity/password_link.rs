//! The page of a link that sets a new password, for a person who forgot theirs. An owner of the organisation issues the
//! link.

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{DefaultBodyLimit, Query};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::get;
use frontdesk_protocol::id::UserId;

use super::authorization::{PageContext, page};
use super::link::{self, Link, LinkForm, LinkToken, MAX_BODY, Submitted};
use super::visitor::Visitor;
use super::{AuthError, Identity, Visit, session, sign_in};
use crate::database::{Access, Actor};
use crate::page::escaped;

/// The path of the page.
const PATH: &str = "/auth/v1/password";
/// The heading if the password was not changed.
const NOT_CHANGED: &str = "Not changed";

pub(super) fn router(identity: Identity) -> Router {
    Router::new()
        .route(PATH, get(show).post(change))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .with_state(identity)
}

/// The account of an open link.
struct Open {
    account: UserId,
    email: String,
    organization: String,
    token: LinkToken,
}

/// The page for a link that is not open.
fn refused(state: &str) -> Response {
    let (status, text) = match state {
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
    };
    page::told(status, NOT_CHANGED, text)
}

/// Finds the account of an open link.
///
/// # Errors
/// The page to answer with.
async fn find(context: &PageContext, visitor: &Visitor, token: &str) -> Result<Open, Response> {
    let found = async {
        visitor.admit(&context.identity, Visit::Invitation)?;
        let Some(token) = LinkToken::parse(token) else {
            return Ok(Err(String::new()));
        };
        let _lookup = context.identity.provider()?.lookups.acquire().await;
        let database = &context.identity.0.database;
        let mut transaction = database.transaction(Actor::Identity, Access::Read);
        let sql = "select state, account, email, organization from auth.password_link($1, $2)";
        let rows = transaction
            .query(sql, &[&token.hash(), &context.now()])
            .await?;
        let Some(row) = rows.first() else {
            return Ok(Err(String::new()));
        };
        let state: String = row.get(0);
        Ok(match state.as_str() {
            "open" => Ok(Open {
                account: UserId(row.get(1)),
                email: row.get(2),
                organization: row.get(3),
                token,
            }),
            _ => Err(state),
        })
    };
    match found.await {
        Ok(open) => open.map_err(|state| refused(&state)),
        Err::<_, AuthError>(error) => Err(link::failed(&error, NOT_CHANGED)),
    }
}

impl Open {
    fn page(
        &self,
        context: &PageContext,
        token: &str,
        wrong: Option<&str>,
        status: StatusCode,
    ) -> Response {
        let form = LinkForm {
            title: "New password",
            heading: "Choose a new password",
            says: format!(
                "For your account at <b>{}</b>. The password has at least 8 characters. All sign-ins to the account end.",
                escaped(&self.organization)
            ),
            fields: link::fixed_email(&self.email) + &link::new_password(" autofocus"),
            button: "Change",
            path: PATH,
            token,
        };
        form.page(context, wrong, status)
    }

    /// Sets the password; returns the link's state if it is no longer open.
    async fn set(
        &self,
        context: &PageContext,
        password: &str,
    ) -> Result<Result<(), String>, AuthError> {
        link::check_length(password)?;
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
            return Ok(Err(state));
        }
        session::end_others(&mut transaction, self.account, None).await?;
        transaction.commit().await?;
        tracing::info!(user = %self.account, "a password was changed through a link");
        Ok(Ok(()))
    }
}

/// `GET /auth/v1/password`: the page with the form, or an explanation.
async fn show(
    context: PageContext,
    visitor: Visitor,
    link: Result<Query<Link>, QueryRejection>,
) -> Response {
    let token = link.map_or(String::new(), |Query(link)| link.token);
    match find(&context, &visitor, &token).await {
        Ok(open) => open.page(&context, &token, None, StatusCode::OK),
        Err(page) => page,
    }
}

/// `POST /auth/v1/password`: the submitted form.
async fn change(
    context: PageContext,
    visitor: Visitor,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let Some(form) = Submitted::read(&context, &headers, &body) else {
        return link::without_ticket(NOT_CHANGED);
    };
    let token = form.field("token");
    let open = match find(&context, &visitor, token).await {
        Ok(open) => open,
        Err(page) => return page,
    };
    match open.set(&context, form.field("password")).await {
        Ok(Ok(())) => {
            let text = format!(
                "Your password has been changed. To sign in, run in a terminal: frontdesk login --url {} --email {}",
                context.base, open.email
            );
            page::told(StatusCode::OK, "Changed", &text)
        }
        Ok(Err(state)) => refused(&state),
        Err(error) => {
            let text = match &error {
                AuthError::BadRequest { msg, .. } => (*msg).to_owned(),
                error => page::told_of(error),
            };
            open.page(&context, token, Some(&text), error.status())
        }
    }
}
