-- The proposals host: tenders, a library of answers, and submissions. docs/access.md lists the rights.

create schema proposals authorization frontdesk_owner;
grant usage on schema proposals to authenticated;

create table proposals.tenders (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  title text not null,
  issuer text not null,
  -- The issuer's own reference.
  reference text,
  found_by text generated always as (app.search_key(title || ' ' || issuer || ' ' || coalesce(reference, ''))) stored,
  summary text,
  url text,
  deadline_at timestamptz not null,
  -- The last move of a deadline that had passed.
  deadline_was timestamptz,
  deadline_moved_at timestamptz,
  deadline_moved_by uuid,
  status text not null default 'open' check (status in ('open', 'won', 'lost', 'withdrawn')),
  -- The questions to answer, in this order. An answer belongs to a question by its text.
  questions text[] not null default '{}' check (app.is_distinct(questions)),
  created_at timestamptz not null default now(),
  constraint tenders_reference_key unique (organization_id, reference),
  unique (id, organization_id)
);
create index tenders_listed_idx on proposals.tenders (organization_id, deadline_at desc, id);

create table proposals.answers (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  question text not null,
  question_key text generated always as (app.search_key(question)) stored,
  answer text not null,
  tags text[] not null default '{}',
  found_by text generated always as (app.search_key(question || ' ' || answer)) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, organization_id)
);
create index answers_listed_idx on proposals.answers (organization_id, question_key, id);

create table proposals.submissions (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org(),
  tender_id uuid not null,
  -- The tender's title when the submission was made; null in a draft.
  title text,
  title_key text generated always as (app.search_key(title)) stored,
  status text not null default 'draft' check (status in ('draft', 'submitted')),
  note text,
  created_by uuid default app.caller_id(),
  created_at timestamptz not null default now(),
  submitted_by uuid,
  submitted_at timestamptz,
  constraint submissions_submitted_at_check check ((status = 'submitted') = (submitted_at is not null)),
  -- An organisation answers a tender once.
  constraint submissions_tender_id_key unique (tender_id, organization_id),
  constraint submissions_tender_id_fkey foreign key (tender_id, organization_id)
    references proposals.tenders (id, organization_id),
  unique (id, organization_id)
);
-- Without it, a list reads the submissions of all organisations.
create index submissions_listed_idx on proposals.submissions (organization_id, created_at desc, id);

create table proposals.submission_answers (
  submission_id uuid not null,
  organization_id uuid not null default app.caller_org(),
  question text not null,
  answer text not null,
  -- The answer of the library that was used.
  answer_id uuid,
  primary key (submission_id, organization_id, question),
  constraint submission_answers_submission_id_fkey foreign key (submission_id, organization_id)
    references proposals.submissions (id, organization_id),
  constraint submission_answers_answer_id_fkey foreign key (answer_id, organization_id)
    references proposals.answers (id, organization_id)
);
create index submission_answers_answer_id_idx on proposals.submission_answers (answer_id, organization_id);

create trigger touch before update on proposals.answers
  for each row when (current_setting('app.restoring', true) is distinct from 'on') execute function app.touch();
