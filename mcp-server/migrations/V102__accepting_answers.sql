-- Who may accept an answer, also by an undo: asked where the row is written, not only in the function of the tool.

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

create or replace function plans.accept(accepted uuid) returns uuid language plpgsql set search_path = '' as $$
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

grant execute on function plans.require_accepting, plans.check_accepting to authenticated;
