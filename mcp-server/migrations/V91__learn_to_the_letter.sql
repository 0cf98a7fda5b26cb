-- The learn host as the specification has it: slugs, levels, positions, dependencies and parents.

-- Slugs --------------------------------------------------------------------------------------------

-- The slug closest to this text that is free in the organisation: at most 100 characters, as the argument takes it,
-- with a number where it is taken. Runs as the owner: the caller does not see every record that has a slug. Of the
-- transactions that make a slug in an organisation one runs at a time, so that the slug stays free until the insert.
create function app.free_slug(records regclass, organization_column text, organization uuid, words text) returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  longest constant integer := 100;
  base constant text := app.slug(words);
  free text := rtrim(left(base, longest), '-');
  taken boolean;
begin
  perform pg_advisory_xact_lock(hashtextextended(organization::text, 91));
  for number in 2 .. 1000000 loop
    execute format('select exists (select from %s where %I = $1 and slug = $2)', records, organization_column)
      into taken using organization, free;
    exit when not taken;
    free := rtrim(left(base, longest - 1 - length(number::text)), '-') || '-' || number;
  end loop;
  return free;
end
$$;

-- Gives a row without a slug the one of its name or title. The trigger names that column, the organisation's, and the
-- word that stands for a text without a letter or digit of the alphabet. A slug that is given waits, too, for those
-- that are made at the same time.
create or replace function app.default_slug() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  words constant text := to_jsonb(new) ->> tg_argv[0];
  organization constant uuid := to_jsonb(new) ->> tg_argv[1];
begin
  perform pg_advisory_xact_lock(hashtextextended(organization::text, 91));
  if new.slug is null then
    new.slug := app.free_slug(tg_relid::regclass, tg_argv[1], organization,
      case app.slug(words) when '' then tg_argv[2] else words end);
  end if;
  return new;
end
$$;
grant execute on function app.free_slug(regclass, text, uuid, text) to authenticated;

create or replace trigger default_slug before insert on learn.cohorts
  for each row execute function app.default_slug('name', 'owner_id', 'cohort');
create or replace trigger default_slug before insert on learn.programs
  for each row execute function app.default_slug('name', 'organization_id', 'program');
create or replace trigger default_slug before insert on learn.wiki_articles
  for each row execute function app.default_slug('title', 'organization_id', 'article');
create or replace trigger default_slug before insert on plans.plans
  for each row execute function app.default_slug('name', 'organization_id', 'plan');
create or replace trigger default_slug before insert on ops.apps
  for each row execute function app.default_slug('name', 'organization_id', 'app');

-- Levels -------------------------------------------------------------------------------------------

-- Who reads courses, programs and the wiki: everybody in the organisation, and machines of level 80 and above.
create function learn.caller_reads() returns boolean
  language sql stable parallel safe
  return app.caller_is_person() or app.caller_is_admin();
grant execute on function learn.caller_reads() to authenticated;

do $$
declare
  records text;
  ours constant text := 'organization_id = (select app.caller_org()) and (select learn.caller_reads())';
begin
  foreach records in array array['courses', 'programs', 'stages', 'milestones', 'stage_dependencies'] loop
    execute format('alter policy read on learn.%I using (%s)', records, ours);
    execute format('alter policy write on learn.%I using (%s)', records, ours);
  end loop;
end
$$;
alter policy read on learn.content_types using ((select learn.caller_reads()));
alter policy add on learn.wiki_articles with check (organization_id = (select app.caller_org())
  and ((select app.caller_is_admin())
    or (select app.caller_is_person()) and author_id = (select app.caller_id())));
alter policy write on learn.wiki_articles with check (organization_id = (select app.caller_org())
  and ((select app.caller_is_admin())
    or (select app.caller_is_person()) and author_id = (select app.caller_id())));

-- Every signed-in caller lists cohorts.
alter policy read on learn.cohorts using (owner_id = (select app.caller_org()));
alter policy write on learn.cohorts using (owner_id = (select app.caller_org()));

-- Progress and fellow slugs are of members and profiles: a global admin sees all of them.
alter policy read on learn.members
  using (organization_id = (select app.caller_org())
    and ((select app.caller_is_staff()) or (select app.caller_is_admin()) or id = (select app.caller_member())));
alter policy read on learn.profiles
  using (id = (select app.caller_id())
    or organization_id = (select app.caller_org())
       and ((select app.caller_is_staff()) or (select app.caller_is_admin())));

-- Searches of people -------------------------------------------------------------------------------

-- A caller who sees no member but their own must not learn from the time that a search takes whether it matches others:
-- only the caller's own member is looked at.
create or replace function learn.find_members(search text) returns uuid[]
  language plpgsql stable security definer
  set search_path = '' set plan_cache_mode = force_custom_plan set random_page_cost = 1.1
as $$
declare
  most constant integer := 2000;
  pattern constant text := app.search_pattern(search);
begin
  if not (app.caller_is_staff() or app.caller_is_admin()) then
    return array(select t.id from learn.members t
                 where t.id = app.caller_member() and t.organization_id = app.caller_org()
                   and t.found_by like pattern);
  end if;
  return (select case when count(*) <= most then coalesce(array_agg(found.id), '{}') end
          from (select t.id from learn.members t
                where t.organization_id = app.caller_org() and t.found_by like pattern limit most + 1) found);
