-- What a teacher is refused carries a name, as constraints do: the host has its words for it.

create or replace function events.teachers_only_check_in() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  -- The search key is made from the name, and only after this trigger.
  if app.caller_role() = 'teacher'
    and to_jsonb(new) - array['check_in_at', 'name_key']
      is distinct from to_jsonb(old) - array['check_in_at', 'name_key'] then
    raise insufficient_privilege using
      message = 'a teacher changes nothing of a guest but the check-in',
      constraint = 'guests_teachers_only_check_in';
  end if;
  return new;
end
$$;
