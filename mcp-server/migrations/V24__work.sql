-- The work host: projects, epics, deliveries, tasks, placements and label aliases (specification, sections 2 and
-- 4.5). docs/access.md lists the rights.

create schema work authorization frontdesk_owner;
grant usage on schema work to authenticated;

-- Tables: projects, epics, deliveries --------------------------------------------------------------

create table work.projects (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  name text not null,
  name_key text generated always as (app.search_key(name)) stored,
  business_unit_id uuid,
  created_at timestamptz not null default now(),
  constraint projects_business_unit_id_fkey foreign key (business_unit_id, organization_id)
    references strategy.business_units (id, organization_id),
  unique (id, organization_id)
);
create index projects_listed_idx on work.projects (organization_id, name_key, id);
create index projects_business_unit_id_idx on work.projects (business_unit_id, organization_id, name_key, id);
create index projects_search_idx on work.projects using gin (name_key extensions.gin_trgm_ops);

create table work.epics (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  name text not null,
  name_key text generated always as (app.search_key(name)) stored,
  project_id uuid,
  notes text,
  status text not null default 'pending' check (status in ('pending', 'in_progress', 'done', 'no_longer_needed')),
  is_long_lived boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint epics_project_id_fkey foreign key (project_id, organization_id)
    references work.projects (id, organization_id),
  unique (id, organization_id)
);
create index epics_listed_idx on work.epics (organization_id, name_key, id);
create index epics_project_id_idx on work.epics (project_id, organization_id, name_key, id) include (status);
create index epics_search_idx on work.epics using gin (name_key extensions.gin_trgm_ops);

create table work.deliveries (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  name text not null,
  name_key text generated always as (app.search_key(name)) stored,
  notes text,
  found_by text generated always as (app.search_key(name || ' ' || coalesce(notes, ''))) stored,
  epic_id uuid not null,
  owner_id uuid,
  status text not null default 'pending'
    check (status in ('pending', 'in_progress', 'completed', 'canceled', 'no_longer_needed')),
  price numeric(14, 2) check (price >= 0),
  price_per_point numeric(14, 2) check (price_per_point >= 0),
  total_points double precision check (total_points >= 0),
  -- Set by an update; null if they follow the delivery's tasks.
  number_of_tasks integer check (number_of_tasks >= 0),
  number_of_completed_tasks integer check (number_of_completed_tasks >= 0),
  transaction_id uuid,
  created_at timestamptz not null default now(),
  constraint deliveries_epic_id_fkey foreign key (epic_id, organization_id) references work.epics (id, organization_id),
  constraint deliveries_owner_id_fkey foreign key (owner_id, organization_id)
    references learn.members (id, organization_id),
  constraint deliveries_transaction_id_fkey foreign key (transaction_id, organization_id)
    references payments.transactions (id, organization_id),
  unique (id, organization_id, epic_id)
);
create index deliveries_listed_idx on work.deliveries (organization_id, name_key, id);
create index deliveries_epic_id_idx on work.deliveries (epic_id, organization_id, name_key, id);
create index deliveries_owner_id_idx on work.deliveries (owner_id, organization_id, name_key, id);
create index deliveries_transaction_id_idx on work.deliveries (transaction_id, organization_id);
create index deliveries_search_idx on work.deliveries using gin (found_by extensions.gin_trgm_ops);

-- Tables: tasks ------------------------------------------------------------------------------------

-- An agent that a task is for, by its slug.
create table work.actors (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  name text not null,
  created_at timestamptz not null default now(),
  constraint actors_slug_key unique (organization_id, slug)
);

-- The last task number of an organisation, and the prefix of its identifiers: CA-142.
create table work.task_numbers (
  organization_id uuid primary key references app.organizations (id),
  prefix text not null,
  last integer not null
);

create table work.tasks (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  -- Set by a trigger, and never changed.
  number integer not null,
  identifier text not null,
  name text not null,
  name_key text generated always as (app.search_key(name)) stored,
  description text,
  epic_id uuid,
  delivery_id uuid,
  -- A task without an owner would not be on the board.
  owner_id uuid not null default app.caller_member(),
  status text not null default 'to_do'
    check (status in ('to_do', 'in_progress', 'dev_completed', 'done', 'no_longer_needed', 'blocked')),
  points double precision check (points >= 0),
  priority double precision,
  estimated_date date,
  attachments text[] not null default '{}',
  acceptance_criteria text[] not null default '{}',
  stage_id text check (stage_id in ('spec', 'design', 'execution', 'review', 'decision', 'qa')),
  context jsonb not null default '{}' check (jsonb_typeof(context) = 'object'),
  constraint tasks_context_size_check check (app.is_bounded(context, 65536)),
  -- Null for a human task.
  actor_slug text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint tasks_number_key unique (organization_id, number),
  constraint tasks_identifier_key unique (organization_id, identifier),
  constraint tasks_epic_id_fkey foreign key (epic_id, organization_id) references work.epics (id, organization_id),
  -- If a delivery moves to another epic, its tasks move with it; if it is deleted, they stay with their epic.
  constraint tasks_delivery_id_fkey foreign key (delivery_id, organization_id, epic_id)
    references work.deliveries (id, organization_id, epic_id) on update cascade on delete set null (delivery_id),
  constraint tasks_owner_id_fkey foreign key (owner_id, organization_id) references learn.members (id, organization_id),
  constraint tasks_actor_slug_fkey foreign key (actor_slug, organization_id)
    references work.actors (slug, organization_id),
  unique (id, organization_id)
);
create index tasks_listed_idx on work.tasks (organization_id, priority, number);
create index tasks_epic_id_idx on work.tasks (epic_id, organization_id, priority, number) include (status);
create index tasks_delivery_id_idx on work.tasks (delivery_id, organization_id, priority, number) include (status);
create index tasks_owner_id_idx on work.tasks (owner_id, organization_id, priority, number);
create index tasks_status_idx on work.tasks (organization_id, status, priority, number);
create index tasks_actor_slug_idx on work.tasks (actor_slug, organization_id);
create index tasks_search_idx on work.tasks using gin (name_key extensions.gin_trgm_ops);

