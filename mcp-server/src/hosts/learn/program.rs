//! Programs, and their instances for cohorts.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::learn::dependency::StageDependency;
use frontdesk_protocol::learn::milestone::Milestone;
use frontdesk_protocol::learn::program::{
    CreateProgram, DeleteProgram, GetProgram, InstantiateProgram, Instantiated, ListPrograms,
    Program, ProgramTree, UpdateProgram,
};
use frontdesk_protocol::learn::stage::Stage;
use frontdesk_protocol::record::{Maybe, Record};

use crate::call::{Answer, Call, Handler, Outcome, SqlByName, Stored, columns, within};
use crate::database::params;
use crate::hosts::routes;

impl Stored for Program {
    const TABLE: &'static str = "learn.programs";
    const ORDER: &'static str = "t.name, t.id";
    const FILTERS: SqlByName = &[("search", "t.found_by like (select app.search_pattern($))")];
}

impl Handler for GetProgram {
    async fn handle(self, call: &mut Call) -> Outcome<Maybe<ProgramTree>> {
        if self.id.is_none() && self.slug.is_none() {
            return Err(ToolError::invalid(
                "id",
                "is required where slug is not given",
            ));
        }
        let milestones = within::<Milestone>("t.stage_id = s.id");
        let sql = format!(
            "select json_build_object('program', to_jsonb(p) || jsonb_build_object( \
               'stages', (select coalesce(jsonb_agg(to_jsonb(s) || \
                   jsonb_build_object('milestones', {milestones}) order by s.position, s.id), '[]') \
                 from (select {stages} from learn.stages t where t.program_id = p.id) s), \
               'dependencies', {dependencies}))::text \
             from (select {program} from learn.programs t \
                   where t.id = $1 or $1 is null and t.slug = $2) p",
            stages = columns::<Stage>(),
            dependencies = within::<StageDependency>("t.program_id = p.id"),
            program = columns::<Program>(),
        );
        match call.json(&sql, params![self.id, self.slug]).await? {
            Some(program) => Ok(program),
            None => Answer::of(&Maybe(None)),
        }
    }
}

impl Handler for InstantiateProgram {
    async fn handle(self, call: &mut Call) -> Outcome<Instantiated> {
        let sql = "select row_to_json(i)::text from learn.instantiate($1, $2) i";
        let answer = call
            .json(sql, params![self.template_id, self.cohort_id])
            .await?;
        answer.ok_or_else(|| ToolError::not_found(Program::SINGULAR))
    }
}

routes![
    ListPrograms => list,
    GetProgram,
    CreateProgram => create,
    UpdateProgram => change,
    DeleteProgram => delete,
    InstantiateProgram,
];
