//! Skills and their versions.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::record::{List, Maybe, One, Record};
use frontdesk_protocol::skills::skill::{
    GetSkill, ListSkills, PublishSkill, RetireSkill, Skill, SkillStatus, SkillText,
};
use serde_json::json;

use crate::call::{Answer, Call, Handler, Outcome, SqlByName, Stored, columns, named};
use crate::database::params;
use crate::hosts::routes;

/// Whether a skill is active or retired.
macro_rules! status {
    () => {
        "case when t.retired_at is null then 'published' else 'retired' end"
    };
}

impl Stored for Skill {
    const TABLE: &'static str = "skills.skills";
    const ORDER: &'static str = "t.found_by, t.id";
    const FILTERS: SqlByName = &[
        ("search", "t.found_by like (select app.search_pattern($))"),
        ("status", concat!(status!(), " = $")),
    ];
    const COMPUTED: SqlByName = &[
        named!("published_by_name": account "published_by"),
        ("status", status!()),
    ];
}

impl Handler for ListSkills {
    async fn handle(self, call: &mut Call) -> Outcome<List<Skill>> {
        let status = self.status.or(Some(SkillStatus::Published));
        let asked = ListSkills { status, ..self };
        call.list(&asked, asked.limit, asked.offset).await
    }
}

impl Handler for GetSkill {
    async fn handle(self, call: &mut Call) -> Outcome<Maybe<SkillText>> {
        if self.id.is_some() == self.slug.is_some() {
            return Err(ToolError::invalid("id", "give either id or slug"));
        }
        let sql = format!(
            "select json_build_object('skill', to_jsonb(s) || jsonb_build_object( \
               'title', v.title, 'description', v.description, 'body', v.body, 'version', v.version, \
               'published_at', v.published_at, 'published_by', v.published_by, \
               'published_by_name', (select p.name from learn.profiles p where p.id = v.published_by), \
               'versions', (select jsonb_agg(to_jsonb(o) order by o.version desc) \
                  from (select o.version, o.published_at from skills.versions o where o.skill_id = s.id \
                        order by o.version desc limit 100) o)))::text \
             from (select {} from skills.skills t where t.id = $1 or t.slug = $2) s \
             join skills.versions v on v.skill_id = s.id and v.version = coalesce($3, s.version)",
            columns::<Skill>()
        );
        let params = params![self.id, self.slug, self.version];
        match call.json(&sql, params).await? {
            Some(skill) => Ok(skill),
            None => Answer::of(&Maybe(None)),
        }
    }
}

impl Handler for PublishSkill {
    /// The table's triggers number and store the versions. Of two callers with the same slug the second waits.
    async fn handle(self, call: &mut Call) -> Outcome<One<Skill>> {
        let sql = format!(
            "with r as (insert into skills.skills as t (slug, title, description, body) \
               values ($1, $2, $3, $4) on conflict (organization_id, slug) do update \
               set title = excluded.title, description = excluded.description, body = excluded.body, \
                 retired_at = null returning {}) \
             select json_build_object('skill', row_to_json(r))::text from r",
            columns::<Skill>()
        );
        let params = params![self.slug, self.title, self.description, self.body];
        let skill = call.finally().json(&sql, params).await?;
        skill.ok_or_else(|| ToolError::not_found(Skill::SINGULAR).on("slug"))
    }
}

impl Handler for RetireSkill {
    /// PostgreSQL reads `now` as the start of the transaction.
    async fn handle(self, call: &mut Call) -> Outcome<One<Skill>> {
        call.finally()
            .change(self.id, &json!({ "retired_at": "now" }))
            .await
    }
}

routes![
    ListSkills => own,
    GetSkill => own,
    PublishSkill => own,
    RetireSkill => own,
];
