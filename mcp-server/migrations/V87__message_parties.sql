-- What a side of a message is called. Who may not list accounts reads messages from them all the same.
create function ops.party_name(account uuid) returns text
  language sql stable security definer set search_path = ''
  return (select p.name from learn.profiles p where p.id = account and p.organization_id = app.caller_org());
grant execute on function ops.party_name(uuid) to authenticated;
