-- Programs: stages, milestones, what depends on what, and how far members are (specification, sections 2
-- and 4.4).

create table learn.programs (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  name text not null,
  slug text not null constraint "slug must be lower-case letters and digits, joined by '-'"
    check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  found_by text generated always as (app.search_key(name || ' ' || slug)) stored,
  kind text not null default 'template' constraint programs_kind_check check (kind in ('template', 'instance')),
  status text not null default 'active' constraint programs_status_check
    check (status in ('upcoming', 'locked', 'active', 'done')),
  cohort_id uuid,
  source_program_id uuid,
  created_at timestamptz not null default now(),
  constraint "cohort_id must be given for an instance, and not for a template"
    check ((kind = 'instance') = (cohort_id is not null)),
  constraint "source_program_id must not be given for a template"
    check (kind = 'instance' or source_program_id is null),
  constraint programs_slug_key unique (organization_id, slug),
  -- A cohort has one instance.
  constraint programs_cohort_id_key unique (cohort_id, organization_id),
  constraint programs_cohort_id_fkey foreign key (cohort_id, organization_id)
    references learn.cohorts (id, owner_id),
  constraint programs_source_program_id_fkey foreign key (source_program_id, organization_id)
    references learn.programs (id, organization_id) on delete set null (source_program_id),
  unique (id, organization_id)
);
create index programs_source_program_id_idx on learn.programs (source_program_id, organization_id);
create trigger default_slug before insert on learn.programs
  for each row execute function app.default_slug('name', 'organization_id');
select app.protect_by('learn.programs', '(select app.caller_is_person())', '(select app.caller_is_admin())');

create table learn.stages (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org(),
  program_id uuid not null,
  title text not null,
  subtitle text,
  color text constraint "color must be '#' and six hexadecimal digits, such as #1A2B3C"
    check (color ~ '^#[0-9A-Fa-f]{6}$'),
  position double precision not null default 0 constraint "position must not be negative" check (position >= 0),
  status text not null default 'upcoming' constraint stages_status_check
    check (status in ('upcoming', 'locked', 'active', 'done')),
  created_at timestamptz not null default now(),
  constraint stages_program_id_fkey foreign key (program_id, organization_id)
    references learn.programs (id, organization_id) on delete cascade,
  unique (id, organization_id)
);
create index stages_program_id_idx on learn.stages (program_id, organization_id, position, id);
select app.protect_by('learn.stages', '(select app.caller_is_person())', '(select app.caller_is_admin())');

create table learn.milestones (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org(),
  stage_id uuid not null,
  title text not null,
  description text,
  position double precision not null default 0 constraint "position must not be negative" check (position >= 0),
  points double precision not null default 0 constraint "points must not be negative" check (points >= 0),
  status text not null default 'upcoming' constraint milestones_status_check
    check (status in ('upcoming', 'locked', 'active', 'done')),
  -- A lesson, or material of another system: no reference.
  linked_material_id uuid,
  linked_tool_id text,
  created_at timestamptz not null default now(),
  constraint milestones_stage_id_fkey foreign key (stage_id, organization_id)
    references learn.stages (id, organization_id) on delete cascade,
  unique (id, organization_id)
);
create index milestones_stage_id_idx on learn.milestones (stage_id, organization_id, position, id);
create index milestones_linked_material_id_idx on learn.milestones (linked_material_id, organization_id);
select app.protect_by('learn.milestones', '(select app.caller_is_person())', '(select app.caller_is_admin())');

-- Dependencies -------------------------------------------------------------------------------------

create table learn.stage_dependencies (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org(),
  program_id uuid not null,
  node_kind text not null constraint stage_dependencies_node_kind_check check (node_kind in ('stage', 'milestone')),
  predecessor_id uuid not null,
  successor_id uuid not null,
  created_at timestamptz not null default now(),
  constraint "successor_id must not be its own predecessor" check (predecessor_id <> successor_id),
  constraint stage_dependencies_successor_id_key
    unique (program_id, organization_id, node_kind, predecessor_id, successor_id),
  constraint stage_dependencies_program_id_fkey foreign key (program_id, organization_id)
    references learn.programs (id, organization_id) on delete cascade
);
create index stage_dependencies_successor_id_idx on learn.stage_dependencies (successor_id, organization_id);
create index stage_dependencies_predecessor_id_idx on learn.stage_dependencies (predecessor_id, organization_id);
select app.protect_by('learn.stage_dependencies', '(select app.caller_is_person())', '(select app.caller_is_admin())');

