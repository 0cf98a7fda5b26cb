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
  -- Also where nothing changes.
  perform plans.require_accepting(question.id);
  update plans.answers a set is_accepted = false where a.question_id = question.id and a.is_accepted and a.id <> accepted;
  update plans.answers a set is_accepted = true where a.id = accepted;
  return question.id;
end
$$;

-- Refuses a caller who may not accept an answer, also by an undo: it is asked where the row is written, not only in the
-- function of the tool.
create function plans.require_accepting(question uuid) returns void language plpgsql set search_path = '' as $$
begin
  if app.caller_role() not in ('owner', 'admin', 'staff') and not exists (
    select from plans.questions q where q.id = question and q.asked_by = app.caller_id()) then
    raise insufficient_privilege using constraint = 'accepted_by',
      message = 'only the asker, owners, admins and staff can accept an answer';
  end if;
end
$$;

create function plans.check_accepting() returns trigger language plpgsql set search_path = '' as $$
begin
  perform plans.require_accepting(new.question_id);
  return new;
end
$$;
create trigger check_accepting before update on plans.answers
  for each row when (old.is_accepted <> new.is_accepted) execute function plans.check_accepting();

grant execute on function
  plans.guard_adr, plans.check_answer, plans.accept, plans.require_accepting, plans.check_accepting
  to authenticated;
