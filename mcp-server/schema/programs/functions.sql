-- Programs -----------------------------------------------------------------------------------------

-- An instance is made from a template. Callers who cannot add programs are refused by the policy, which comes later.
create function learn.check_source() returns trigger language plpgsql set search_path = '' as $$
begin
  if app.caller_is_admin() and exists (
    select from learn.programs p where p.id = new.source_program_id and p.kind <> 'template'
  ) then
    raise check_violation using column = 'source_program_id', message = 'must be a template, not an instance';
  end if;
  return new;
end
$$;
create trigger source_is_checked before insert on learn.programs
  for each row when (new.source_program_id is not null and current_user = 'authenticated')
  execute function learn.check_source();

create function learn.copied(into_program uuid, original uuid) returns uuid
  language sql immutable strict parallel safe set search_path = ''
  return md5(into_program::text || original::text)::uuid;

-- Makes the instance of a cohort, a deep copy of the template, or returns the existing one. It is named after its
-- template and the cohort: “Fellowship · 2026”. A cohort whose name begins with the name of the template gives its own.
-- The ids of copies are computed from the ids of the instance and the originals, so that dependencies find both ends.
create function learn.instantiate(template uuid, cohort uuid, out program_id uuid, out created boolean)
  language plpgsql set search_path = '' as $$
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

-- Dependencies -------------------------------------------------------------------------------------

-- Refuses callers who cannot add dependencies before anything is read. Its name sorts before `check_dependency`, so
-- it runs first.
create function learn.require_admin() returns trigger language plpgsql set search_path = '' as $$
begin
  if not app.caller_is_admin() then
    raise insufficient_privilege;
  end if;
  return new;
end
$$;
create trigger admins_add before insert on learn.stage_dependencies
  for each row when (current_user = 'authenticated') execute function learn.require_admin();

-- Both ends are nodes of the program, and no path leads back. The program is locked, so that two callers who each add
-- half of a cycle take turns. The owner loads the demo in another order.
create function learn.check_dependency() returns trigger language plpgsql set search_path = '' as $$
declare
  end_name text;
  node uuid;
  way text;
begin
  perform from learn.programs p where p.id = new.program_id for update;
  if not found then
    raise foreign_key_violation using table = 'stage_dependencies', constraint = 'stage_dependencies_program_id_fkey';
  end if;
  foreach end_name in array array['predecessor_id', 'successor_id'] loop
    node := (to_jsonb(new) ->> end_name)::uuid;
    if not exists (select from learn.nodes n
                   where n.id = node and n.program_id = new.program_id and n.node_kind = new.node_kind) then
      raise foreign_key_violation using
        column = end_name, message = format('there is no such %s in this program', new.node_kind);
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
    raise check_violation using column = 'successor_id', message = format(
      'would close a cycle: %s → %s', way, (select n.title from learn.nodes n where n.id = new.successor_id));
  end if;
  return new;
end
$$;
-- The owner loads the demo in another order.
create trigger check_dependency before insert on learn.stage_dependencies
  for each row when (current_user = 'authenticated') execute function learn.check_dependency();

-- Both ends of a dependency are nodes of the program, and no path leads back, when all rows are restored.
create function learn.check_restored_dependency()
  returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from learn.stage_dependencies d where d.id = new.id) then
    return null;
  elsif (select count(*) from learn.nodes n
      where n.id in (new.predecessor_id, new.successor_id) and n.program_id = new.program_id) < 2 then
    raise unique_violation using column = 'change_id', message = 'a stage or milestone of a dependency does not exist any more';
  elsif exists (
    with recursive later (id) as (
      select new.successor_id
      union
      select d.successor_id from later l join learn.stage_dependencies d on d.predecessor_id = l.id
    )
    select from later where id = new.predecessor_id) then
    raise unique_violation using column = 'change_id', message = 'a dependency would close a cycle with one that was added since then';
  end if;
  return null;
end
$$;
create constraint trigger check_restored after insert or update
  on learn.stage_dependencies deferrable initially deferred
  for each row when (current_setting('app.restoring', true) is not distinct from 'on') execute function learn.check_restored_dependency();

-- Deletes the dependencies of a deleted node: they refer to two tables, so a foreign key cannot do it.
create function learn.forget_node() returns trigger language plpgsql set search_path = '' as $$
begin
  delete from learn.stage_dependencies d where old.id in (d.predecessor_id, d.successor_id);
  return old;
end
$$;
create trigger forget_node after delete on learn.stages
  for each row when (current_setting('app.restoring', true) is distinct from 'on') execute function learn.forget_node();
create trigger forget_node after delete on learn.milestones
  for each row when (current_setting('app.restoring', true) is distinct from 'on') execute function learn.forget_node();

grant execute on function
  learn.check_source, learn.copied, learn.instantiate, learn.require_admin, learn.check_dependency, learn.forget_node
  to authenticated;
