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

grant execute on function quiz.right_options, quiz.refuse_trial to authenticated;
