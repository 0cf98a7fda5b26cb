//! Tutor profiles.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::learn::tutor::{TutorProfile, UpsertTutorProfile};
use frontdesk_protocol::record::{One, Record};

use crate::call::{Call, Handler, Outcome};
use crate::database::params;
use crate::hosts::routes;

impl Handler for UpsertTutorProfile {
    async fn handle(self, call: &mut Call) -> Outcome<One<TutorProfile>> {
        let sql = "with r as (insert into learn.tutor_profiles as t (member_id, version, profile_data) \
               values ($1, coalesce($2, 'v1'), $3) on conflict (member_id, organization_id, version) \
               do update set profile_data = excluded.profile_data \
               returning t.member_id, t.version, t.profile_data, \
                 (select m.name from learn.members m where m.id = t.member_id) as member_name) \
             select json_build_object('tutor_profile', row_to_json(r))::text from r";
        let params = params![self.member_id, self.version, self.profile_data];
        let written = call.finally().json(sql, params).await?;
        written.ok_or_else(|| ToolError::not_found(TutorProfile::SINGULAR))
    }
}

routes![UpsertTutorProfile => own];
