-- The quiz host: forms, quizzes and attempts. docs/access.md lists the rights.

create schema quiz authorization frontdesk_owner;
grant usage on schema quiz to authenticated;

-- Whether each choice among these fields has at least two options, and no other field has any.
create function quiz.have_options(fields jsonb) returns boolean
  language sql immutable parallel safe set search_path = ''
  return not exists (
    select from jsonb_array_elements(fields) field
    where case field ->> 'kind' when 'choice' then jsonb_array_length(field -> 'options') < 2
                                else jsonb_array_length(field -> 'options') > 0 end);

create table quiz.forms (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  title text not null,
  title_key text generated always as (app.search_key(title)) stored,
  description text,
  fields jsonb not null constraint forms_fields_options_check check (quiz.have_options(fields)),
  created_by uuid default app.caller_id(),
  created_at timestamptz not null default now(),
  constraint forms_fields_check check (jsonb_array_length(fields) > 0),
  constraint forms_fields_size_check check (app.is_bounded(fields)),
  unique (id, organization_id)
);
create index forms_listed_idx on quiz.forms (organization_id, title_key, id);

create table quiz.quizzes (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  title text not null,
  title_key text generated always as (app.search_key(title)) stored,
  description text,
  -- Without the right answers: callers who attempt a quiz read this table, and the key is in another.
  questions jsonb not null check (jsonb_array_length(questions) > 0),
  pass_percentage integer not null default 70 check (pass_percentage between 0 and 100),
  max_attempts integer not null default 3 check (max_attempts between 1 and 10),
  created_by uuid default app.caller_id(),
  created_at timestamptz not null default now(),
  constraint quizzes_questions_size_check check (app.is_bounded(questions)),
  unique (id, organization_id)
);
create index quizzes_listed_idx on quiz.quizzes (organization_id, title_key, id);

create table quiz.keys (
  quiz_id uuid not null,
  organization_id uuid not null default app.caller_org(),
  -- The number of the right option of each question.
  right_options integer[] not null,
  primary key (quiz_id, organization_id),
  -- The key is written before its quiz.
  constraint keys_quiz_id_fkey foreign key (quiz_id, organization_id)
    references quiz.quizzes (id, organization_id) deferrable initially deferred
);

create table quiz.attempts (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org(),
  quiz_id uuid not null,
  member_id uuid not null default app.caller_member(),
  -- The member's first attempt at the quiz is number 1.
  number integer not null default 0,
  answers integer[] not null,
  right_count integer not null default 0,
  question_count integer not null default 0,
  passed boolean not null default false,
  created_at timestamptz not null default now(),
  constraint attempts_number_key unique (quiz_id, organization_id, member_id, number),
  constraint attempts_quiz_id_fkey foreign key (quiz_id, organization_id) references quiz.quizzes (id, organization_id),
  constraint attempts_member_id_fkey foreign key (member_id, organization_id)
    references learn.members (id, organization_id) on delete cascade
);
create index attempts_listed_idx on quiz.attempts (organization_id, created_at desc, id);
create index attempts_member_id_idx on quiz.attempts (member_id, organization_id);

grant execute on function quiz.have_options to authenticated;