-- The stages and milestones of programs.
create view learn.nodes with (security_invoker = true) as
  select s.program_id, 'stage' as node_kind, s.id, s.title, s.status from learn.stages s
  union all
  select s.program_id, 'milestone', m.id, m.title, m.status
  from learn.milestones m join learn.stages s on s.id = m.stage_id;
grant select on learn.nodes to authenticated;

-- Both ends are nodes of the program, and no way leads back. The program is locked, so that two callers who
-- each add half of a cycle come one after the other.
create function learn.check_dependency() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  end_name text;
  node uuid;
  way text;
begin
  perform from learn.programs p where p.id = new.program_id for update;
  if not found then
    raise foreign_key_violation using table = 'stage_dependencies',
      constraint = 'stage_dependencies_program_id_fkey';
  end if;
  foreach end_name in array array['predecessor_id', 'successor_id'] loop
    node := (to_jsonb(new) ->> end_name)::uuid;
    if not exists (select from learn.nodes n
                   where n.id = node and n.program_id = new.program_id and n.node_kind = new.node_kind) then
      raise foreign_key_violation using table = 'stage_dependencies',
        constraint = format('stage_dependencies_%s_fkey', end_name);
    end if;
  end loop;
  with recursive ways (id, titles) as (
    select new.successor_id, array[(select n.title from learn.nodes n where n.id = new.successor_id)]
    union all
    select d.successor_id, w.titles || (select n.title from learn.nodes n where n.id = d.successor_id)
    from ways w join learn.stage_dependencies d on d.predecessor_id = w.id
    where d.program_id = new.program_id
  ) cycle id set is_again using visited
  select array_to_string(titles, ' → ') into way from ways where id = new.predecessor_id limit 1;
  if way is not null then
    raise check_violation using constraint = format('successor_id would close a cycle: %s → %s', way,
      (select n.title from learn.nodes n where n.id = new.successor_id));
  end if;
  return new;
end
$$;
grant execute on function learn.check_dependency() to authenticated;
-- The demo is loaded by the owner, in an order of its own.
create trigger check_dependency before insert on learn.stage_dependencies
  for each row when (current_user = 'authenticated') execute function learn.check_dependency();

-- A node that goes takes its edges along: they refer to two tables, so that no foreign key does it.
create function learn.forget_node() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  delete from learn.stage_dependencies d where old.id in (d.predecessor_id, d.successor_id);
  return old;
end
$$;
grant execute on function learn.forget_node() to authenticated;
create trigger forget_node after delete on learn.stages for each row execute function learn.forget_node();
create trigger forget_node after delete on learn.milestones for each row execute function learn.forget_node();

-- The predecessors that are not done, in a fixed order.
create function learn.gates(node uuid) returns uuid[]
  language sql stable set search_path = ''
  return array(
    select d.predecessor_id from learn.stage_dependencies d
    where d.successor_id = node
      and not exists (select from learn.stages s where s.id = d.predecessor_id and s.status = 'done')
      and not exists (select from learn.milestones m where m.id = d.predecessor_id and m.status = 'done')
    order by d.predecessor_id);
grant execute on function learn.gates(uuid) to authenticated;

-- Copies -------------------------------------------------------------------------------------------

-- The instance of a cohort: a deep copy of the template, or the one that there is. A copy's ids follow from
-- the instance's and the original's, so that edges find their ends.
create function learn.instantiate(template uuid, cohort uuid, out program_id uuid, out created boolean)
  language plpgsql set search_path = ''
as $$
declare
  source learn.programs;
