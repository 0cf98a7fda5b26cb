-- A program for a cohort is named after its template and the cohort: “Fellowship · 2026”. A cohort whose name begins
-- with the name of the template gives its own.

create or replace function learn.instantiate(template uuid, cohort uuid, out program_id uuid, out created boolean)
  language plpgsql set search_path = ''
as $$
declare
  source learn.programs;
  of_cohort learn.cohorts;
begin
  select * into of_cohort from learn.cohorts c where c.id = cohort;
  if not found then
    raise foreign_key_violation using schema = 'learn', table = 'programs', constraint = 'programs_cohort_id_fkey';
  end if;
  select * into source from learn.programs p where p.id = template;
  if not found then
    raise foreign_key_violation using schema = 'learn', table = 'programs', constraint = 'programs_template_id_fkey';
  end if;
  if source.kind <> 'template' then
    raise check_violation using column = 'template_id', message = 'must be a template, not an instance';
  end if;
  insert into learn.programs (name, slug, kind, cohort_id, source_program_id)
  values (case
            when starts_with(lower(of_cohort.name), lower(source.name)) then of_cohort.name
            else left(source.name || ' · ' || of_cohort.name, 200)
          end,
          app.free_slug('learn.programs', 'organization_id', app.caller_org(), source.slug || '-' || of_cohort.slug),
          'instance', cohort, source.id)
  on conflict (cohort_id, organization_id) do nothing
  returning id into program_id;
  created := program_id is not null;
  if not created then
    select p.id into program_id from learn.programs p where p.cohort_id = cohort;
    return;
  end if;
  insert into learn.stages (id, program_id, title, subtitle, color, position, status)
  select learn.copied(instantiate.program_id, s.id), instantiate.program_id, s.title, s.subtitle, s.color, s.position,
         s.status
  from learn.stages s where s.program_id = template order by s.ordinal;
  insert into learn.milestones (id, stage_id, title, description, position, points, status,
                                linked_material_id, linked_tool_id)
  select learn.copied(instantiate.program_id, m.id), learn.copied(instantiate.program_id, s.id), m.title,
         m.description, m.position, m.points, m.status, m.linked_material_id, m.linked_tool_id
  from learn.stages s join learn.milestones m on m.stage_id = s.id where s.program_id = template order by m.ordinal;
  insert into learn.stage_dependencies (program_id, node_kind, predecessor_id, successor_id)
  select instantiate.program_id, d.node_kind, learn.copied(instantiate.program_id, d.predecessor_id),
         learn.copied(instantiate.program_id, d.successor_id)
  from learn.stage_dependencies d where d.program_id = template;
end
$$;
