-- The work host: projects, epics, deliveries, tasks, placements and label aliases (specification, sections 2 and
-- 4.5). docs/access.md lists the rights.

create schema work authorization frontdesk_owner;
grant usage on schema work to authenticated;

-- Projects, epics, deliveries ----------------------------------------------------------------------

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

-- Tasks --------------------------------------------------------------------------------------------

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
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index tasks_listed_idx on work.tasks (organization_id, priority, number);
create index tasks_epic_id_idx on work.tasks (epic_id, organization_id, priority, number) include (status);
create index tasks_delivery_id_idx on work.tasks (delivery_id, organization_id, priority, number) include (status);
create index tasks_owner_id_idx on work.tasks (owner_id, organization_id, priority, number);
create index tasks_status_idx on work.tasks (organization_id, status, priority, number);
create index tasks_actor_slug_idx on work.tasks (actor_slug, organization_id);
create index tasks_search_idx on work.tasks using gin (name_key extensions.gin_trgm_ops);
-- Counts the tasks of an epic by status: equal keys are stored once, so an epic of 2,000 tasks is two pages. Without it
-- PostgreSQL can also choose the index of all tasks that are done.
create index tasks_counted_idx on work.tasks (epic_id, organization_id, status);
-- What the agenda finds by day.
create index tasks_estimated_date_idx on work.tasks (organization_id, estimated_date, id) where estimated_date is not null;

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

-- Placements and label aliases ---------------------------------------------------------------------

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
