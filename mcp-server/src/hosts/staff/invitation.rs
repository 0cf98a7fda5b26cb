//! Invitations of staff and students. [`crate::identity`] serves the page of an invitation link.

use frontdesk_protocol::record::One;
use frontdesk_protocol::staff::invitation::{
    Invitation, InviteStaff, InviteStudent, Invited, ListInvitations, RenewInvitation,
    RevokeInvitation,
};
use frontdesk_protocol::{ErrorCode, ToolError};

use crate::call::{Answer, Call, Handler, Outcome, SqlByName, Stored, columns, named};
use crate::database::{internal, no_such_reference, params};
use crate::hosts::routes;
use crate::identity::LinkToken;

impl Stored for Invitation {
    const TABLE: &'static str = "staff.invitations";
    const ORDER: &'static str = "t.created_at desc, t.id";
    const FILTERS: SqlByName = &[
        (
            "search",
            "app.search_key(t.name || ' ' || t.email) like (select app.search_pattern($))",
        ),
        ("status", "staff.invitation_status(t.token_hash) = $"),
    ];
    const COMPUTED: SqlByName = &[
        named!("invited_by_name": account "invited_by"),
        ("status", "staff.invitation_status(t.token_hash)"),
    ];
}

/// Another identity provider has the accounts.
pub(super) fn no_accounts() -> ToolError {
    ToolError::new(
        ErrorCode::Refused,
        "another identity provider has the accounts, not this server",
    )
    .hint("use that provider; its accounts get their staff row from the administrator")
}

/// The invitation with this token, and its link.
async fn invited(call: &mut Call, token: &LinkToken, provider: &str) -> Outcome<Invited> {
    let sql = format!(
        "select row_to_json(i)::text from (select {} from staff.invitations t where t.token_hash = $1) i",
        columns::<Invitation>()
    );
    let rows = call.query(&sql, &[&token.hash()]).await?;
    let invitation = rows.first().map(|row| serde_json::from_str(row.get(0)));
    match invitation {
        Some(Ok(invitation)) => Answer::of(&Invited {
            invitation,
            link: Some(token.link(provider, "invitation")),
        }),
        Some(Err(error)) => Err(internal(format_args!(
            "an invitation cannot be read: {error}"
        ))),
        None => Err(internal("an invitation was not created")),
    }
}

/// Stores an invitation with its values from `values`, in place of an open one of the same address.
fn storing(values: &str) -> String {
    format!(
        "insert into staff.invitations as t (name, email, role, member_id, token_hash) {values} \
         on conflict (organization_id, email) where accepted_at is null and revoked_at is null \
         do update set name = excluded.name, role = excluded.role, member_id = excluded.member_id, \
           token_hash = excluded.token_hash, invited_by = excluded.invited_by, created_at = now(), \
           expires_at = excluded.expires_at \
         returning t.id"
    )
}

impl Handler for InviteStaff {
    async fn handle(self, call: &mut Call) -> Outcome<Invited> {
        let provider = call.server.accounts_at.clone().ok_or_else(no_accounts)?;
        let token = LinkToken::random();
        let sql = storing("values ($1, lower($2), $3, null, $4)");
        let (name, email) = (self.name.as_str(), self.email.as_str());
        call.query(&sql, &[&name, &email, &self.role.name(), &token.hash()])
            .await?;
        // A separate statement, which sees the row that this one wrote.
        invited(call, &token, &provider).await
    }
}

impl Handler for InviteStudent {
    async fn handle(self, call: &mut Call) -> Outcome<Invited> {
        let provider = call.server.accounts_at.clone().ok_or_else(no_accounts)?;
        let token = LinkToken::random();
        let sql = storing(
            "select p.name, lower(p.email), 'fellow', p.id, $2 from staff.people p where p.id = $1",
        );
        let id = self.member_id.0;
        if call.query(&sql, &[&id, &token.hash()]).await?.is_empty() {
            return Err(no_such_reference("member_id"));
        }
        invited(call, &token, &provider).await
    }
}

impl Handler for RenewInvitation {
    async fn handle(self, call: &mut Call) -> Outcome<Invited> {
        let provider = call.server.accounts_at.clone().ok_or_else(no_accounts)?;
        let token = LinkToken::random();
        let renew = "update staff.invitations t \
                     set token_hash = $2, invited_by = app.caller_id(), created_at = now(), \
                         expires_at = now() + interval '3 days' \
                     where t.id = $1 and t.accepted_at is null and t.revoked_at is null returning t.id";
        let id = self.id.0;
        if !call.query(renew, &[&id, &token.hash()]).await?.is_empty() {
            return invited(call, &token, &provider).await;
        }
        call.one::<Invitation>(self.id).await?;
        let closed = "is an invitation that was accepted or revoked: invite the address again";
        Err(ToolError::invalid("id", closed))
    }
}

impl Handler for RevokeInvitation {
    async fn handle(self, call: &mut Call) -> Outcome<One<Invitation>> {
        let revoke = "update staff.invitations t set revoked_at = coalesce(t.revoked_at, now()) where t.id = $1";
        call.query(revoke, params![self.id]).await?;
        call.one(self.id).await
    }
}

routes![
    ListInvitations,
    InviteStaff => own,
    InviteStudent => own,
    RevokeInvitation => own,
    RenewInvitation => own,
];
