-- The quiz host: forms, quizzes and attempts. docs/access.md lists the rights.

create schema quiz authorization frontdesk_owner;
grant usage on schema quiz to authenticated;

-- Tables -------------------------------------------------------------------------------------------

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

-- Access -------------------------------------------------------------------------------------------

select app.protect('quiz.quizzes', reads => '{owner,admin,staff,teacher,finance,fellow}',
  writes => '{owner,admin,staff,teacher}');
select app.protect('quiz.keys', reads => '{owner,admin,staff,teacher}', writes => '{owner,admin,staff,teacher}');
-- Fellows attempt; roles that read the key do not.
select app.protect_by('quiz.attempts',
  '(select app.caller_role()) in (''owner'', ''admin'', ''staff'', ''teacher'')
   or (select app.caller_role()) = ''fellow'' and member_id = (select app.caller_member())',
  '(select app.caller_role()) = ''fellow'' and member_id = (select app.caller_member())');
-- No tool changes or deletes these. A change could reveal what a trigger keeps apart.
revoke update, delete on quiz.quizzes, quiz.keys, quiz.attempts from authenticated;

-- Functions and triggers ---------------------------------------------------------------------------

-- Moves the right answers from the questions to the key.
create function quiz.keep_key() returns trigger language plpgsql set search_path = '' as $$
declare
  wrong bigint;
begin
  select min(q.number) - 1 into wrong
  from jsonb_array_elements(new.questions) with ordinality q (question, number)
  where not coalesce((q.question ->> 'right')::integer
                     between 1 and jsonb_array_length(q.question -> 'options'), false);
  if wrong is not null then
    raise check_violation using
      column = format('questions[%s].right', wrong), message = 'must be the number of one of its options';
  end if;
  insert into quiz.keys (quiz_id, organization_id, right_options)
  select new.id, new.organization_id, array_agg((q.question ->> 'right')::integer order by q.number)
  from jsonb_array_elements(new.questions) with ordinality q (question, number);
  new.questions := (
    select jsonb_agg(q.question - 'right' order by q.number)
    from jsonb_array_elements(new.questions) with ordinality q (question, number));
  return new;
end
$$;
create trigger keep_key before insert on quiz.quizzes
  for each row when (current_setting('app.restoring', true) is distinct from 'on'
    and jsonb_array_length(new.questions) > 0)
  execute function quiz.keep_key();

-- The right answers, for callers who can read the key. Volatile: it finds the key that the statement itself has
-- written.
create function quiz.right_options(quiz uuid) returns integer[] language plpgsql volatile set search_path = '' as $$
begin
  return (select k.right_options from quiz.keys k where k.quiz_id = right_options.quiz);
end
$$;

-- Counts and scores an attempt. Callers who attempt cannot read the key; this function can. Of two attempts of one
-- member at the same time the second waits, and is counted after the first.
create function quiz.score() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  quiz quiz.quizzes;
  wrong bigint;
begin
  select * into quiz from quiz.quizzes q where q.id = new.quiz_id and q.organization_id = new.organization_id;
  if not found then
    raise foreign_key_violation using table = 'attempts', constraint = 'attempts_quiz_id_fkey';
  end if;
  new.question_count := jsonb_array_length(quiz.questions);
  if cardinality(new.answers) <> new.question_count then
    raise check_violation using
      column = 'answers', message = format('must be %s, one for each question', new.question_count);
  end if;
  select min(a.number) - 1 into wrong
  from unnest(new.answers) with ordinality a (option, number)
  where not coalesce(a.option between 1
                     and jsonb_array_length(quiz.questions -> (a.number - 1)::integer -> 'options'), false);
  if wrong is not null then
    raise check_violation using
      column = format('answers[%s]', wrong), message = 'must be the number of one of the options';
  end if;
  perform pg_advisory_xact_lock(hashtextextended(new.quiz_id::text || coalesce(new.member_id::text, ''), 81));
  select count(*) + 1 into new.number
  from quiz.attempts a where a.quiz_id = new.quiz_id and a.member_id = new.member_id;
  if new.number > quiz.max_attempts then
    raise check_violation using
      column = 'quiz_id', message = format('the quiz allows %s attempts, and all were used', quiz.max_attempts);
  end if;
  select count(*) into new.right_count
  from quiz.keys k, unnest(new.answers, k.right_options) a (given, due)
  where k.quiz_id = new.quiz_id and a.given = a.due;
  new.passed := new.right_count * 100 >= quiz.pass_percentage * new.question_count;
  return new;
end
$$;
create trigger score before insert on quiz.attempts for each row execute function quiz.score();

-- A preview or dry run of an attempt would tell the score without counting. The setting app.is_trial marks both.
create function quiz.refuse_trial() returns trigger language plpgsql set search_path = '' as $$
begin
  raise check_violation using message = 'an attempt counts, so it cannot be tried: submit it';
end
$$;
create trigger refuse_trial before insert on quiz.attempts
  for each row when (current_setting('app.is_trial', true) = 'on') execute function quiz.refuse_trial();

grant execute on function quiz.have_options, quiz.right_options, quiz.refuse_trial to authenticated;
