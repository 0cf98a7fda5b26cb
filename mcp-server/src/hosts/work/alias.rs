//! Label aliases.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::record::{One, Record};
use frontdesk_protocol::work::alias::{Alias, CreateMemberLabelAlias};

use crate::call::{Call, Handler, Outcome, SqlByName, Stored, columns, named};
use crate::database::params;
use crate::hosts::routes;

impl Stored for Alias {
    const TABLE: &'static str = "work.member_label_aliases";
    const COMPUTED: SqlByName = &[named!("member_name": member "member_id")];
}

impl Handler for CreateMemberLabelAlias {
    async fn handle(self, call: &mut Call) -> Outcome<One<Alias>> {
        let sql = format!(
            "with r as (insert into work.member_label_aliases as t (alias, member_id, source, confidence, context) \
               values ($1, $2, coalesce($3, 'manual'), coalesce($4::double precision, 1), $5) \
               on conflict (organization_id, alias, member_id) do update \
               set source = excluded.source, confidence = excluded.confidence, context = excluded.context \
               returning {}) \
             select json_build_object('{}', row_to_json(r))::text from r",
            columns::<Alias>(),
            Alias::SINGULAR
        );
        let params = params![
            self.alias,
            self.member_id,
            self.source,
            self.confidence,
            self.context
        ];
        let written = call.finally().json(&sql, params).await?;
        written.ok_or_else(|| ToolError::not_found(Alias::SINGULAR))
    }
}

routes![CreateMemberLabelAlias => own];
