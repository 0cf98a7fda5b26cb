//! Accounts and their levels.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::ops::account::{Account, ListAccounts, SetAccountLevel};
use frontdesk_protocol::record::{One, Record};

use crate::call::{Call, Handler, Outcome, SqlByName, Stored, columns};
use crate::database::params;
use crate::hosts::routes;

impl Stored for Account {
    const TABLE: &'static str = "ops.accounts";
    const ORDER: &'static str = "t.name_key, t.id";
    const FILTERS: SqlByName = &[("search", "t.id = any (array(select ops.find_accounts($)))")];
}

impl Handler for SetAccountLevel {
    async fn handle(self, call: &mut Call) -> Outcome<One<Account>> {
        let set = "select ops.set_level($1, $2)";
        let is_there = call.query(set, params![self.id, self.level]).await?;
        let is_there = is_there.first().is_some_and(|row| row.get(0));
        let not_found = || ToolError::not_found(Account::SINGULAR).on("id");
        if !is_there {
            return Err(not_found());
        }
        let sql = format!(
            "select json_build_object('account', row_to_json(r))::text \
             from (select {} from ops.accounts t where t.id = $1) r",
            columns::<Account>()
        );
        let account = call.finally().json(&sql, params![self.id]).await?;
        account.ok_or_else(not_found)
    }
}

routes![
    ListAccounts,
    SetAccountLevel => own,
];