-- Every change of a task's status, with the owner that the task had.
create table work.task_status_changes (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org(),
  task_id uuid not null,
  owner_id uuid not null,
  from_status text,
  to_status text not null,
  changed_by uuid default app.caller_id(),
  changed_at timestamptz not null default now(),
  constraint task_status_changes_task_id_fkey foreign key (task_id, organization_id)
    references work.tasks (id, organization_id) on delete cascade,
  constraint task_status_changes_owner_id_fkey foreign key (owner_id, organization_id)
    references learn.members (id, organization_id) on delete cascade
);
create index task_status_changes_task_id_idx on work.task_status_changes (task_id, organization_id, changed_at);
create index task_status_changes_owner_id_idx on work.task_status_changes (owner_id, organization_id, changed_at);

-- Tables: placements and label aliases -------------------------------------------------------------

create table work.placements (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org(),
  member_id uuid not null,
  company text not null,
  role text not null,
  type text not null default 'employed' check (type in ('employed', 'freelance', 'founded', 'internship')),
  started_at date not null,
  ended_at date,
  placement_tier text check (placement_tier in ('A', 'B', 'C')),
  source_of_record text not null default 'self_report'
    check (source_of_record in ('self_report', 'mentor_confirmed', 'contract_doc', 'employer_confirmed')),
  is_internal_hire_promoted boolean not null default false,
  had_prior_tech_background boolean,
  consent_to_report boolean not null default false,
  evidence_url text,
  notes text,
  created_by uuid default app.caller_id(),
  created_at timestamptz not null default now(),
  constraint placements_ended_at_check check (ended_at >= started_at),
  constraint placements_member_id_fkey foreign key (member_id, organization_id)
    references learn.members (id, organization_id)
);
create index placements_member_id_idx on work.placements (member_id, organization_id, started_at);

-- The member for whom a label of meetings stands, character by character.
create table work.member_label_aliases (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  alias text not null,
  member_id uuid not null,
  source text not null default 'manual',
  confidence double precision not null default 1 check (confidence between 0 and 1),
  context text,
  created_at timestamptz not null default now(),
  constraint member_label_aliases_alias_key unique (organization_id, alias, member_id),
  constraint member_label_aliases_member_id_fkey foreign key (member_id, organization_id)
    references learn.members (id, organization_id) on delete cascade
);
create index member_label_aliases_member_id_idx on work.member_label_aliases (member_id, organization_id);

-- Access -------------------------------------------------------------------------------------------

-- Everybody in the organisation except machines sees the work and writes tasks; owners, admins and staff plan it.
do $$
declare
  people constant text[] := '{owner,admin,staff,teacher,finance,fellow}';
  desk constant text[] := '{owner,admin,staff}';
begin
  perform app.protect('work.projects', people, desk),
          app.protect('work.epics', people, desk),
          app.protect('work.deliveries', people, desk),
          app.protect('work.actors', people, '{}'),
          app.protect('work.tasks', people, people),
          app.protect('work.task_status_changes', people, '{}'),
          app.protect('work.member_label_aliases', '{owner,admin,staff,teacher,finance}', desk);
end
$$;
select app.protect_by('work.placements',
  '(select app.caller_is_staff()) and (select app.caller_is_admin())',
  '(select app.caller_is_staff()) and (select app.caller_is_admin())');
select app.admit_nobody('work.task_numbers');
-- No tool does these.
revoke insert, update, delete on work.actors, work.task_status_changes from authenticated;
revoke update, delete on work.placements from authenticated;
revoke delete on work.member_label_aliases from authenticated;

-- Functions and triggers ---------------------------------------------------------------------------

call app.make_searchable('work.projects', 't.name_key like pattern');
call app.make_searchable('work.epics', 't.name_key like pattern');
call app.make_searchable('work.deliveries', 't.found_by like pattern');
call app.make_searchable('work.tasks', 't.name_key like pattern or t.identifier = upper(search)');

