//! Invitations to the staff. The page behind a link is sign-in's ([`crate::identity`]).

use frontdesk_protocol::record::One;
use frontdesk_protocol::staff::invitation::{
    Invitation, InviteStaff, Invited, ListInvitations, RevokeInvitation,
};
use frontdesk_protocol::{ErrorCode, ToolError};

use crate::call::{Answer, Call, Handler, Outcome, SqlByName, Stored, columns};
use crate::database::{internal, params};
use crate::hosts::routes;
use crate::identity::InvitationToken;

macro_rules! status {
    ($rest:literal) => {
        concat!(
            "staff.invitation_status(t.organization_id, t.invited_by, t.accepted_at, t.revoked_at, t.expires_at)",
            $rest
        )
    };
}

impl Stored for Invitation {
    const TABLE: &'static str = "staff.invitations";
    const ORDER: &'static str = "t.created_at desc, t.id";
    const FILTERS: SqlByName = &[
        (
            "search",
            "app.search_key(t.name || ' ' || t.email) like (select app.search_pattern($))",
        ),
        ("status", status!(" = $")),
    ];
    const COMPUTED: SqlByName = &[("status", status!(""))];
}

impl Handler for InviteStaff {
    /// The link is told once, and stored nowhere.
    const IS_REMEMBERED: bool = false;

    async fn handle(self, call: &mut Call) -> Outcome<Invited> {
        let Some(page) = call.invitations_at.clone() else {
            return Err(ToolError::new(
                ErrorCode::Refused,
                "accounts are made at another identity provider, not here",
            )
            .hint("make the account there; its staff row is the administrator's to add"));
        };
        let token = InvitationToken::random();
        let sql = format!(
            "with t as (insert into staff.invitations as t (name, email, role, token_hash) \
               values ($1, lower($2), $3, $4) \
               on conflict (organization_id, email) where accepted_at is null and revoked_at is null \
               do update set name = excluded.name, role = excluded.role, token_hash = excluded.token_hash, \
                 invited_by = excluded.invited_by, created_at = now(), expires_at = excluded.expires_at \
               returning t.*) \
             select row_to_json(i)::text from (select {} from t) i",
            columns::<Invitation>()
        );
        let (name, email) = (self.name.as_str(), self.email.as_str());
        let rows = call
            .query(&sql, &[&name, &email, &self.role.name(), &token.hash()])
            .await?;
        let invitation = rows.first().map(|row| serde_json::from_str(row.get(0)));
        match invitation {
            Some(Ok(invitation)) => Answer::of(&Invited {
                invitation,
                link: token.link(&page),
            }),
            _ => Err(internal()),
        }
    }
}

impl Handler for RevokeInvitation {
    async fn handle(self, call: &mut Call) -> Outcome<One<Invitation>> {
        let sql = format!(
            "with t as (update staff.invitations t set revoked_at = coalesce(t.revoked_at, now()) \
                        where t.id = $1 returning t.*) \
             select json_build_object('invitation', row_to_json(i))::text from (select {} from t) i",
            columns::<Invitation>()
        );
        let revoked = call.json(&sql, params![self.id]).await?;
        revoked.ok_or_else(|| ToolError::not_found("invitation").on("id"))
    }
}

routes![
    ListInvitations => list,
    InviteStaff,
    RevokeInvitation,
];
