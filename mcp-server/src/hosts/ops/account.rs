//! Accounts and their levels.

use frontdesk_postgres::Row;
use frontdesk_protocol::ToolError;
use frontdesk_protocol::id::PlatformAccountId;
use frontdesk_protocol::ops::account::{
    Account, IssueAccountPasswordLink, ListAccounts, RemoveAccount, SetAccountActive,
    SetAccountLevel,
};
use frontdesk_protocol::record::{One, Record};
use frontdesk_protocol::staff::user::PasswordLink;

use crate::call::{Call, Handler, Outcome, SqlByName, Stored, columns};
use crate::database::params;
use crate::hosts::routes;
use crate::hosts::staff::user::password_link;

impl Stored for Account {
    const TABLE: &'static str = "ops.accounts";
    const ORDER: &'static str = "t.name_key, t.id";
    const FILTERS: SqlByName = &[("search", "t.id = any (array(select ops.find_accounts($)))")];
}

fn not_found() -> ToolError {
    ToolError::not_found(Account::SINGULAR).on("id")
}

/// The account as it is now; an error if a statement before found none.
async fn account(call: &mut Call, id: PlatformAccountId, found: &[Row]) -> Outcome<One<Account>> {
    if !found.first().is_some_and(|row| row.get(0)) {
        return Err(not_found());
    }
    let sql = format!(
        "select json_build_object('account', row_to_json(r))::text \
         from (select {} from ops.accounts t where t.id = $1) r",
        columns::<Account>()
    );
    let account = call.json(&sql, params![id]).await?;
    account.ok_or_else(not_found)
}

impl Handler for SetAccountLevel {
    async fn handle(self, call: &mut Call) -> Outcome<One<Account>> {
        let set = "select ops.set_level($1, $2)";
        let found = call.query(set, params![self.id, self.level]).await?;
        account(call.finally(), self.id, &found).await
    }
}

impl Handler for SetAccountActive {
    async fn handle(self, call: &mut Call) -> Outcome<One<Account>> {
        let set = "select ops.set_account_active($1, $2)";
        let found = call.query(set, params![self.id, self.is_active]).await?;
        account(call.finally(), self.id, &found).await
    }
}

impl Handler for RemoveAccount {
    async fn handle(self, call: &mut Call) -> Outcome<One<Account>> {
        let remove = "select staff.remove_user($1)";
        let there = call
            .query("select ops.is_account($1)", params![self.id])
            .await?;
        let last = account(call, self.id, &there).await?;
        call.query(remove, params![self.id]).await?;
        call.warn("this cannot be undone: the account is also removed from the history of changes");
        Ok(last)
    }
}

impl Handler for IssueAccountPasswordLink {
    async fn handle(self, call: &mut Call) -> Outcome<PasswordLink> {
        password_link(call, self.id.0, Account::SINGULAR).await
    }
}

routes![
    ListAccounts,
    SetAccountActive => own,
    RemoveAccount => own,
    SetAccountLevel => own,
    IssueAccountPasswordLink => own,
];
