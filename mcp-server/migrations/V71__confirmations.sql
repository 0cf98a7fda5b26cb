-- Whoever checks in a guest who is in relies on it, whichever tool, time or value is used: the check-in before it is not
-- undone as if nobody did. Only the same report of the same account is no confirmation.
alter table events.guests add column checked_in_by uuid;

create function events.note_check_in() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.checked_in_again_at := case when old.check_in_at is not null and new.check_in_at is not null then now() end;
  if new.check_in_at is null or old.check_in_at is null then
    new.checked_in_by := case when new.check_in_at is not null then app.caller_id() end;
  end if;
  return new;
end
$$;
create trigger note_check_in before update of check_in_at on events.guests
  for each row execute function events.note_check_in();
call app.leave_out_when_restoring('events.guests', 'note_check_in');

create or replace function events.teachers_only_check_in() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  free constant text[] := array['check_in_at', 'checked_in_again_at', 'checked_in_by', 'name_key', 'name_words'];
begin
  if app.caller_role() = 'teacher' and to_jsonb(new) - free is distinct from to_jsonb(old) - free then
    raise insufficient_privilege using
      message = 'teachers can only change a guest''s check-in',
      constraint = 'guests_teachers_only_check_in';
  end if;
  return new;
end
$$;
