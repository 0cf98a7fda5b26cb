//! Members.

use frontdesk_protocol::learn::member::{
    CreateMember, DeleteMember, GetMember, ListMembers, LookupMember, Member, UpdateMember,
};
use frontdesk_protocol::record::{All, One};
use serde_json::json;

use crate::call::{Call, Handler, Outcome, SqlByName, Stored, columns};
use crate::database::params;
use crate::hosts::routes;

impl Stored for Member {
    const TABLE: &'static str = "learn.members";
    const ORDER: &'static str = "t.name_key, t.id";
    const FILTERS: SqlByName = &[("search", "t.found_by like (select app.search_pattern($))")];
}

impl Handler for DeleteMember {
    async fn handle(self, call: &mut Call) -> Outcome<One<Member>> {
        match self.hard_delete.0 {
            true => call.delete(self.id).await,
            false => call.change(self.id, &json!({ "is_active": false })).await,
        }
    }
}

impl Handler for LookupMember {
    async fn handle(self, call: &mut Call) -> Outcome<All<Member>> {
        let select = format!(
            "select {} from learn.members t \
             where t.name_key like (select app.search_pattern($1)) and (t.is_active or $2) \
             order by t.name_key <> (select app.search_key($1)), not t.is_active, t.name_key, t.id limit $3",
            columns::<Member>()
        );
        let params = params![self.name, self.include_inactive, self.limit];
        call.records(&select, params).await
    }
}

routes![
    ListMembers => list,
    GetMember => get,
    CreateMember => create,
    UpdateMember => change,
    DeleteMember,
    LookupMember,
];
