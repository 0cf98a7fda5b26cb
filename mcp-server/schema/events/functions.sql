create function events.business_unit_name(unit uuid) returns text
  language sql stable security definer set search_path = ''
  return (
    select u.name from strategy.business_units u
    where u.id = unit and u.organization_id = app.caller_org()
  );

-- A check-in leaves the keys that are made from the name as they are; PostgreSQL makes them after this trigger.
create function events.teachers_only_check_in() returns trigger language plpgsql set search_path = '' as $$
declare
  free constant text[] := array['check_in_at', 'checked_in_again_at', 'checked_in_by', 'changed_in', 'name_key', 'name_words'];
begin
  if app.caller_role() = 'teacher' and to_jsonb(new) - free is distinct from to_jsonb(old) - free then
    raise insufficient_privilege using
      message = 'teachers can only change a guest''s check-in',
      constraint = 'guests_teachers_only_check_in';
  end if;
  return new;
end
$$;
create trigger teachers_only_check_in before update on events.guests
  for each row execute function events.teachers_only_check_in();

-- A guest who is in can be checked in again: somebody relies on the check-in, so that the one before is not undone as
-- if nobody did. Only the same report of the same account is no confirmation.
create function events.note_check_in() returns trigger language plpgsql set search_path = '' as $$
begin
  new.checked_in_again_at := case when old.check_in_at is not null and new.check_in_at is not null then now() end;
  if new.check_in_at is null or old.check_in_at is null then
    new.checked_in_by := case when new.check_in_at is not null then app.caller_id() end;
  end if;
  return new;
end
$$;
create trigger note_check_in before update of check_in_at on events.guests
  for each row when (current_setting('app.restoring', true) is distinct from 'on')
  execute function events.note_check_in();

-- The policy would hide the guest from other roles; this refuses them, also in an undo.
create function events.check_removal() returns trigger language plpgsql set search_path = '' as $$
begin
  if coalesce(app.caller_role() not in ('owner', 'admin', 'staff'), true) then
    raise insufficient_privilege;
  end if;
  return old;
end
$$;
-- An undo asks for the rights of what it does: a guest is taken away by who may remove guests.
create trigger check_removal before delete on events.guests
  for each row when (current_user = 'authenticated' or current_setting('app.restoring', true) is not distinct from 'on')
  execute function events.check_removal();

grant execute on function events.business_unit_name, events.check_removal to authenticated;
