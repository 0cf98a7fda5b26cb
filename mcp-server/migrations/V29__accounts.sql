-- Accounts: each is linked to a member, can be deactivated and removed, and can get a new password through a link.

alter table learn.profiles
  -- The profile of a removed account stays, under a former name, for the records that refer to it.
  add column removed_at timestamptz;

-- Members ------------------------------------------------------------------------------------------

-- The organisation's member with this address and without an account; created if there is none.
create function learn.member_for(organization uuid, address text, person text, out member uuid, out is_new boolean)
  language plpgsql set search_path = ''
as $$
begin
  is_new := false;
  select m.id into member from learn.members m
  where m.organization_id = organization
    and lower(address) in (lower(m.corporate_email), lower(m.personal_email))
    and not exists (select from learn.profiles p where p.member_id = m.id)
  order by m.is_active desc, m.created_at limit 1;
  if member is null then
    insert into learn.members (organization_id, name, corporate_email) values (organization, person, address)
    returning id into member;
    is_new := true;
  end if;
end
$$;

-- Gives an account its place in an organisation: its member, its profile, and its staff row unless it is a fellow's.
-- `ceiling` is the most that the new level can be. A machine is no member. Returns whether the member is new; null if
-- there is none, or the account had one already.
create function auth.enter_organization(
  account uuid, organization uuid, address text, person text, role text, ceiling integer) returns boolean
  language plpgsql set search_path = ''
as $$
declare
  new_member uuid;
  is_new boolean;
begin
  if role <> 'automation'
    and not exists (select from learn.profiles p where p.id = account and p.member_id is not null) then
    select m.member, m.is_new into new_member, is_new from learn.member_for(organization, address, person) m;
  end if;
  insert into learn.profiles as p (id, organization_id, member_id, name, level)
  values (account, organization, new_member, person,
          least(case role when 'owner' then 100 when 'admin' then 80 else 0 end, ceiling))
  on conflict (id) do update set member_id = coalesce(p.member_id, excluded.member_id), removed_at = null;
  if role <> 'fellow' then
    insert into staff.users (id, organization_id, role) values (account, organization, role);
  end if;
  return is_new;
end
$$;

-- Accounts from before this migration.
do $$
declare
  account record;
begin
  for account in
    select a.id, a.organization_id, a.email, coalesce(p.name, split_part(a.email, '@', 1)) as name
    from auth.users a
    left join learn.profiles p on p.id = a.id
    left join staff.users u on u.id = a.id
    where a.organization_id is not null and p.member_id is null and u.role is distinct from 'automation'
    order by a.created_at, a.id
  loop
    insert into learn.profiles as p (id, organization_id, name, member_id)
    values (account.id, account.organization_id, account.name,
            (select m.member from learn.member_for(account.organization_id, account.email, account.name) m))
    on conflict (id) do update set member_id = excluded.member_id;
  end loop;
end
$$;

create or replace function auth.accept_invitation(token bytea, at timestamptz, account uuid, password_hash text)
  returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  invited staff.invitations;
  found_state text;
  found_account uuid;
begin
  select * into invited from staff.invitations i where i.token_hash = token for update;
  select i.state, i.account into found_state, found_account from auth.invitation(token, at) i;
  if found_state is distinct from 'open' then
    return found_state;
  end if;
  -- Somebody made the account since the page was shown.
  if found_account is distinct from account then
    return 'changed';
  end if;
  if account is null then
    insert into auth.users (email, password_hash, organization_id, is_invited)
    values (invited.email, accept_invitation.password_hash, invited.organization_id, true)
    returning id into account;
  end if;
  -- Nobody grants a level above their own.
  perform auth.enter_organization(account, invited.organization_id, invited.email, invited.name, invited.role,
    coalesce((select p.level from learn.profiles p where p.id = invited.invited_by), 0));
  update staff.invitations i set accepted_at = at where i.id = invited.id;
  return 'done';
end
$$;

