-- The name of a message's sender or recipient, for callers who do not see accounts. An account on the staff without a
-- profile is named by its address, for those who can see it, or by its role.
create or replace function ops.party_name(account uuid) returns text
  language sql stable security definer set search_path = ''
  return coalesce(
    (select p.name from learn.profiles p where p.id = account and p.organization_id = app.caller_org()),
    ops.email(account),
    (select u.role from staff.users u where u.id = account and u.organization_id = app.caller_org()));
