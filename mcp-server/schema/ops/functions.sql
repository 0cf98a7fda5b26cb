-- The name of a message's sender or recipient, for callers who do not see accounts. An account on the staff without a
-- profile is named by its address, for those who can see it, or by its role.
create function ops.party_name(account uuid) returns text
  language sql stable security definer set search_path = ''
  return coalesce(
    (select p.name from learn.profiles p where p.id = account and p.organization_id = app.caller_org()),
    ops.email(account),
    (select u.role from staff.users u where u.id = account and u.organization_id = app.caller_org()));

-- The accounts of the caller's organisation whose names or addresses match. Owners and admins see both.
create function ops.find_accounts(search text) returns setof uuid language plpgsql stable security definer rows 10
  set search_path = '' set plan_cache_mode = force_custom_plan set random_page_cost = 1.1 as $$
declare
  pattern constant text := app.search_pattern(search);
begin
  if app.caller_role() in ('owner', 'admin') then
    return query
      select p.id from learn.profiles p where p.organization_id = app.caller_org() and p.name_key like pattern
      union
      select a.id from auth.users a where a.organization_id = app.caller_org() and app.search_key(a.email) like pattern;
  end if;
end
$$;

-- Sets the level of an account: not above the caller's own, and not of an account with a higher one. False if the
-- account does not exist. Callers cannot write the level in a profile; this function does. The rows are locked by
-- id, so that two accounts that set each other's level at the same time take turns.
create function ops.set_level(account uuid, wanted integer)
  returns boolean language plpgsql security definer set search_path = '' as $$
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

-- A fellow's account is activated by its own state; its member's may still keep it out.
create function ops.set_fellow_active(account uuid, active boolean)
  returns boolean language plpgsql security definer set search_path = '' as $$
begin
  if staff.require_rank(account) is null then
    return false;
  end if;
  if active and exists (select from learn.profiles p join learn.members m on m.id = p.member_id
                        where p.id = account and not m.is_active) then
    raise check_violation using column = 'id', message = 'is the account of a deactivated member: activate the member first';
  end if;
  update learn.profiles p set is_active = active where p.id = account and p.is_active <> active;
  return true;
end
$$;

-- Deactivates or activates an account. False if it does not exist.
create function ops.set_account_active(account uuid, active boolean)
  returns boolean language plpgsql set search_path = '' as $$
begin
  if coalesce(app.caller_role() <> 'owner', true) then
    raise insufficient_privilege;
  end if;
  update staff.users u set is_active = active where u.id = account;
  return found or ops.set_fellow_active(account, active);
end
$$;

-- Refuses a row whose column, which the trigger names, is not an account of the organisation. Accounts are in two
-- tables, so a foreign key cannot require it.
create function ops.check_account() returns trigger language plpgsql set search_path = '' as $$
declare
  account uuid := (to_jsonb(new) ->> tg_argv[0])::uuid;
begin
  if account is not null and not ops.is_account(account) then
    raise foreign_key_violation using table = tg_table_name,
      constraint = format('%s_%s_fkey', tg_table_name, tg_argv[0]);
  end if;
  return new;
end
$$;
create trigger check_account before insert or update on ops.apps
  for each row when (current_user = 'authenticated') execute function ops.check_account('account_id');
create trigger check_account before insert on ops.messages
  for each row when (current_user = 'authenticated') execute function ops.check_account('recipient_id');

-- A sandbox ends once; an expired one ended when it expired.
create function ops.end_once() returns trigger language plpgsql set search_path = '' as $$
begin
  new.ended_at := coalesce(old.ended_at, least(new.ended_at, new.expires_at));
  return new;
end
$$;
create trigger end_once before update of ended_at on ops.sandboxes
  for each row when (current_setting('app.restoring', true) is distinct from 'on') execute function ops.end_once();

-- Records where a sandbox runs. Machines that run the sandboxes of others report them, too. Null if it does not exist.
create function ops.report_sandbox(sandbox uuid, url text)
  returns uuid language plpgsql security definer set search_path = '' as $$
declare
  reported ops.sandboxes;
begin
  select * into reported from ops.sandboxes s
  where s.id = sandbox and s.organization_id = app.caller_org()
    and app.caller_role() in ('owner', 'admin', 'staff', 'teacher', 'automation') for no key update;
  if reported.id is null then
    return null;
  elsif app.caller_role() not in ('owner', 'admin', 'automation') and reported.created_by is distinct from app.caller_id() then
    raise insufficient_privilege;
  elsif reported.ended_at is not null or reported.expires_at <= now() then
    raise unique_violation using column = 'id', message = 'this sandbox has ended: create another one';
  end if;
  update ops.sandboxes s set url = report_sandbox.url where s.id = reported.id;
  return reported.id;
end
$$;

-- A sandbox ends when it expires, or earlier.
create function ops.plan_end() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    perform webhooks.plan(old.organization_id, 'sandbox.ended', old.id, null);
  else
    perform webhooks.plan(new.organization_id, 'sandbox.ended', new.id, coalesce(new.ended_at, new.expires_at));
  end if;
  return null;
end
$$;
create trigger webhook_of_end after insert or delete on ops.sandboxes for each row execute function ops.plan_end();
create trigger webhook_of_earlier_end after update on ops.sandboxes
  for each row when (coalesce(old.ended_at, old.expires_at) is distinct from coalesce(new.ended_at, new.expires_at))
  execute function ops.plan_end();

grant execute on function
  ops.party_name, ops.find_accounts, ops.set_level, ops.set_fellow_active, ops.set_account_active, ops.check_account,
  ops.report_sandbox
  to authenticated;
