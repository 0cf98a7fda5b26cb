-- Two accounts that set each other's level at once wait for each other in one order: the rows are locked by id.
create or replace function ops.set_level(account uuid, wanted integer) returns boolean
  language plpgsql security definer set search_path = ''
as $$
declare
  own integer;
  has integer;
begin
  if coalesce(app.caller_role() not in ('owner', 'admin'), true) then
    raise insufficient_privilege;
  end if;
  perform from learn.profiles p
  where p.id in (account, app.caller_id()) and p.organization_id = app.caller_org() order by p.id for update;
  select p.level into own from learn.profiles p where p.id = app.caller_id();
  own := coalesce(own, 0);
  if not ops.is_account(account) then
    return false;
  end if;
  select p.level into has from learn.profiles p where p.id = account;
  if wanted > own or has > own then
    raise insufficient_privilege using constraint = 'level', message = case when wanted > own
      then format('you cannot grant a level above your own, which is %s', own)
      else format('the account has level %s, and yours is %s', has, own) end;
  end if;
  insert into learn.profiles as p (id, organization_id, name, level)
  values (account, app.caller_org(), coalesce(split_part(ops.email(account), '@', 1), account::text), wanted)
  on conflict (id) do update set level = excluded.level;
  return true;
end
$$;
