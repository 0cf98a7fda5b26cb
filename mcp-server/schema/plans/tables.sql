-- The plans host: plans and their tasks, decisions, questions (specification, sections 1 and 4.5). docs/access.md
-- lists the rights.

create schema plans authorization frontdesk_owner;
grant usage on schema plans to authenticated;

create table plans.plans (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  name text not null,
  name_key text generated always as (app.search_key(name)) stored,
  description text,
  status text not null default 'draft' check (status in ('draft', 'active', 'done', 'dropped')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint plans_slug_key unique (organization_id, slug),
  unique (id, organization_id)
);
create index plans_listed_idx on plans.plans (organization_id, name_key, id);

-- The tasks that a plan shows, in order.
create table plans.plan_tasks (
  plan_id uuid not null,
  task_id uuid not null,
  organization_id uuid not null default app.caller_org(),
  position integer not null,
  primary key (plan_id, organization_id, task_id),
  constraint plan_tasks_plan_id_fkey foreign key (plan_id, organization_id)
    references plans.plans (id, organization_id) on delete cascade,
  constraint plan_tasks_task_id_fkey foreign key (task_id, organization_id)
    references work.tasks (id, organization_id) on delete cascade
);
create index plan_tasks_task_id_idx on plans.plan_tasks (task_id, organization_id);

-- Every change of a plan's status.
create table plans.plan_status_changes (
  id uuid primary key default app.new_id(),
  organization_id uuid not null,
  plan_id uuid not null,
  from_status text not null,
  to_status text not null,
  changed_by uuid default app.caller_id(),
  changed_at timestamptz not null default now(),
  constraint plan_status_changes_plan_id_fkey foreign key (plan_id, organization_id)
    references plans.plans (id, organization_id) on delete cascade
);
create index plan_status_changes_plan_id_idx on plans.plan_status_changes (plan_id, organization_id, changed_at);
create index plan_status_changes_changed_at_idx on plans.plan_status_changes (organization_id, changed_at);

create table plans.adrs (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  title text not null,
  title_key text generated always as (app.search_key(title)) stored,
  context text not null,
  decision text not null,
  consequences text,
  plan_id uuid,
  status text not null default 'proposed' check (status in ('proposed', 'accepted', 'rejected', 'superseded')),
  superseded_by uuid,
  created_by uuid default app.caller_id(),
  created_at timestamptz not null default now(),
  constraint adrs_status_superseded_by_check check ((status = 'superseded') = (superseded_by is not null)),
  constraint adrs_superseded_by_check check (superseded_by <> id),
  constraint adrs_plan_id_fkey foreign key (plan_id, organization_id) references plans.plans (id, organization_id),
  constraint adrs_superseded_by_fkey foreign key (superseded_by, organization_id)
    references plans.adrs (id, organization_id),
  unique (id, organization_id)
);
create index adrs_listed_idx on plans.adrs (organization_id, created_at desc, id);
create index adrs_plan_id_idx on plans.adrs (plan_id, organization_id, created_at desc, id);
create index adrs_superseded_by_idx on plans.adrs (superseded_by, organization_id);

create table plans.questions (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  title text not null,
  title_key text generated always as (app.search_key(title)) stored,
  body text,
  plan_id uuid,
  asked_by uuid default app.caller_id(),
  asked_at timestamptz not null default now(),
  constraint questions_plan_id_fkey foreign key (plan_id, organization_id) references plans.plans (id, organization_id),
  unique (id, organization_id)
);
create index questions_listed_idx on plans.questions (organization_id, asked_at desc, id);
create index questions_plan_id_idx on plans.questions (plan_id, organization_id, asked_at desc, id);

create table plans.answers (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org(),
  question_id uuid not null,
  answer text not null,
  answered_by uuid default app.caller_id(),
  answered_at timestamptz not null default now(),
  is_accepted boolean not null default false,
  constraint answers_question_id_fkey foreign key (question_id, organization_id)
    references plans.questions (id, organization_id) on delete cascade,
  unique (id, organization_id)
);
create index answers_question_id_idx on plans.answers (question_id, organization_id, answered_at, id);
-- A question has one accepted answer.
create unique index answers_is_accepted_key on plans.answers (question_id, organization_id) where is_accepted;

create trigger default_slug before insert on plans.plans
  for each row execute function app.default_slug('name', 'organization_id', 'plan');
create trigger touch before update on plans.plans
  for each row when (current_setting('app.restoring', true) is distinct from 'on') execute function app.touch();
