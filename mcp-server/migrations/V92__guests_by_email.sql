-- The guests of an event with this e-mail address, in capitals or not. A policy's table is not searched by an index on
-- lower(): a caller joins what is found here with the guests that the policies show.
create function events.guests_by_email(event uuid, address text) returns setof uuid
  language sql stable rows 1 security definer set search_path = ''
begin atomic
  select g.id from events.guests g
  where g.event_id = event and g.organization_id = app.caller_org() and lower(g.email) = lower(address);
end;
grant execute on function events.guests_by_email(uuid, text) to authenticated;
