-- The accounts of an organisation: owners and admins change them, owners deactivate and remove them and issue links for
-- new passwords.

-- Owners -------------------------------------------------------------------------------------------

-- Refuses to take an owner's rights if no other active owner has signed in: an invited one may never come. The
-- organisation's row is locked, so that two owners who take each other's rights come one after the other. Accounts of
-- an outside identity provider count as signed in.
create function staff.require_owner_besides(account uuid, organization uuid, argument text, refusal text)
  returns void language plpgsql security definer set search_path = '' as $$
begin
  perform from app.organizations o where o.id = organization for no key update;
  if not exists (
    select from staff.users u
    where u.organization_id = organization and u.role = 'owner' and u.is_active and u.id <> account
      and (exists (select from auth.sessions s where s.user_id = u.id)
        or not exists (select from auth.users a where a.id = u.id))
  ) then
    raise check_violation using column = argument, message = refusal;
  end if;
end
$$;

-- An organisation keeps an active owner.
create function staff.keep_an_owner() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform staff.require_owner_besides(old.id, old.organization_id,
    'is_active', 'must stay true: no other active owner has signed in yet');
  return new;
end
$$;
create trigger keep_an_owner before update on staff.users
  for each row when (current_user = 'authenticated' and old.role = 'owner' and old.is_active and not new.is_active)
  execute function staff.keep_an_owner();

-- Ranks --------------------------------------------------------------------------------------------

-- Raises unless the caller may change the account: owners and admins of its organisation, admins no owner's, and nobody
-- one of a higher level. Returns the caller's level; null if there is no such account.
create function staff.require_rank(account uuid)
  returns integer language plpgsql security definer set search_path = '' as $$
declare
  own integer;
  has integer;
begin
  if coalesce(app.caller_role() not in ('owner', 'admin'), true) then
    raise insufficient_privilege;
  end if;
  if not ops.is_account(account) then
    return null;
  end if;
  perform from learn.profiles p
  where p.id in (account, app.caller_id()) and p.organization_id = app.caller_org() order by p.id for update;
  own := coalesce((select p.level from learn.profiles p where p.id = app.caller_id()), 0);
  has := coalesce((select p.level from learn.profiles p where p.id = account), 0);
  if has > own then
    raise insufficient_privilege using constraint = 'level',
      message = format('the account has level %s, and yours is %s', has, own);
  elsif app.caller_role() <> 'owner'
    and exists (select from staff.users u where u.id = account and u.role = 'owner') then
    raise insufficient_privilege using constraint = 'role', message = 'only owners can change an owner''s account';
  end if;
  return own;
end
$$;

-- Accounts keep to the ranks, and an organisation its owner. A removed account is not restored: it cannot sign in.
create function staff.guard_restored_user() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'UPDATE' then
    raise unique_violation using column = 'change_id', message = 'an account cannot be restored: invite the person again';
  end if;
  perform staff.require_rank(new.id);
  if new.role = 'owner' and old.role <> 'owner' and app.caller_role() <> 'owner' then
    raise insufficient_privilege using constraint = 'role', message = 'only owners can make an account an owner''s';
  elsif old.role = 'owner' and old.is_active and (new.role <> 'owner' or not new.is_active) then
    perform staff.require_owner_besides(old.id, old.organization_id,
      'change_id', 'no other active owner has signed in yet');
  end if;
  return new;
end
$$;
create trigger guard_restored before insert or update or delete on staff.users
  for each row when (current_setting('app.restoring', true) is not distinct from 'on')
  execute function staff.guard_restored_user();

-- Restored profiles keep to the ranks, too.
create function learn.guard_restored_profile()
  returns trigger language plpgsql security definer set search_path = '' as $$
declare
  changed jsonb;
  own integer;
begin
  if tg_op <> 'UPDATE' then
    own := staff.require_rank(case tg_op when 'DELETE' then old.id else new.id end);
  else
    changed := app.difference(to_jsonb(new), to_jsonb(old))
      - case when new.id = app.caller_id() then '{name,name_key,avatar_url}'::text[] else '{}' end;
    if new.removed_at is distinct from old.removed_at then
      raise unique_violation using column = 'change_id', message = 'an account cannot be restored: invite the person again';
    elsif changed = '{}' then
      return new;
    elsif changed - 'fellow_slug' = '{}' then
      perform app.require_level(80);
      return new;
    end if;
    own := staff.require_rank(new.id);
  end if;
  if tg_op <> 'DELETE' and new.level > own then
    raise insufficient_privilege using constraint = 'level',
      message = format('you cannot grant a level above your own, which is %s', own);
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;
create trigger guard_restored before insert or update or delete on learn.profiles
  for each row when (current_setting('app.restoring', true) is not distinct from 'on')
  execute function learn.guard_restored_profile();

