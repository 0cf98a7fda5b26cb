-- A link is checked when it is used: the rank and state of the account that issued it, and of the one that it is for.

-- Rights that are taken ----------------------------------------------------------------------------

-- When the account was last deactivated, or stopped being an owner's. Links that it issued before have ended, also if
-- it has the right again. An undo leaves this time alone, because the history does not record it.
alter table staff.users add column rights_taken_at timestamptz;
select app.capture_changes('staff.users', secret => '{rights_taken_at}');

create function staff.note_taken_rights() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.rights_taken_at := clock_timestamp();
  return new;
end
$$;
create trigger note_taken_rights before update on staff.users
  for each row when (old.is_active and not new.is_active or old.role = 'owner' and new.role <> 'owner')
  execute function staff.note_taken_rights();
grant execute on function staff.note_taken_rights() to authenticated;

-- Whether an account could issue links for an organisation's accounts at this time, and still can.
create function auth.can_issue(account uuid, organization uuid, issued_at timestamptz) returns boolean
  language sql stable security definer set search_path = ''
  return exists (
    select from staff.users o
    where o.id = account and o.organization_id = organization and o.role = 'owner' and o.is_active
      and (o.rights_taken_at is null or o.rights_taken_at < issued_at));

-- Invitations --------------------------------------------------------------------------------------

create or replace function auth.invitation(token bytea, at timestamptz)
  returns table (state text, organization text, role text, email text, account uuid, has_password boolean)
  language sql stable security definer set search_path = ''
begin atomic
  select case
           when i.accepted_at is not null then 'used'
           when i.revoked_at is not null or not auth.can_issue(i.invited_by, i.organization_id, i.created_at)
             or exists (select from learn.members m where m.id = i.member_id and not m.is_active) then 'revoked'
           when i.expires_at <= at then 'expired'
           when not a.is_active then 'closed'
           when exists (select from staff.users u where u.id = a.id)
             or i.role = 'fellow'
               and exists (select from learn.profiles p where p.id = a.id or p.member_id = i.member_id) then 'taken'
           else 'open'
         end,
         g.name, i.role, i.email, a.id, a.password_hash is not null
  from staff.invitations i
  join app.organizations g on g.id = i.organization_id
  left join lateral (
    select u.id, u.is_active, u.password_hash from auth.users u
    where lower(u.email) = i.email
      and (u.organization_id = i.organization_id or u.organization_id is null and u.password_hash is not null)
    order by u.organization_id nulls last limit 1
  ) a on true
  where i.token_hash = token;
end;

-- Passwords ----------------------------------------------------------------------------------------

alter table auth.password_links
  add column issued_at timestamptz not null default now(),
  -- When the password, role, level or state of its account changed before it was used.
  add column ended_at timestamptz;

-- Of two accounts, the first may give the second a new password only from at least its level.
create or replace function auth.password_link(token bytea, at timestamptz)
  returns table (state text, account uuid, email text, organization text)
  language sql stable security definer set search_path = ''
begin atomic
  select case
           when l.used_at is not null then 'used'
           when not auth.can_issue(l.issued_by, a.organization_id, l.issued_at) then 'revoked'
           when l.ended_at is not null
             or coalesce((select p.level from learn.profiles p where p.id = l.issued_by), 0)
               < coalesce((select p.level from learn.profiles p where p.id = l.user_id), 0) then 'ended'
           when l.expires_at <= at then 'expired'
           when not a.is_active then 'closed'
           else 'open'
         end,
         a.id, a.email, auth.organization(a.organization_id)
  from auth.password_links l
  join auth.users a on a.id = l.user_id
  where l.token_hash = token;
end;

create or replace function auth.use_password_link(token bytea, at timestamptz, password_hash text) returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  found_state text;
  found_account uuid;
begin
  -- The account first, as everything else that ends a link.
  perform from auth.users a
  where a.id = (select l.user_id from auth.password_links l where l.token_hash = token) for update;
  perform from auth.password_links l where l.token_hash = token for update;
  select l.state, l.account into found_state, found_account from auth.password_link(token, at) l;
  if found_state is distinct from 'open' then
    return found_state;
  end if;
  update auth.password_links l set used_at = at where l.token_hash = token;
  update auth.users a set password_hash = use_password_link.password_hash where a.id = found_account;
  return 'done';
end
$$;

create or replace function staff.issue_password_link(account uuid, token bytea)
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
  insert into auth.password_links as l (user_id, token_hash, issued_by, expires_at, issued_at)
  values (account, token, app.caller_id(), until, clock_timestamp())
  on conflict (user_id) do update
    set token_hash = excluded.token_hash, issued_by = excluded.issued_by, expires_at = excluded.expires_at,
        issued_at = excluded.issued_at, used_at = null, ended_at = null;
  return query select holder.email, until;
end
$$;

create function auth.end_password_link() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update auth.password_links l set ended_at = now()
  where l.user_id = case tg_op when 'DELETE' then old.id else new.id end and l.used_at is null and l.ended_at is null;
  return null;
end
$$;
grant execute on function auth.end_password_link() to authenticated, frontdesk_identity;
create trigger end_password_link after update of password_hash, is_active on auth.users
  for each row
  when (new.password_hash is distinct from old.password_hash or new.is_active <> old.is_active)
  execute function auth.end_password_link();
create trigger end_password_link after insert or delete or update of role on staff.users
  for each row execute function auth.end_password_link();
create trigger end_password_link after insert or update of level on learn.profiles
  for each row execute function auth.end_password_link();

-- Sign-ins in progress -----------------------------------------------------------------------------

-- Counts the changes of the account's password and state. A sign-in that began before one of them does not end in
-- tokens.
alter table auth.users add column epoch integer not null default 0;

create function auth.begin_epoch() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.epoch := old.epoch + 1;
  return new;
end
$$;
grant execute on function auth.begin_epoch() to frontdesk_identity;
create trigger begin_epoch before update of password_hash, is_active on auth.users
  for each row
  when (new.password_hash is distinct from old.password_hash or new.is_active <> old.is_active)
  execute function auth.begin_epoch();

-- Addresses at a provider --------------------------------------------------------------------------

-- Who has the password of an account, or had its sign-in, can have linked an address: it no longer opens the account
-- after the password was changed or the account deactivated.
create function auth.unlink_providers() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from auth.provider_links l where l.user_id = new.id;
  return null;
end
$$;
grant execute on function auth.unlink_providers() to authenticated, frontdesk_identity;
create trigger unlink_providers after update of password_hash, is_active on auth.users
  for each row
  when (new.password_hash is distinct from old.password_hash or old.is_active and not new.is_active)
  execute function auth.unlink_providers();

-- The first organisation ---------------------------------------------------------------------------

-- The number of organisations that there were, with removed ones. A link that creates the first one has the number at
-- its start: it ends when an organisation is created, for good.
create function auth.organizations_made() returns bigint
  language sql stable security definer set search_path = ''
  return (select count(*) from app.organizations o);

drop function auth.set_up(text, text, text, text, text);
-- Creates an organisation with its owner, on a server that has none. Returns the organisation's slug; null if there is
-- an organisation already, or `made` is given and another one was created since. An empty slug is made from the name.
create function auth.set_up(
  name text, slug text, person text, address text, password_hash text, made bigint default null) returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  organization uuid;
  account uuid;
  chosen text;
begin
  perform pg_advisory_xact_lock(hashtext('auth.set_up'));
  if auth.has_organization() or made <> auth.organizations_made() then
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
grant execute on function
  auth.organizations_made(), auth.set_up(text, text, text, text, text, bigint)
  to frontdesk_identity;
