//! Members.

use frontdesk_protocol::learn::member::{
    CreateMember, DeleteMember, GetMember, ListMembers, LookupMember, Member, UpdateMember,
};
use frontdesk_protocol::record::{All, One};
use frontdesk_protocol::value::Change;
use serde_json::json;

use crate::call::{Call, Handler, NO_WARNINGS, Outcome, SqlByName, Stored, columns};
use crate::database::params;
use crate::hosts::routes;

const FINDER: &str = "learn.find_members";
/// Warns about the account of a deactivated member.
const ACCOUNT: &str = "learn.account_warning(t.id)";

impl Stored for Member {
    const TABLE: &'static str = "learn.members";
    const ORDER: &'static str = "t.name_key, t.id";
    const FILTERS: SqlByName = &[("search", "t.found_by like (select app.search_pattern($))")];
    const FINDER: Option<&'static str> = Some(FINDER);
}

impl Handler for DeleteMember {
    async fn handle(self, call: &mut Call) -> Outcome<One<Member>> {
        match self.hard_delete.0 {
            true => {
                call.warn(
                    "this cannot be undone: the member is also removed from the history of changes",
                );
                call.delete(self.id).await
            }
            false => {
                let set = json!({ "is_active": false });
                call.finally().change_warning(self.id, &set, ACCOUNT).await
            }
        }
    }
}

impl Handler for UpdateMember {
    async fn handle(self, call: &mut Call) -> Outcome<One<Member>> {
        let warnings = match self.is_active {
            Change::To(false) => ACCOUNT,
            _ => NO_WARNINGS,
        };
        call.finally().act_warning(&self, warnings).await
    }
}

impl Handler for LookupMember {
    async fn handle(self, call: &mut Call) -> Outcome<All<Member>> {
        let found = call.found(FINDER, &self.name).await?;
        let among = match found {
            Some(_) => "t.id = any ($4)",
            None => "$4::text is null",
        };
        let select = format!(
            "select {} from learn.members t \
             where {among} and t.name_key like (select app.search_pattern($1)) and (t.is_active or $2) \
             order by t.name_key <> (select app.search_key($1)), not t.is_active, t.name_key, t.id limit $3",
            columns::<Member>()
        );
        let params = params![self.name, self.include_inactive, self.limit, found];
        call.records(&select, params).await
    }
}

routes![
    ListMembers,
    GetMember,
    CreateMember,
    UpdateMember => own,
    DeleteMember => own,
    LookupMember => own,
];