-- Changes ------------------------------------------------------------------------------------------

-- Changes an account of the staff: what `changes` has. False if there is no such account.
create function staff.update_user(account uuid, changes jsonb)
  returns boolean language plpgsql security definer set search_path = '' as $$
declare
  organization constant uuid := app.caller_org();
  own constant integer := staff.require_rank(account);
  wanted text := changes ->> 'role';
  member constant uuid := changes ->> 'member_id';
  person staff.users;
  granted integer;
begin
  select * into person from staff.users u where u.id = account and u.organization_id = organization for update;
  if not found then
    return false;
  end if;
  if wanted is distinct from person.role and wanted is not null then
    if wanted = 'owner' and app.caller_role() <> 'owner' then
      raise insufficient_privilege using constraint = 'role', message = 'only owners can make an account an owner''s';
    end if;
    if person.role = 'owner' and person.is_active then
      perform staff.require_owner_besides(account, organization,
        'role', 'must stay owner: no other active owner has signed in yet');
    end if;
    -- The level follows the role, up to the caller's own.
    if wanted in ('owner', 'admin') or person.role in ('owner', 'admin') then
      granted := least(case wanted when 'owner' then 100 when 'admin' then 80 else 0 end, own);
    end if;
    update staff.users u set role = wanted where u.id = account;
  end if;
  if member is not null
    and not exists (select from learn.members m where m.id = member and m.organization_id = organization) then
    raise foreign_key_violation using table = 'profiles', constraint = 'profiles_member_id_fkey';
  end if;
  insert into learn.profiles (id, organization_id, name)
  values (account, organization, coalesce(split_part(ops.email(account), '@', 1), account::text))
  on conflict do nothing;
  update learn.profiles p
  set name = coalesce(changes ->> 'name', p.name),
      level = coalesce(granted, p.level),
      member_id = case when changes ? 'member_id' then member else p.member_id end,
      chat_user_id = case when changes ? 'chat_user_id' then changes ->> 'chat_user_id' else p.chat_user_id end,
      code_host_login =
        case when changes ? 'code_host_login' then changes ->> 'code_host_login' else p.code_host_login end
  where p.id = account;
  return true;
end
$$;

-- Removes an account, of the staff or a fellow. False if it does not exist.
create function staff.remove_user(account uuid)
  returns boolean language plpgsql security definer set search_path = '' as $$
declare
  person staff.users;
begin
  if coalesce(app.caller_role() <> 'owner', true) then
    raise insufficient_privilege;
  end if;
  if staff.require_rank(account) is null then
    return false;
  end if;
  select * into person from staff.users u where u.id = account and u.organization_id = app.caller_org() for update;
  if person.role = 'owner' and person.is_active then
    perform staff.require_owner_besides(account, person.organization_id,
      'id', 'is the last owner who has signed in: make another account an owner''s first');
  end if;
  perform auth.remove_account(account);
  return true;
end
$$;

create function staff.issue_password_link(account uuid, token bytea)
  returns table (email text, expires_at timestamptz) language plpgsql security definer set search_path = '' as $$
declare
  until constant timestamptz := now() + interval '1 day';
  holder auth.users;
begin
  if coalesce(app.caller_role() <> 'owner', true) then
    raise insufficient_privilege;
  end if;
  perform staff.require_rank(account);
  select * into holder from auth.users a where a.id = account and a.organization_id = app.caller_org();
  if not found then
    return;
  elsif not holder.is_active then
    raise check_violation using column = 'id', message = 'is a deactivated account: activate it first';
  end if;
  insert into auth.password_links as l (user_id, token_hash, issued_by, expires_at, issued_at)
  values (account, token, app.caller_id(), until, clock_timestamp())
  on conflict (user_id) do update
    set token_hash = excluded.token_hash, issued_by = excluded.issued_by, expires_at = excluded.expires_at,
        issued_at = excluded.issued_at, used_at = null, ended_at = null;
  return query select holder.email, until;
end
$$;

grant execute on function
  staff.keep_an_owner, staff.update_user, staff.remove_user, staff.issue_password_link
  to authenticated;
