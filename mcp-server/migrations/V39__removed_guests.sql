-- Owners, admins and staff remove guests, who leave their sessions too.

grant delete on events.guests to authenticated;
create policy remove on events.guests for delete to authenticated
  using (organization_id = (select app.caller_org()));

-- A policy would hide the guest from other roles; this refuses them.
create function events.check_removal() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if coalesce(app.caller_role() not in ('owner', 'admin', 'staff'), true) then
    raise insufficient_privilege;
  end if;
  return old;
end
$$;
grant execute on function events.check_removal() to authenticated;
create trigger check_removal before delete on events.guests
  for each row when (current_user = 'authenticated') execute function events.check_removal();
