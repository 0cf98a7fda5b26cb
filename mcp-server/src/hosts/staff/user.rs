//! The staff.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::record::{One, Record};
use frontdesk_protocol::staff::user::{
    IssuePasswordLink, ListStaff, PasswordLink, RemoveSecondFactor, RemoveStaffUser,
    SetStaffActive, StaffUser, UpdateStaffUser,
};
use jiff::Timestamp;
use uuid::Uuid;

use super::invitation::no_accounts;
use crate::call::{Answer, Call, Handler, Outcome, SqlByName, Stored};
use crate::database::params;
use crate::hosts::routes;
use crate::identity::LinkToken;

impl Stored for StaffUser {
    const TABLE: &'static str = "staff.users";
    const ORDER: &'static str = "t.created_at, t.id";
    const FILTERS: SqlByName = &[(
        "search",
        "app.search_key(concat(staff.email(t.id), ' ', \
           (select p.name from learn.profiles p where p.id = t.id))) like (select app.search_pattern($))",
    )];
    const COMPUTED: SqlByName = &[
        (
            "name",
            "(select p.name from learn.profiles p where p.id = t.id)",
        ),
        ("email", "staff.email(t.id)"),
        (
            "member_id",
            "(select p.member_id from learn.profiles p where p.id = t.id)",
        ),
        (
            "chat_user_id",
            "(select p.chat_user_id from learn.profiles p where p.id = t.id)",
        ),
        (
            "code_host_login",
            "(select p.code_host_login from learn.profiles p where p.id = t.id)",
        ),
    ];
}

fn not_found() -> ToolError {
    ToolError::not_found(StaffUser::SINGULAR).on("id")
}

impl Handler for UpdateStaffUser {
    async fn handle(self, call: &mut Call) -> Outcome<One<StaffUser>> {
        let update = "select staff.update_user($1, $2)";
        let updated = call.query(update, params![self.id, self]).await?;
        match updated.first().is_some_and(|row| row.get(0)) {
            true => call.finally().one(self.id).await,
            false => Err(not_found()),
        }
    }
}

impl Handler for RemoveStaffUser {
    async fn handle(self, call: &mut Call) -> Outcome<One<StaffUser>> {
        let last = call.one(self.id).await?;
        call.query("select staff.remove_user($1)", params![self.id])
            .await?;
        call.warn("this cannot be undone: the account is also removed from the history of changes");
        Ok(last)
    }
}

impl Handler for RemoveSecondFactor {
    async fn handle(self, call: &mut Call) -> Outcome<One<StaffUser>> {
        let remove = "select staff.remove_second_factor($1)";
        let removed = call.query(remove, params![self.id]).await?;
        match removed.first().is_some_and(|row| row.get(0)) {
            true => call.finally().one(self.id).await,
            false => Err(not_found()),
        }
    }
}

impl Handler for IssuePasswordLink {
    async fn handle(self, call: &mut Call) -> Outcome<PasswordLink> {
        password_link(call, self.id.0, StaffUser::SINGULAR).await
    }
}

/// Creates an account's link for a new password. `kind` is the account's in an error.
pub(in crate::hosts) async fn password_link(
    call: &mut Call,
    account: Uuid,
    kind: &str,
) -> Outcome<PasswordLink> {
    let provider = call.server.accounts_at.clone().ok_or_else(no_accounts)?;
    let token = LinkToken::random();
    let issue = "select l.email, l.expires_at from staff.issue_password_link($1, $2) l";
    let issued = call.query(issue, &[&account, &token.hash()]).await?;
    let Some(row) = issued.first() else {
        return Err(ToolError::not_found(kind).on("id"));
    };
    let expires_at: Timestamp = row.get(1);
    Answer::of(&PasswordLink {
        email: row.get(0),
        link: Some(token.link(&provider, "password")),
        expires_at,
    })
}

routes![
    ListStaff,
    UpdateStaffUser => own,
    SetStaffActive,
    RemoveStaffUser => own,
    IssuePasswordLink => own,
    RemoveSecondFactor => own,
];