end
$$;

-- The profiles of the caller's organisation whose name or address matches: the address that they sign in with, or one
-- of their member. Runs as the owner, who reads the accounts; again, a caller who sees no other profile looks at none.
create function learn.find_profiles(search text) returns uuid[]
  language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  pattern constant text := app.search_pattern(search);
begin
  return array(
    select p.id from learn.profiles p
    left join learn.members m on m.id = p.member_id
    left join auth.users u on u.id = p.id
    where p.organization_id = app.caller_org()
      and (app.caller_is_staff() or app.caller_is_admin() or p.id = app.caller_id())
      and (p.name_key like pattern or m.found_by like pattern or lower(u.email) like pattern));
end
$$;
grant execute on function learn.find_profiles(text) to authenticated;

-- Positions ----------------------------------------------------------------------------------------

-- Records of one position are listed in the order of their creation. A time is not enough: what one transaction makes
-- has one.
do $$
declare
  records text;
begin
  foreach records in array array['courses', 'lessons', 'stages', 'milestones'] loop
    execute format('alter table learn.%I add column ordinal bigint generated by default as identity', records);
    execute format(
      'update learn.%1$I t set ordinal = o.ordinal
       from (select id, row_number() over (order by created_at, id) as ordinal from learn.%1$I) o where o.id = t.id',
      records);
  end loop;
end
$$;
drop index learn.courses_listed_idx, learn.lessons_course_id_idx, learn.stages_program_id_idx,
  learn.milestones_stage_id_idx;
create index courses_listed_idx on learn.courses (organization_id, position, ordinal);
create index lessons_course_id_idx on learn.lessons (course_id, organization_id, position, ordinal);
create index stages_program_id_idx on learn.stages (program_id, organization_id, position, ordinal);
create index milestones_stage_id_idx on learn.milestones (stage_id, organization_id, position, ordinal);

-- Programs -----------------------------------------------------------------------------------------

-- An instance is made from a template. Who may not add programs is refused by the policy, which comes later.
create function learn.check_source() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if app.caller_is_admin() and exists (
    select from learn.programs p where p.id = new.source_program_id and p.kind <> 'template'
  ) then
    raise check_violation using constraint = 'source_program_id must be a template, not an instance';
  end if;
  return new;
end
$$;
grant execute on function learn.check_source() to authenticated;
create trigger source_is_checked before insert on learn.programs
  for each row when (new.source_program_id is not null and current_user = 'authenticated')
  execute function learn.check_source();

-- Who may not add dependencies is told so before anything is looked at. The name puts it before `check_dependency`.
create function learn.require_admin() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if not app.caller_is_admin() then
    raise insufficient_privilege;
  end if;
  return new;
end
$$;
grant execute on function learn.require_admin() to authenticated;
create trigger admins_add before insert on learn.stage_dependencies
  for each row when (current_user = 'authenticated') execute function learn.require_admin();

-- As before, but for the slug, which is free, and for the order of what is copied.
create or replace function learn.instantiate(template uuid, cohort uuid, out program_id uuid, out created boolean)
  language plpgsql set search_path = ''
as $$
declare
  source learn.programs;
  of_cohort text;
begin
  select c.slug into of_cohort from learn.cohorts c where c.id = cohort;
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
  values (source.name,
          app.free_slug('learn.programs', 'organization_id', app.caller_org(), source.slug || '-' || of_cohort),
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

-- The wiki -----------------------------------------------------------------------------------------

-- Whether an article is above itself, where it has this slug and this parent. Runs as the owner: the way may lead
-- through articles that the caller does not see.
create function learn.closes_cycle(article uuid, organization uuid, slug text, parent text) returns boolean
  language sql stable security definer set search_path = ''
begin atomic
  with recursive above (slug) as (
    select parent
    union
    select a.metadata ->> 'parent_slug' from above b
    join learn.wiki_articles a on a.slug = b.slug and a.organization_id = organization
    where a.id <> article
  )
  select exists (select from above where above.slug = closes_cycle.slug);
end;

create or replace function learn.check_parent() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  parent text := new.metadata ->> 'parent_slug';
begin
  if parent is null or tg_op = 'UPDATE' and parent is not distinct from old.metadata ->> 'parent_slug'
                                         and new.slug = old.slug then
    return new;
  end if;
  -- Who may not write the article is told so before anything is looked at.
  if tg_op = 'UPDATE' and not (app.caller_is_admin() or old.author_id = app.caller_id()) then
    raise insufficient_privilege;
  end if;
  perform pg_advisory_xact_lock(hashtextextended(new.organization_id::text, 42));
  if tg_op = 'INSERT' or parent is distinct from old.metadata ->> 'parent_slug' then
    if parent = new.slug or not exists (
      select from learn.wiki_articles a where a.organization_id = new.organization_id and a.slug = parent
    ) then
      raise check_violation using constraint = case when parent = new.slug
        then 'metadata.parent_slug must not be the article itself'
        else 'metadata.parent_slug is no article: ' || parent end;
    end if;
  end if;
  if learn.closes_cycle(new.id, new.organization_id, new.slug, parent) then
    raise check_violation using constraint = 'metadata.parent_slug would close a cycle through ' || parent;
  end if;
  return new;
end
$$;
grant execute on function learn.closes_cycle(uuid, uuid, text, text) to authenticated;