-- The first organisation ---------------------------------------------------------------------------

create function auth.has_organization() returns boolean
  language sql stable security definer set search_path = ''
  return exists (select from app.organizations o where o.removed_at is null);

-- Creates an organisation with its owner, on a server that has none. Returns the organisation's slug; null if there is
-- an organisation already. An empty slug is made from the name.
create function auth.set_up(name text, slug text, person text, address text, password_hash text) returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  organization uuid;
  account uuid;
  chosen text;
begin
  perform pg_advisory_xact_lock(hashtext('auth.set_up'));
  if auth.has_organization() then
    return null;
  end if;
  insert into app.organizations as o (name, slug) values (set_up.name, nullif(set_up.slug, ''))
  returning o.id, o.slug into organization, chosen;
  insert into auth.users (email, password_hash, organization_id)
  values (lower(address), set_up.password_hash, organization) returning id into account;
  perform auth.enter_organization(account, organization, lower(address), person, 'owner', 100);
  return chosen;
end
$$;
grant execute on function auth.has_organization(), auth.set_up(text, text, text, text, text) to frontdesk_identity;

-- Sign-ins -----------------------------------------------------------------------------------------

-- Ends the sign-ins of an account, except one; returns those that were ended.
create function auth.end_sign_ins(account uuid, except_one uuid) returns setof uuid
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from auth.sign_in_codes c where c.user_id = account and c.session_id is null;
  return query
    update auth.sessions s set revoked_at = now()
    where s.user_id = account and s.revoked_at is null and s.id is distinct from except_one
    returning s.id;
end
$$;
grant execute on function auth.end_sign_ins(uuid, uuid) to frontdesk_identity;

-- A deactivated account cannot sign in, and its sign-ins end.
create function auth.follow_activity() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update auth.users a set is_active = new.is_active where a.id = new.id and a.is_active <> new.is_active;
  if not new.is_active then
    perform auth.end_sign_ins(new.id, null);
  end if;
  return null;
end
$$;
grant execute on function auth.follow_activity() to authenticated;
create trigger account_is_active after update of is_active on staff.users
  for each row when (current_user = 'authenticated') execute function auth.follow_activity();

