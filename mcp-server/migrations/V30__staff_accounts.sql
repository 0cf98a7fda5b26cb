-- The staff's accounts: owners and admins change them, owners remove them and issue links for new passwords. Members
-- are enrolled in cohorts.

-- Owners -------------------------------------------------------------------------------------------

-- Refuses to take an owner's rights if no other active owner has signed in: an invited one may never come. The
-- organisation's row is locked, so that two owners who take each other's rights come one after the other. Accounts of
-- an outside identity provider count as signed in.
create function staff.require_owner_besides(account uuid, organization uuid, argument text, refusal text) returns void
  language plpgsql security definer set search_path = ''
as $$
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

create or replace function staff.keep_an_owner() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform staff.require_owner_besides(old.id, old.organization_id,
    'is_active', 'must stay true: no other active owner has signed in yet');
  return new;
end
$$;

-- Accounts -----------------------------------------------------------------------------------------

-- Raises unless the caller may change the account: owners and admins of its organisation, admins no owner's, and nobody
-- one of a higher level. Returns the caller's level; null if there is no such account.
create function staff.require_rank(account uuid) returns integer
  language plpgsql security definer set search_path = ''
as $$
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

-- Changes an account of the staff: what `changes` has. False if there is no such account.
create function staff.update_user(account uuid, changes jsonb) returns boolean
  language plpgsql security definer set search_path = ''
as $$
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

-- Removes an account of the staff. False if there is no such account.
create function staff.remove_user(account uuid) returns boolean
  language plpgsql security definer set search_path = ''
as $$
declare
  person staff.users;
begin
  if coalesce(app.caller_role() <> 'owner', true) then
    raise insufficient_privilege;
  end if;
  perform staff.require_rank(account);
  select * into person from staff.users u
  where u.id = account and u.organization_id = app.caller_org() for update;
  if not found then
    return false;
  end if;
  if person.role = 'owner' and person.is_active then
    perform staff.require_owner_besides(account, person.organization_id,
      'id', 'is the last owner who has signed in: make another account an owner''s first');
  end if;
  perform auth.remove_account(account);
  return true;
end
$$;

-- Stores the link for an account's new password; it replaces the one before. No row if there is no such account.
create function staff.issue_password_link(account uuid, token bytea)
  returns table (email text, expires_at timestamptz)
  language plpgsql security definer set search_path = ''
as $$
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
  insert into auth.password_links as l (user_id, token_hash, issued_by, expires_at)
  values (account, token, app.caller_id(), until)
  on conflict (user_id) do update
    set token_hash = excluded.token_hash, issued_by = excluded.issued_by, expires_at = excluded.expires_at,
        used_at = null;
  return query select holder.email, until;
end
$$;

grant execute on function
  staff.update_user(uuid, jsonb), staff.remove_user(uuid), staff.issue_password_link(uuid, bytea)
  to authenticated;

-- Enrolment ----------------------------------------------------------------------------------------

alter policy add on learn.cohort_members
  with check (organization_id = (select app.caller_org())
    and ((select app.caller_role()) in ('owner', 'admin', 'staff') or (select app.caller_is_admin())));
alter policy remove on learn.cohort_members
  using (organization_id = (select app.caller_org())
    and ((select app.caller_role()) in ('owner', 'admin', 'staff') or (select app.caller_is_admin())));
grant delete on learn.cohort_members to authenticated;

-- Members, as the staff see students.
create view staff.people with (security_invoker = true) as
  select m.organization_id, m.id, m.name, m.name_key, m.found_by,
         coalesce(m.corporate_email, m.personal_email) as email, m.phase_id, m.is_active
  from learn.members m;
grant select on staff.people to authenticated;
create or replace view staff.students with (security_invoker = true) as
  select p.* from staff.people p
  where exists (select from learn.cohort_members c where c.member_id = p.id);
