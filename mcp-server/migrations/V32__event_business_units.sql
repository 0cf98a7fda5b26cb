-- Events name their business unit, since only some roles list business units.

create function events.business_unit_name(unit uuid) returns text
  language sql stable security definer set search_path = ''
  return (
    select u.name from strategy.business_units u
    where u.id = unit and u.organization_id = app.caller_org()
  );
grant execute on function events.business_unit_name(uuid) to authenticated;
