-- The state of an account --------------------------------------------------------------------------

-- Whether the account of somebody who is not on the staff can sign in: its own state, and that of its member.
create function auth.is_fellow_active(account uuid) returns boolean
  language sql stable security definer set search_path = ''
  return (select p.is_active and m.is_active is not false
          from learn.profiles p left join learn.members m on m.id = p.member_id where p.id = account) is not false;

-- Follows a fellow's state: the sign-ins of a deactivated account end.
create function auth.follow_fellow(account uuid)
  returns void language plpgsql security definer set search_path = '' as $$
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

create function auth.follow_fellow_of_profile()
  returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform auth.follow_fellow(new.id);
  return null;
end
$$;
create trigger follow_fellow after update of is_active, member_id on learn.profiles
  for each row when (old.is_active <> new.is_active or old.member_id is distinct from new.member_id)
  execute function auth.follow_fellow_of_profile();

create function auth.follow_fellow_of_member()
  returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform auth.follow_fellow(p.id) from learn.profiles p where p.member_id = new.id;
  return null;
end
$$;
create trigger follow_fellow after update of is_active on learn.members
  for each row when (old.is_active <> new.is_active) execute function auth.follow_fellow_of_member();

-- A deactivated account cannot sign in, and its sign-ins end.
create function auth.follow_activity() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update auth.users a set is_active = new.is_active where a.id = new.id and a.is_active <> new.is_active;
  if not new.is_active then
    perform auth.end_sign_ins(new.id, null);
  end if;
  return null;
end
$$;
-- An undo gives the account of a staff row its state back.
create trigger account_is_active after update of is_active on staff.users
  for each row when (current_user = 'authenticated' or current_setting('app.restoring', true) is not distinct from 'on')
  execute function auth.follow_activity();

-- The row of a caller ------------------------------------------------------------------------------

-- The row of an account, if there is the account. An inactive staff row leaves a member the rights of a fellow, without
-- a level, and leaves others nothing.
create function app.caller_of(account uuid) returns setof app.callers language sql stable set search_path = ''
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

-- Writes the row of a caller, or removes it with the account. Two transactions that change an account take turns at its
-- caller: the second sees what the first wrote.
create function app.refresh_caller(account uuid)
  returns void language plpgsql security definer set search_path = '' as $$
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

create function app.note_caller() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform app.refresh_caller(case tg_op when 'DELETE' then old.id else new.id end);
  return null;
end
$$;
create trigger note_caller after insert or delete on auth.users for each row execute function app.note_caller();
create trigger note_changed_caller after update on auth.users
  for each row when (old.is_active is distinct from new.is_active) execute function app.note_caller();
create trigger note_caller after insert or delete on staff.users for each row execute function app.note_caller();
create trigger note_changed_caller after update on staff.users
  for each row when (row(old.organization_id, old.role, old.is_active, old.rights_taken_at)
    is distinct from row(new.organization_id, new.role, new.is_active, new.rights_taken_at))
  execute function app.note_caller();
create trigger note_caller after insert or delete on learn.profiles for each row execute function app.note_caller();
create trigger note_changed_caller after update on learn.profiles
  for each row when (row(old.organization_id, old.level, old.member_id, old.removed_at)
    is distinct from row(new.organization_id, new.level, new.member_id, new.removed_at))
  execute function app.note_caller();

-- Who the caller is. `change` is the entry that captures the transaction's changes. A token of this server names its
-- sign-in, which must not have ended; one of another identity provider has the time at which it was issued, which must
-- be later than the time at which rights of the account were taken. Both are null for a caller without a token. A token
-- is valid for a while after its account was deactivated or removed: it is refused here, by every process.
create function app.enter(
  caller uuid, change uuid default null, sign_in uuid default null, issued_at timestamptz default null) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  entered record;
begin
  select k.is_inactive, k.is_removed,
         sign_in is not null and (x.id is null or x.revoked_at is not null)
           or k.rights_taken_at > enter.issued_at as is_over,
         set_config('app.user_id', caller::text, true),
         set_config('app.organization_id', coalesce(k.organization::text, ''), true),
         set_config('app.role', coalesce(k.role, ''), true),
         set_config('app.level', coalesce(k.level, 0)::text, true),
         set_config('app.member_id', coalesce(k.member_id::text, ''), true),
         case when change is not null then set_config('app.change_id', change::text, true) end
    into entered
    from (select caller as id) c
    left join app.callers k on k.id = c.id
    left join auth.sessions x on x.id = sign_in and x.user_id = c.id;
  if entered.is_removed or entered.is_inactive or entered.is_over then
    raise invalid_authorization_specification using
      constraint = case when entered.is_removed or entered.is_inactive then 'account' else 'sign_in' end,
      message = case
        when entered.is_removed then 'the account was removed'
        when entered.is_inactive then 'the account was deactivated'
        else 'the sign-in of this access token has ended' end;
  end if;
end
$$;

grant execute on function
  auth.is_fellow_active, auth.follow_fellow_of_profile, auth.follow_fellow_of_member, auth.follow_activity, app.enter
  to authenticated;
