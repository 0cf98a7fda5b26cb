//! The page of an invitation: the invited person joins with a new account, or with the existing account of
//! the e-mail address. It needs no script.

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{DefaultBodyLimit, Query};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use axum::routing::get;
use frontdesk_protocol::id::UserId;
use uuid::Uuid;

use super::authorization::{PageContext, page};
use super::link::{self, Link, LinkForm, LinkToken, MAX_BODY, Submitted};
use super::sign_in::Wanted;
use super::visitor::Visitor;
use super::{AuthError, Identity, Visit, sign_in};
use crate::database::{Access, Actor};
use crate::page::escaped;
use crate::telemetry;

/// The path of the page.
const PATH: &str = "/auth/v1/invitation";
/// The heading if the person cannot join.
const NOT_JOINED: &str = "Not joined";

pub(super) fn router(identity: Identity) -> Router {
    Router::new()
        .route(PATH, get(show).post(accept))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .with_state(identity)
}

/// An invitation, as shown on the page.
struct Invitation {
    /// `open`, or why the person cannot join.
    state: String,
    organization: String,
    role: String,
    email: String,
    /// The existing account with the e-mail address: in the organisation, or without one.
    account: Option<Uuid>,
    /// Whether that account has a password; otherwise it signs in through a provider.
    has_password: bool,
}

impl Invitation {
    async fn find(context: &PageContext, token: &LinkToken) -> Result<Option<Self>, AuthError> {
        let database = &context.identity.0.database;
        let _lookup = context.identity.provider()?.lookups.acquire().await;
        let mut transaction = database.transaction(Actor::Identity, Access::Read);
        let sql = "select state, organization, role, email, account, has_password \
                   from auth.invitation($1, $2)";
        let rows = transaction
            .query(sql, &[&token.hash(), &context.now()])
            .await?;
        Ok(rows.first().map(|row| Invitation {
            state: row.get(0),
            organization: row.get(1),
            role: row.get(2),
            email: row.get(3),
            account: row.get(4),
            has_password: row.get(5),
        }))
    }

    /// The page with the form.
    fn page(
        &self,
        context: &PageContext,
        token: &str,
        wrong: Option<&str>,
        status: StatusCode,
    ) -> Response {
        let (says, password) = match (self.account, self.has_password) {
            (None, _) => (
                "Choose a password to sign in with, of at least 8 characters.",
                link::new_password(" autofocus"),
            ),
            (Some(_), true) => (
                "You already have an account with this address: enter its password.",
                "<label>Password <input type=\"password\" name=\"password\" \
                 autocomplete=\"current-password\" required autofocus></label>\n"
                    .to_owned(),
            ),
            (Some(_), false) => (
                "You already have an account with this address; sign in with it as before.",
                String::new(),
            ),
        };
        let form = LinkForm {
            title: "Join",
            heading: &format!("Join {}", self.organization),
            says: format!(
                "You are invited to <b>{}</b> at Frontdesk, as <b>{}</b>. {says}",
                escaped(&self.organization),
                escaped(&self.role)
            ),
            fields: link::fixed_email(&self.email) + &password,
            button: "Join",
            path: PATH,
            token,
        };
        form.page(context, wrong, status)
    }

    /// The page after joining.
    fn joined(&self, context: &PageContext) -> Response {
        let text = format!(
            "You now belong to {}, as {}. To sign in, run in a terminal: frontdesk login --url {} --email {}",
            self.organization, self.role, context.base, self.email
        );
        page::told(StatusCode::OK, "Joined", &text)
    }
}

/// The page for a state other than `open`.
fn refused(state: &str) -> Response {
    let (status, text) = match state {
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
    };
    page::told(status, NOT_JOINED, text)
}

/// `GET /auth/v1/invitation`: the page with the form, or an explanation.
async fn show(
    context: PageContext,
    visitor: Visitor,
    link: Result<Query<Link>, QueryRejection>,
) -> Response {
    if let Err(refusal) = visitor.admit(&context.identity, Visit::Invitation) {
        return link::failed(&refusal, NOT_JOINED);
    }
    let token = link.map_or(String::new(), |Query(link)| link.token);
    let Some(parsed) = LinkToken::parse(&token) else {
        return refused("");
    };
    match Invitation::find(&context, &parsed).await {
        Ok(Some(invitation)) if invitation.state == "open" => {
            invitation.page(&context, &token, None, StatusCode::OK)
        }
        Ok(invitation) => refused(&invitation.map_or(String::new(), |it| it.state)),
        Err(error) => link::failed(&error, NOT_JOINED),
    }
}

/// `POST /auth/v1/invitation`: the submitted form. A form from another site has no ticket for this browser's cookie.
async fn accept(
    context: PageContext,
    visitor: Visitor,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if let Err(refusal) = visitor.admit(&context.identity, Visit::Invitation) {
        return link::failed(&refusal, NOT_JOINED);
    }
    let Some(form) = Submitted::read(&context, &headers, &body) else {
        return link::without_ticket(NOT_JOINED);
    };
    let token = form.field("token");
    let Some(parsed) = LinkToken::parse(token) else {
        return refused("");
    };
    let invitation = match Invitation::find(&context, &parsed).await {
        Ok(Some(invitation)) if invitation.state == "open" => invitation,
        Ok(invitation) => return refused(&invitation.map_or(String::new(), |it| it.state)),
        Err(error) => return link::failed(&error, NOT_JOINED),
    };
    let joined = join(
        &context,
        &visitor,
        &invitation,
        &parsed,
        form.field("password"),
    )
    .await;
    match joined {
        Ok(Ok(device)) => {
            let mut response = invitation.joined(&context);
            if let Some(cookie) = device {
                response.headers_mut().insert(header::SET_COOKIE, cookie);
            }
            response
        }
        Ok(Err(state)) => refused(&state),
        Err(error) => {
            let text = match error {
                AuthError::InvalidCredentials => "The password is wrong. Try again.".to_owned(),
                AuthError::BadRequest { msg, .. } => msg.to_owned(),
                ref error => page::told_of(error),
            };
            invitation.page(&context, token, Some(&text), error.status())
        }
    }
}

/// Lets the invited person join, or returns the state that prevents it. Returns the cookie of the device if the person
/// has given an account's password.
async fn join(
    context: &PageContext,
    visitor: &Visitor,
    invitation: &Invitation,
    token: &LinkToken,
    password: &str,
) -> Result<Result<Option<header::HeaderValue>, String>, AuthError> {
    let (mut hash, mut device) = (None, None);
    match invitation.account {
        None => {
            link::check_length(password)?;
            let password = password.to_owned();
            hash = Some(sign_in::hash(&context.identity, &invitation.email, password).await?);
        }
        Some(account) if invitation.has_password => {
            let (email, password) = (&invitation.email, password.to_owned());
            let only = Wanted::Only(UserId(account));
            let shown = sign_in::check(&context.identity, email, password, only, visitor).await?;
            device = shown.device;
        }
        Some(_) => {}
    }
    let database = &context.identity.0.database;
    let mut transaction = database.transaction(Actor::Identity, Access::Write);
    let rows = transaction
        .query(
            "select auth.accept_invitation($1, $2, $3, $4)",
            &[&token.hash(), &context.now(), &invitation.account, &hash],
        )
        .await?;
    transaction.commit().await?;
    let state: Option<String> = rows.first().and_then(|row| row.get(0));
    Ok(match state.unwrap_or_default() {
        done if done == "done" => {
            telemetry::record_joined(&invitation.email);
            Ok(device)
        }
        state => Err(state),
    })
}