create trigger refuse_while_in_use before delete on work.projects
  for each row when (current_setting('app.restoring', true) is distinct from 'on')
  execute function app.refuse_while_in_use();
create trigger refuse_while_in_use before delete on work.epics
  for each row when (current_setting('app.restoring', true) is distinct from 'on')
  execute function app.refuse_while_in_use();
create trigger touch before update on work.epics
  for each row when (current_setting('app.restoring', true) is distinct from 'on') execute function app.touch();
create trigger touch before update on work.tasks
  for each row when (current_setting('app.restoring', true) is distinct from 'on') execute function app.touch();

-- The prefix of an organisation's task identifiers: the initials of its name.
create function work.initials(name text) returns text language sql immutable strict parallel safe set search_path = ''
  return (
    select case count(*) when 0 then 'T' when 1 then upper(left(min(word), 2))
                         else upper(left(string_agg(left(word, 1), '' order by place), 4)) end
    from regexp_split_to_table(app.search_key(name), '[^a-z0-9]+') with ordinality as w (word, place)
    where word ~ '^[a-z]');

-- Gives a task the next number of its organisation. Transactions that add tasks take turns, and a rollback returns
-- the number.
create function work.number_task() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into work.task_numbers as n (organization_id, prefix, last)
  select o.id, work.initials(o.name), 1 from app.organizations o where o.id = new.organization_id
  on conflict (organization_id) do update set last = n.last + 1
  returning n.last, n.prefix || '-' || n.last into new.number, new.identifier;
  return new;
end
$$;
create trigger number before insert on work.tasks
  for each row when (current_setting('app.restoring', true) is distinct from 'on') execute function work.number_task();

-- A task has an owner, and the epic of its delivery.
create function work.check_task() returns trigger language plpgsql set search_path = '' as $$
declare
  epic uuid;
begin
  if new.owner_id is null then
    raise check_violation using column = 'owner_id', message = case tg_op
      when 'INSERT' then 'must be given, because your account is not linked to a member'
      else 'must be a member: a task without an owner is not on the board' end;
  end if;
  if new.delivery_id is null then
    return new;
  end if;
  select d.epic_id into epic from work.deliveries d where d.id = new.delivery_id;
  if not found then
    raise foreign_key_violation using schema = 'work', table = 'tasks', constraint = 'tasks_delivery_id_fkey';
  end if;
  if tg_op = 'INSERT' and new.epic_id is null
    or tg_op = 'UPDATE' and new.epic_id is not distinct from old.epic_id
                        and new.delivery_id is distinct from old.delivery_id then
    new.epic_id := epic;
  elsif new.epic_id is distinct from epic then
    if new.epic_id is not null and not exists (select from work.epics e where e.id = new.epic_id) then
      raise foreign_key_violation using schema = 'work', table = 'tasks', constraint = 'tasks_epic_id_fkey';
    end if;
    if tg_op = 'UPDATE' and new.delivery_id = old.delivery_id then
      raise check_violation using
        column = 'epic_id', message = 'must be the epic of the task''s delivery; change delivery_id, too';
    end if;
    raise check_violation using column = 'delivery_id', message = 'must be a delivery of epic_id';
  end if;
  return new;
end
$$;
create trigger check_task before insert or update of owner_id, epic_id, delivery_id on work.tasks
  for each row execute function work.check_task();

-- Keeps the changes of a task's status.
create function work.remember_task_status() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into work.task_status_changes (organization_id, task_id, owner_id, from_status, to_status)
  values (new.organization_id, new.id, new.owner_id, case tg_op when 'UPDATE' then old.status end, new.status);
  return null;
end
$$;
-- The demo contains the changes of its tasks.
create trigger remember_first_status after insert on work.tasks
  for each row when (current_user = 'authenticated') execute function work.remember_task_status();
create trigger remember_status after update of status on work.tasks
  for each row when (current_setting('app.restoring', true) is distinct from 'on' and old.status <> new.status)
  execute function work.remember_task_status();

-- A name for a task's branch, of at most 80 characters.
create function work.branch_name(identifier text, name text) returns text
  language sql immutable strict parallel safe set search_path = ''
  return rtrim(left('feat/' || identifier || '-' || coalesce(nullif(app.slug(name), ''), 'task'), 80), '-');

-- The author of a placement has an account in the organisation.
create function work.check_placement() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from learn.profiles p where p.id = new.created_by and p.organization_id = new.organization_id)
    and not exists (select from staff.users u where u.id = new.created_by and u.organization_id = new.organization_id) then
    raise foreign_key_violation using schema = 'work', table = 'placements', constraint = 'placements_created_by_fkey';
  end if;
  return new;
end
$$;
create trigger check_placement before insert or update of created_by on work.placements
  for each row when (new.created_by is not null) execute function work.check_placement();

grant execute on function work.branch_name to authenticated;
