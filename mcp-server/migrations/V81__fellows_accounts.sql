-- Accounts of fellows are deactivated, removed and get links like those of the staff; a member who was deactivated cannot
-- sign in.

alter table learn.profiles
  -- Whether a fellow's account can sign in. The staff's have a state of their own, in staff.users.
  add column is_active boolean not null default true;
select app.capture_changes('learn.profiles', secret => '{rights_taken_at}');

-- Owners alone change it, in every way, undo included.
create function learn.check_activity() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if app.caller_role() <> 'owner' then
    raise insufficient_privilege using constraint = 'role', message = 'only owners can deactivate or activate an account';
  end if;
  return new;
end
$$;
create trigger check_activity before update of is_active on learn.profiles
  for each row when (old.is_active <> new.is_active) execute function learn.check_activity();

-- Whether the account of somebody who is not on the staff can sign in: its own state, and that of its member.
create function auth.is_fellow_active(account uuid) returns boolean
  language sql stable security definer set search_path = ''
  return (select p.is_active and m.is_active is not false
          from learn.profiles p left join learn.members m on m.id = p.member_id where p.id = account) is not false;

-- Follows a fellow's state: the sign-ins of a deactivated account end.
create function auth.follow_fellow(account uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  active constant boolean := auth.is_fellow_active(account);
begin
  if exists (select from staff.users u where u.id = account) then
    return;
  end if;
  update auth.users a set is_active = active where a.id = account and a.is_active <> active;
  if found and not active then
    perform auth.end_sign_ins(account, null);
  end if;
  -- Another identity provider's account has no row above.
  perform app.refresh_caller(account);
end
$$;

create function auth.follow_fellow_of_profile() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform auth.follow_fellow(new.id);
  return null;
end
$$;
create function auth.follow_fellow_of_member() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform auth.follow_fellow(p.id) from learn.profiles p where p.member_id = new.id;
  return null;
end
$$;
grant execute on function auth.follow_fellow_of_profile(), auth.follow_fellow_of_member() to authenticated;
create trigger follow_fellow after update of is_active, member_id on learn.profiles
  for each row when (old.is_active <> new.is_active or old.member_id is distinct from new.member_id)
  execute function auth.follow_fellow_of_profile();
create trigger follow_fellow after update of is_active on learn.members
  for each row when (old.is_active <> new.is_active) execute function auth.follow_fellow_of_member();

create or replace function app.caller_of(account uuid) returns setof app.callers
  language sql stable set search_path = ''
begin atomic
  select c.id, coalesce(u.organization_id, p.organization_id),
         coalesce(u.role, case when p.id is not null then 'fellow' end, ''),
         case when s.is_active is false then 0 else coalesce(p.level, 0) end, p.member_id,
         a.is_active is false or s.id is null and not auth.is_fellow_active(c.id), p.removed_at is not null,
         s.rights_taken_at
    from (select account as id) c
    left join auth.users a on a.id = c.id
    left join staff.users s on s.id = c.id
    left join lateral (select s.organization_id, s.role where s.is_active) u on true
    left join learn.profiles p on p.id = c.id and (s.is_active is not false or p.member_id is not null)
   where a.id is not null or s.id is not null or exists (select from learn.profiles o where o.id = c.id);
end;

-- Writes the row of a caller, or removes it with the account.
create function app.refresh_caller(account uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into app.callers (id) values (account) on conflict do nothing;
  perform from app.callers where id = account for update;
  update app.callers k
     set organization = c.organization, role = c.role, level = c.level, member_id = c.member_id,
         is_inactive = c.is_inactive, is_removed = c.is_removed, rights_taken_at = c.rights_taken_at
    from app.caller_of(account) c where k.id = account;
  if not found then
    delete from app.callers where id = account;
  end if;
end
$$;
create or replace function app.note_caller() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform app.refresh_caller(case tg_op when 'DELETE' then old.id else new.id end);
  return null;
end
$$;

-- Members who were deactivated before.
do $$
begin
  perform auth.follow_fellow(p.id)
  from learn.profiles p join learn.members m on m.id = p.member_id where not m.is_active;
end
$$;

-- A fellow's state is looked up for what is shown, not for all that is sorted.
create or replace view ops.accounts with (security_invoker = true) as
  select a.id, a.organization_id, a.name, ops.email(a.id) as email, a.role, a.level,
         coalesce(a.is_active, auth.is_fellow_active(a.id)) as is_active, a.name_key, a.member_id
  from (
    select p.id, p.organization_id, p.name, coalesce(u.role, 'fellow') as role, p.level, u.is_active, p.name_key,
           p.member_id
    from learn.profiles p left join staff.users u on u.id = p.id
    where p.removed_at is null
    union all
    select u.id, u.organization_id, e.name, u.role, 0, u.is_active, app.search_key(e.name), null
    from staff.users u cross join lateral (select coalesce(ops.email(u.id), u.id::text)) e (name)
    where not exists (select from learn.profiles p where p.id = u.id)) a
  where (select app.caller_role()) in ('owner', 'admin');
grant execute on function auth.is_fellow_active(uuid) to authenticated;

-- A fellow's account is activated by its own state; its member's may still keep it out.
create function ops.set_fellow_active(account uuid, active boolean) returns boolean
  language plpgsql security definer set search_path = ''
as $$
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
create function ops.set_account_active(account uuid, active boolean) returns boolean
  language plpgsql set search_path = ''
as $$
begin
  if coalesce(app.caller_role() <> 'owner', true) then
    raise insufficient_privilege;
  end if;
  update staff.users u set is_active = active where u.id = account;
  return found or ops.set_fellow_active(account, active);
end
$$;
grant execute on function ops.set_fellow_active(uuid, boolean), ops.set_account_active(uuid, boolean) to authenticated;

-- Removes an account, of the staff or a fellow. False if it does not exist.
create or replace function staff.remove_user(account uuid) returns boolean
  language plpgsql security definer set search_path = ''
as $$
declare
  person staff.users;
begin
  if coalesce(app.caller_role() <> 'owner', true) then
    raise insufficient_privilege;
  end if;
  if staff.require_rank(account) is null then
    return false;
  end if;
  select * into person from staff.users u
  where u.id = account and u.organization_id = app.caller_org() for update;
  if person.role = 'owner' and person.is_active then
    perform staff.require_owner_besides(account, person.organization_id,
      'id', 'is the last owner who has signed in: make another account an owner''s first');
  end if;
  perform auth.remove_account(account);
  return true;
end
$$;

-- A warning about the account of a member who is deactivated.
create function learn.account_warning(member uuid) returns text[]
  language sql stable security definer set search_path = ''
  return array(
    select case when u.id is null then 'their account can no longer sign in'
                else 'their account on the staff can still sign in: an owner deactivates it with set_staff_active' end
    from learn.profiles p left join staff.users u on u.id = p.id
    where p.member_id = member and p.organization_id = app.caller_org() and u.is_active is not false);
grant execute on function learn.account_warning(uuid) to authenticated;
