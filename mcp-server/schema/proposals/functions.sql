-- A submission never changes after it was submitted, and is complete and in time. Submitting it and answering a
-- question lock its row; a tender that is being submitted to keeps its questions. The owner loads the demo with
-- submissions of long ago.
create function proposals.guard_submission() returns trigger language plpgsql set search_path = '' as $$
declare
  tender proposals.tenders;
  missing text;
begin
  if old.status = 'submitted' then
    raise check_violation using column = 'id', message = 'this submission was submitted and cannot change';
  end if;
  if new.status = 'draft' then
    return new;
  end if;
  if app.caller_role() not in ('owner', 'admin') then
    raise insufficient_privilege
      using constraint = 'submit', message = 'only owners and admins can submit, because a submission binds the organisation';
  end if;
  select * into tender from proposals.tenders t where t.id = new.tender_id for share;
  if tender.status <> 'open' then
    raise check_violation using column = 'id', message = format('the tender is %s, not open', tender.status);
  end if;
  if tender.deadline_at <= clock_timestamp() then
    raise check_violation using column = 'id', message = 'the deadline of the tender has passed';
  end if;
  select string_agg(q.number::text, ', ' order by q.number) into missing
  from unnest(tender.questions) with ordinality q (question, number)
  where not exists (select from proposals.submission_answers a
                    where a.submission_id = new.id and a.question = q.question);
  if missing is not null then
    raise check_violation using column = 'id', message = format('these questions have no answer yet: %s', missing);
  end if;
  new.submitted_at := clock_timestamp();
  new.submitted_by := app.caller_id();
  return new;
end
$$;
create trigger guard_submission before insert or update on proposals.submissions
  for each row when (current_user = 'authenticated') execute function proposals.guard_submission();

-- A submission keeps the title that it was submitted under. The trigger's name sorts after guard_submission, which
-- locks the tender.
create function proposals.keep_title() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  select t.title into new.title from proposals.tenders t where t.id = new.tender_id;
  return new;
end
$$;
-- Its name sorts after guard_submission, which locks the tender.
create trigger keep_title before insert or update on proposals.submissions
  for each row when (new.status = 'submitted' and new.title is null) execute function proposals.keep_title();

create function proposals.guard_answer() returns trigger language plpgsql set search_path = '' as $$
begin
  perform from proposals.submissions s where s.id = new.submission_id and s.status = 'submitted';
  if found then
    raise check_violation using column = 'id', message = 'this submission was submitted and cannot change';
  end if;
  return new;
end
$$;
create trigger guard_answer before insert or update on proposals.submission_answers
  for each row when (current_user = 'authenticated') execute function proposals.guard_answer();

create function proposals.guard_questions() returns trigger language plpgsql set search_path = '' as $$
begin
  if exists (select from proposals.submissions s where s.tender_id = new.id and s.status = 'submitted') then
    raise check_violation using
      column = 'questions', message = 'a submission has answered these questions, so they cannot change';
  end if;
  return new;
end
$$;
create trigger guard_questions before update on proposals.tenders
  for each row when (current_user = 'authenticated' and new.questions <> old.questions)
  execute function proposals.guard_questions();

create function proposals.guard_deadline() returns trigger language plpgsql set search_path = '' as $$
begin
  if app.caller_role() <> 'owner' then
    raise insufficient_privilege
      using constraint = 'deadline', message = 'only owners can move a deadline that has passed';
  end if;
  new.deadline_was := old.deadline_at;
  new.deadline_moved_at := clock_timestamp();
  new.deadline_moved_by := app.caller_id();
  return new;
end
$$;
create trigger guard_deadline before update on proposals.tenders
  for each row when (current_user = 'authenticated'
    and new.deadline_at <> old.deadline_at and old.deadline_at <= clock_timestamp())
  execute function proposals.guard_deadline();

-- What was submitted stays as it is, and so do the questions that it answers. Only owners move a deadline that has
-- passed.
create function proposals.guard_restored() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  before constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  after constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  -- The submission, or that of the answer.
  submission uuid := coalesce(before, after) ->> case tg_table_name when 'submissions' then 'id' else 'submission_id' end;
begin
  if tg_table_name = 'tenders' then
    if after -> 'questions' <> before -> 'questions' then
      submission := (select s.id from proposals.submissions s where s.tender_id = (before ->> 'id')::uuid);
    end if;
    if after -> 'deadline_at' <> before -> 'deadline_at' and (before ->> 'deadline_at')::timestamptz <= clock_timestamp()
      and app.caller_role() <> 'owner' then
      raise insufficient_privilege
        using constraint = 'deadline', message = 'only owners can move a deadline that has passed';
    end if;
  end if;
  if exists (select from proposals.submissions s where s.id = submission and s.status = 'submitted') then
    raise unique_violation using column = 'change_id', message = 'what was submitted cannot change';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;
create trigger guard_restored before update on proposals.tenders
  for each row when (current_setting('app.restoring', true) is not distinct from 'on')
  execute function proposals.guard_restored();
create trigger guard_restored before update or delete on proposals.submissions
  for each row when (current_setting('app.restoring', true) is not distinct from 'on')
  execute function proposals.guard_restored();
create trigger guard_restored before insert or update or delete on proposals.submission_answers
  for each row when (current_setting('app.restoring', true) is not distinct from 'on')
  execute function proposals.guard_restored();

-- Answers a question of a submission, by its number: with this text, or with an answer of the library.
create function proposals.set_answer(submission uuid, number integer, words text, library uuid)
  returns void language plpgsql set search_path = '' as $$
declare
  asked text[];
begin
  -- Locks the submission; its policy and its guard refuse callers who cannot change it.
  update proposals.submissions s set id = s.id where s.id = submission;
  select t.questions into asked
  from proposals.submissions s join proposals.tenders t on t.id = s.tender_id where s.id = submission;
  if not found then
    raise foreign_key_violation using column = 'id', message = 'there is no such submission in your organisation';
  end if;
  if number > cardinality(asked) then
    raise check_violation using column = 'question', message =
      format('must be the number of a question: the tender has %s', cardinality(asked));
  end if;
  if library is not null then
    select a.answer into words from proposals.answers a where a.id = library;
    if not found then
      raise foreign_key_violation using table = 'submission_answers', constraint = 'submission_answers_answer_id_fkey';
    end if;
  end if;
  insert into proposals.submission_answers as a (submission_id, question, answer, answer_id)
  values (submission, asked[number], words, library)
  on conflict (submission_id, organization_id, question)
    do update set answer = excluded.answer, answer_id = excluded.answer_id;
end
$$;

grant execute on function proposals.keep_title, proposals.guard_deadline, proposals.set_answer to authenticated;
