-- The plans host: plans and their tasks, decisions, questions (specification, sections 1 and 4.5). docs/access.md
-- lists the rights.

create schema plans authorization frontdesk_owner;
grant usage on schema plans to authenticated;

-- Tables -------------------------------------------------------------------------------------------

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

-- Access -------------------------------------------------------------------------------------------

-- Everybody in the organisation except machines reads all, proposes, asks and answers; owners, admins and staff plan
-- and decide.
do $$
declare
  people constant text[] := '{owner,admin,staff,teacher,finance,fellow}';
  desk constant text[] := '{owner,admin,staff}';
begin
  perform app.protect('plans.plans', people, desk),
          app.protect('plans.plan_tasks', people, desk),
          app.protect('plans.plan_status_changes', people, '{}'),
          app.protect('plans.questions', people, people),
          app.protect('plans.answers', people, people);
end
$$;
select app.protect_by('plans.adrs',
  '(select app.caller_role()) = any (''{owner,admin,staff,teacher,finance,fellow}'')',
  '(select app.caller_role()) = any (''{owner,admin,staff}'')',
  adds => '(select app.caller_role()) in (''owner'', ''admin'', ''staff'')
    or (select app.caller_is_person()) and status = ''proposed''');
-- No tool does these.
revoke insert, update, delete on plans.plan_status_changes from authenticated;
revoke delete on plans.plans, plans.adrs, plans.questions, plans.answers from authenticated;

-- Functions and triggers ---------------------------------------------------------------------------

create trigger default_slug before insert on plans.plans
  for each row execute function app.default_slug('name', 'organization_id', 'plan');
create trigger touch before update on plans.plans
  for each row when (current_setting('app.restoring', true) is distinct from 'on') execute function app.touch();

create function plans.remember_status() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into plans.plan_status_changes (organization_id, plan_id, from_status, to_status)
  values (new.organization_id, new.id, old.status, new.status);
  return null;
end
$$;
create trigger remember_status after update of status on plans.plans
  for each row when (current_setting('app.restoring', true) is distinct from 'on' and old.status <> new.status)
  execute function plans.remember_status();

-- A decision never changes: an accepted ADR can only be superseded by another.
create function plans.guard_adr() returns trigger language plpgsql set search_path = '' as $$
declare
  successor text;
begin
  if old.status <> 'proposed' and (new.title, new.context, new.decision, new.consequences, new.plan_id)
    is distinct from (old.title, old.context, old.decision, old.consequences, old.plan_id) then
    raise check_violation using
      column = 'id', message = format('an ADR that is %s cannot be edited: propose another one', old.status);
  end if;
  if new.status <> old.status and (old.status in ('rejected', 'superseded')
    or old.status = 'accepted' and new.status <> 'superseded') then
    raise check_violation using
      column = 'status', message = format('an ADR that is %s cannot become %s', old.status, new.status);
  end if;
  if old.status = 'superseded' and new.superseded_by is distinct from old.superseded_by then
    raise check_violation using column = 'superseded_by', message = 'cannot change: the ADR is already superseded';
  end if;
  -- Two ADRs that supersede each other at the same time deadlock here, and PostgreSQL refuses one of them.
  select a.status into successor from plans.adrs a where a.id = new.superseded_by for share;
  if new.superseded_by is distinct from old.superseded_by and successor in ('rejected', 'superseded') then
    raise check_violation using
      column = 'superseded_by', message = format('must be a proposed or accepted ADR: this one is %s', successor);
  end if;
  return new;
end
$$;
create trigger guard_adr before update of title, context, decision, consequences, plan_id, status, superseded_by
  on plans.adrs for each row when (current_setting('app.restoring', true) is distinct from 'on')
  execute function plans.guard_adr();

-- A question has at most 50 answers; callers who answer it at the same time take turns.
create function plans.check_answer() returns trigger language plpgsql set search_path = '' as $$
begin
  perform from plans.questions q where q.id = new.question_id for update;
  if (select count(*) from plans.answers a where a.question_id = new.question_id) >= 50 then
    raise check_violation using column = 'question_id', message = 'this question has 50 answers, the most it can have';
  end if;
  return new;
end
$$;
create trigger check_answer before insert on plans.answers
  for each row when (current_user = 'authenticated') execute function plans.check_answer();

-- Accepts an answer instead of the previous one, for the asker, owners, admins and staff. Returns the question.
create function plans.accept(accepted uuid) returns uuid language plpgsql set search_path = '' as $$
declare
  question plans.questions;
begin
  select q.* into question from plans.questions q
    where q.id = (select a.question_id from plans.answers a where a.id = accepted) for update;
  if question.id is null then
    return null;
  end if;
  if question.asked_by is distinct from app.caller_id() and app.caller_role() not in ('owner', 'admin', 'staff') then
    raise insufficient_privilege using constraint = 'accepted_by',
      message = 'only the asker, owners, admins and staff can accept an answer';
  end if;
  update plans.answers a set is_accepted = false where a.question_id = question.id and a.is_accepted and a.id <> accepted;
  update plans.answers a set is_accepted = true where a.id = accepted;
  return question.id;
end
$$;

grant execute on function plans.guard_adr, plans.check_answer, plans.accept to authenticated;