-- Who the caller is. An access token is valid for a while after its account was deactivated or removed: it is refused
-- here, by every process.
create or replace function app.enter(caller uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  entered record;
begin
  select a.is_active is false as is_inactive, p.removed_at is not null as is_removed,
         set_config('app.user_id', caller::text, true),
         set_config('app.organization_id', coalesce(u.organization_id::text, p.organization_id::text, ''), true),
         set_config('app.role', coalesce(u.role, case when p.id is not null then 'fellow' end, ''), true),
         set_config('app.level', case when s.is_active is false then 0 else coalesce(p.level, 0) end::text, true),
         set_config('app.member_id', coalesce(p.member_id::text, ''), true)
    into entered
    from (select caller as id) c
    left join auth.users a on a.id = c.id
    left join staff.users s on s.id = c.id
    left join lateral (select s.organization_id, s.role where s.is_active) u on true
    left join learn.profiles p on p.id = c.id and (s.is_active is not false or p.member_id is not null);
  if entered.is_removed or entered.is_inactive then
    raise invalid_authorization_specification using constraint = 'account', message = case
      when entered.is_removed then 'the account was removed' else 'the account was deactivated' end;
  end if;
end
$$;

-- Passwords ----------------------------------------------------------------------------------------

-- The link that sets a new password: one for each account, for one use.
create table auth.password_links (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- The link's SHA-256: the link itself is nowhere in the database.
  token_hash bytea not null constraint password_links_token_key unique,
  issued_by uuid not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
alter table auth.password_links enable row level security;
alter table auth.password_links force row level security;
create policy nobody on auth.password_links using (false);

-- The page behind a link. `state` is open, or the reason why no password can be set. A link ends with the rights of the
-- owner who issued it.
create function auth.password_link(token bytea, at timestamptz)
  returns table (state text, account uuid, email text, organization text)
  language sql stable security definer set search_path = ''
begin atomic
  select case
           when l.used_at is not null then 'used'
           when not exists (
             select from staff.users o
             where o.id = l.issued_by and o.organization_id = a.organization_id and o.role = 'owner' and o.is_active
           ) then 'revoked'
           when l.expires_at <= at then 'expired'
           when not a.is_active then 'closed'
           else 'open'
         end,
         a.id, a.email, auth.organization(a.organization_id)
  from auth.password_links l
  join auth.users a on a.id = l.user_id
  where l.token_hash = token;
end;

-- Sets the password, and ends the account's sign-ins. Returns done, or the state of a link that is not open.
create function auth.use_password_link(token bytea, at timestamptz, password_hash text) returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  found_state text;
  found_account uuid;
begin
  perform from auth.password_links l where l.token_hash = token for update;
  select l.state, l.account into found_state, found_account from auth.password_link(token, at) l;
  if found_state is distinct from 'open' then
    return found_state;
  end if;
  update auth.users a set password_hash = use_password_link.password_hash where a.id = found_account;
  update auth.password_links l set used_at = at where l.token_hash = token;
  return 'done';
end
$$;
grant execute on function
  auth.password_link(bytea, timestamptz), auth.use_password_link(bytea, timestamptz, text)
  to frontdesk_identity;

-- Removal ------------------------------------------------------------------------------------------

-- Removes an account: its address is free again. What it wrote stays, under a former name; its member stays.
create function auth.remove_account(account uuid) returns void
  language plpgsql set search_path = ''
as $$
begin
  insert into learn.profiles (id, organization_id, name)
  select a.id, a.organization_id, split_part(a.email, '@', 1) from auth.users a
  where a.id = account and a.organization_id is not null
  on conflict do nothing;
  update learn.profiles p
  set name = p.name || ' (former)', avatar_url = null, member_id = null, chat_user_id = null, code_host_login = null,
      fellow_slug = null, level = 0, removed_at = now()
  where p.id = account and p.removed_at is null;
  delete from staff.users u where u.id = account;
  delete from auth.users a where a.id = account;
end
$$;

-- Removes an organisation's accounts and open invitations. Its records stay, under a former name.
create function auth.remove_organization(organization uuid) returns void
  language plpgsql set search_path = ''
as $$
declare
  account uuid;
begin
  for account in
    select a.id from auth.users a where a.organization_id = organization
    union select u.id from staff.users u where u.organization_id = organization
    union select p.id from learn.profiles p where p.organization_id = organization
  loop
    perform auth.remove_account(account);
  end loop;
  update staff.invitations i set revoked_at = now()
  where i.organization_id = organization and i.accepted_at is null and i.revoked_at is null;
  update app.organizations o
  set name = o.name || ' (former)', slug = 'former-' || o.id, removed_at = now()
  where o.id = organization;
end
$$;

-- Removed accounts are no accounts.
create or replace function ops.is_account(account uuid) returns boolean
  language sql stable security definer set search_path = ''
  return exists (select from staff.users u where u.id = account and u.organization_id = app.caller_org())
    or exists (select from learn.profiles p
               where p.id = account and p.organization_id = app.caller_org() and p.removed_at is null);

create or replace view ops.accounts with (security_invoker = true) as
  select a.id, a.organization_id, coalesce(a.name, a.email, a.id::text) as name, a.email, a.role, a.level, a.is_active
  from (
    select coalesce(u.id, p.id) as id, coalesce(u.organization_id, p.organization_id) as organization_id,
           p.name, ops.email(coalesce(u.id, p.id)) as email, coalesce(u.role, 'fellow') as role,
           coalesce(p.level, 0) as level, coalesce(u.is_active, true) as is_active
    from staff.users u full join learn.profiles p on p.id = u.id
    where p.removed_at is null
  ) a
  where (select app.caller_role()) in ('owner', 'admin');