begin
  perform from learn.cohorts c where c.id = cohort;
  if not found then
    raise foreign_key_violation using schema = 'learn', table = 'programs', constraint = 'programs_cohort_id_fkey';
  end if;
  select * into source from learn.programs p where p.id = template;
  if not found then
    raise foreign_key_violation using schema = 'learn', table = 'programs', constraint = 'programs_template_id_fkey';
  end if;
  if source.kind <> 'template' then
    raise check_violation using constraint = 'template_id is an instance, and not a template';
  end if;
  insert into learn.programs (name, slug, kind, cohort_id, source_program_id)
  select source.name, source.slug || '-' || c.slug, 'instance', c.id, source.id
  from learn.cohorts c where c.id = cohort
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
  from learn.stages s where s.program_id = template;
  insert into learn.milestones (id, stage_id, title, description, position, points, status,
                                linked_material_id, linked_tool_id)
  select learn.copied(instantiate.program_id, m.id), learn.copied(instantiate.program_id, s.id), m.title,
         m.description, m.position, m.points, m.status, m.linked_material_id, m.linked_tool_id
  from learn.stages s join learn.milestones m on m.stage_id = s.id where s.program_id = template;
  insert into learn.stage_dependencies (program_id, node_kind, predecessor_id, successor_id)
  select instantiate.program_id, d.node_kind, learn.copied(instantiate.program_id, d.predecessor_id),
         learn.copied(instantiate.program_id, d.successor_id)
  from learn.stage_dependencies d where d.program_id = template;
end
$$;

create function learn.copied(into_program uuid, original uuid) returns uuid
  language sql immutable strict parallel safe set search_path = ''
  return md5(into_program::text || original::text)::uuid;
grant execute on function learn.instantiate(uuid, uuid), learn.copied(uuid, uuid) to authenticated;

-- Progress -----------------------------------------------------------------------------------------

create table learn.milestone_completions (
  milestone_id uuid not null,
  member_id uuid not null,
  organization_id uuid not null default app.caller_org(),
  completed_at timestamptz not null default now(),
  primary key (milestone_id, organization_id, member_id),
  constraint milestone_completions_milestone_id_fkey foreign key (milestone_id, organization_id)
    references learn.milestones (id, organization_id) on delete cascade,
  constraint milestone_completions_member_id_fkey foreign key (member_id, organization_id)
    references learn.members (id, organization_id) on delete cascade
);
create index milestone_completions_member_id_idx on learn.milestone_completions (member_id, organization_id, completed_at);
select app.protect_by('learn.milestone_completions',
  '(select app.caller_is_admin()) or member_id = (select app.caller_member())', '(select app.caller_is_admin())');

-- A lesson that a member completes completes the milestones of the member's programs that link to it. The
-- member may not write completions: this function may.
create function learn.complete_milestones() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into learn.milestone_completions (milestone_id, member_id, organization_id, completed_at)
  select m.id, p.member_id, m.organization_id, new.completed_at
  from learn.profiles p
  join learn.cohort_members c on c.member_id = p.member_id
  join learn.programs g on g.cohort_id = c.cohort_id
  join learn.stages s on s.program_id = g.id
  join learn.milestones m on m.stage_id = s.id
  where p.id = new.user_id and m.linked_material_id = new.lesson_id
  on conflict do nothing;
  return new;
end
$$;
create trigger complete_milestones after insert or update of completed_at on learn.lesson_progress
  for each row when (new.completed_at is not null) execute function learn.complete_milestones();

-- How far each member of a cohort is in the cohort's program.
create view learn.program_member_progress with (security_invoker = true) as
  select c.organization_id, c.member_id, m.name as member_name, m.name_key, c.cohort_id, p.id as program_id,
         (select u.id from learn.profiles u where u.member_id = c.member_id) as user_id,
         t.total, t.done,
         case when t.total = 0 then 0 else round(100.0 * t.done / t.total, 1)::double precision end as percentage,
         t.last_completed_at
  from learn.cohort_members c
  join learn.members m on m.id = c.member_id
  join learn.programs p on p.cohort_id = c.cohort_id
  cross join lateral (
    select count(*)::integer as total, count(d.milestone_id)::integer as done,
           max(d.completed_at) as last_completed_at
    from learn.stages s
    join learn.milestones n on n.stage_id = s.id
    left join learn.milestone_completions d on d.milestone_id = n.id and d.member_id = c.member_id
    where s.program_id = p.id
  ) t;
grant select on learn.program_member_progress to authenticated;
