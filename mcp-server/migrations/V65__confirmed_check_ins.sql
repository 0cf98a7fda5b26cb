-- When a guest who was in was last checked in again, which changes nothing else. It makes an entry in the history, so
-- that the check-in before it cannot be undone as if nobody relied on it.
alter table events.guests add column checked_in_again_at timestamptz;

create or replace function events.teachers_only_check_in() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  free constant text[] := array['check_in_at', 'checked_in_again_at', 'name_key', 'name_words'];
begin
  if app.caller_role() = 'teacher' and to_jsonb(new) - free is distinct from to_jsonb(old) - free then
    raise insufficient_privilege using
      message = 'teachers can only change a guest''s check-in',
      constraint = 'guests_teachers_only_check_in';
  end if;
  return new;
end
$$;
