//! Programs, and their instances for cohorts.

use frontdesk_protocol::learn::dependency::{ListStageDependencies, StageDependency};
use frontdesk_protocol::learn::milestone::{ListMilestones, Milestone};
use frontdesk_protocol::learn::program::{
    CreateProgram, DeleteProgram, GetProgram, InstantiateProgram, Instantiated, ListPrograms,
    Program, ProgramTree, UpdateProgram,
};
use frontdesk_protocol::learn::stage::{ListStages, Stage};
use frontdesk_protocol::record::{Maybe, Record};
use frontdesk_protocol::{Tool, ToolError};
use serde_json::json;

use crate::call::{
    Answer, Call, Filter, Handler, MOST_WITHIN, Outcome, PAGE_BYTES, SqlByName, Stored, columns,
    cut, measured, missing, rows,
};
use crate::database::params;
use crate::hosts::routes;

impl Stored for Program {
    const TABLE: &'static str = "learn.programs";
    const ORDER: &'static str = "t.name, t.id";
    const FILTERS: SqlByName = &[("search", "t.found_by like (select app.search_pattern($))")];
}

impl Handler for GetProgram {
    async fn handle(self, call: &mut Call) -> Outcome<Maybe<ProgramTree>> {
        let filter = match (self.id, &self.slug) {
            (Some(id), _) => Filter::of::<Program>(&json!({ "id": id })),
            (None, Some(slug)) => Filter::of::<Program>(&json!({ "slug": slug })),
            (None, None) => {
                return Err(ToolError::invalid("id", "is required without slug"));
            }
        };
        // Stages, the milestones of all stages, and dependencies share the bytes of a page.
        let stages = rows::<Stage>("t.program_id = o.id");
        let dependencies = rows::<StageDependency>("t.program_id = o.id");
        let milestones = measured(&rows::<Milestone>("t.stage_id = (s.j ->> 'id')::uuid"));
        let sql = format!(
            "select json_build_object('program', row_to_json(r))::text from ( \
               select o.*, f.stages, d.items as dependencies, \
                 array_remove(array[{no_stages}, {no_dependencies}], null) || f.missing as missing \
               from (select {program} from learn.programs t where {of} limit 1) o \
               cross join lateral {stages} c \
               cross join lateral {dependencies} d \
               cross join lateral ( \
                 select coalesce(jsonb_agg(s.j || jsonb_build_object('milestones', s.milestones) order by s.n), '[]') \
                     as stages, \
                   coalesce(array_agg({no_milestones} order by s.n) filter (where s.more), '{{}}') as missing \
                 from ( \
                   select m.n, m.stage as j, coalesce(jsonb_agg(m.j order by m.place) filter (where m.fits), '[]') \
                       as milestones, \
                     count(*) filter (where m.fits) as shown, \
                     coalesce(bool_or(not m.fits) filter (where m.j is not null), false) as more \
                   from ( \
                     select s.n, s.j as stage, m.j, m.n as place, \
                       m.n <= {MOST_WITHIN} and sum(octet_length(m.j::text)) over (order by s.n, m.n) <= {half} as fits \
                     from jsonb_array_elements(c.items::jsonb) with ordinality s (j, n) \
                     left join lateral ({milestones}) m on true) m \
                   group by m.n, m.stage) s) f) r",
            program = columns::<Program>(),
            of = filter.conditions(),
            stages = cut(&stages, PAGE_BYTES / 5),
            dependencies = cut(&dependencies, PAGE_BYTES / 5),
            half = PAGE_BYTES / 2,
            no_stages = missing("stages", ListStages::NAME, "program_id", "o.id", "c"),
            no_dependencies = missing(
                "dependencies",
                ListStageDependencies::NAME,
                "program_id",
                "o.id",
                "d"
            ),
            no_milestones = missing(
                "stages.milestones",
                ListMilestones::NAME,
                "stage_id",
                "s.j -> 'id'",
                "s"
            ),
        );
        match call.json(&sql, &filter.params()).await? {
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
    ListPrograms,
    GetProgram => own,
    CreateProgram,
    UpdateProgram,
    DeleteProgram,
    InstantiateProgram => own,
];
