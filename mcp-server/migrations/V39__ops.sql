-- The platform host: accounts and their levels, apps, media, sandboxes, messages between accounts. docs/access.md
-- lists the rights.

create schema ops authorization frontdesk_owner;
grant usage on schema ops to authenticated;

-- Accounts -----------------------------------------------------------------------------------------

-- Whether the account is one of the caller's organisation and was not removed, for callers who refer to accounts
-- without seeing them.
create function ops.is_account(account uuid) returns boolean language sql stable security definer set search_path = ''
  return exists (select from staff.users u where u.id = account and u.organization_id = app.caller_org())
    or exists (select from learn.profiles p
               where p.id = account and p.organization_id = app.caller_org() and p.removed_at is null);

-- The address that an account of the caller's organisation signs in with, for its owners and admins. Null if another
-- provider has it.
create function ops.email(account uuid) returns text language sql stable security definer set search_path = ''
  return (select u.email from auth.users u
          where u.id = account and app.caller_role() in ('owner', 'admin') and ops.is_account(account));

-- The name of a message's sender or recipient, for callers who do not see accounts.
create function ops.party_name(account uuid) returns text language sql stable security definer set search_path = ''
  return (select p.name from learn.profiles p where p.id = account and p.organization_id = app.caller_org());

-- Who can sign in to the organisation: profiles, and staff rows without one, for owners and admins. Both parts are
-- looked up by the keys of their tables; an address and a fellow's state for what is shown, not for all that is sorted.
create view ops.accounts with (security_invoker = true) as
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
grant select on ops.accounts to authenticated;

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

-- Tables -------------------------------------------------------------------------------------------

create table ops.apps (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  name text not null,
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  found_by text generated always as (app.search_key(name || ' ' || slug)) stored,
  description text,
  url text,
  -- The account as which it acts.
  account_id uuid,
  created_by uuid default app.caller_id(),
  created_at timestamptz not null default now(),
  constraint apps_slug_key unique (organization_id, slug),
  unique (id, organization_id)
);

create table ops.media (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  name text not null,
  name_key text generated always as (app.search_key(name)) stored,
  kind text not null check (kind in ('image', 'video', 'audio', 'document')),
  url text not null,
  description text,
  bytes bigint check (bytes >= 0),
  created_by uuid default app.caller_id(),
  created_at timestamptz not null default now(),
  unique (id, organization_id)
);
-- An address is registered once.
create unique index media_url_key on ops.media (organization_id, md5(url));
create index media_listed_idx on ops.media (organization_id, name_key, id);

create table ops.sandboxes (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  name text not null,
  name_key text generated always as (app.search_key(name)) stored,
  purpose text,
  app_id uuid,
  created_by uuid default app.caller_id(),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '1 day',
  ended_at timestamptz,
  -- Where it runs.
  url text,
  constraint sandboxes_expires_at_check
    check (expires_at > created_at and expires_at <= created_at + interval '7 days'),
  constraint sandboxes_app_id_fkey foreign key (app_id, organization_id) references ops.apps (id, organization_id),
  unique (id, organization_id)
);
create index sandboxes_listed_idx on ops.sandboxes (organization_id, created_at desc, id);
create index sandboxes_app_id_idx on ops.sandboxes (app_id, organization_id);

create table ops.messages (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  sender_id uuid not null default app.caller_id(),
  recipient_id uuid not null constraint messages_recipient_id_check check (recipient_id <> sender_id),
  subject text not null,
  subject_key text generated always as (app.search_key(subject)) stored,
  body text not null,
  created_at timestamptz not null default now(),
  unique (id, organization_id)
);
create index messages_listed_idx on ops.messages (organization_id, created_at desc, id);
create index messages_sender_idx on ops.messages (sender_id, organization_id, created_at desc);
create index messages_recipient_idx on ops.messages (recipient_id, organization_id, created_at desc);

-- Access -------------------------------------------------------------------------------------------

select app.protect('ops.apps', reads => '{owner,admin,staff,teacher,finance,automation}', writes => '{owner,admin}');
select app.protect('ops.media', reads => '{owner,admin,staff,teacher,finance,automation,fellow}',
  writes => '{owner,admin,staff,teacher,automation}');
-- The creator of a sandbox can end it, and so can owners and admins.
select app.protect_by('ops.sandboxes',
  '(select app.caller_role()) in (''owner'', ''admin'', ''staff'', ''teacher'', ''automation'')',
  '(select app.caller_role()) in (''owner'', ''admin'')
   or (select app.caller_role()) in (''staff'', ''teacher'', ''automation'') and created_by = (select app.caller_id())');
-- Only the sender and the recipient read a message, whatever others' roles are.
select app.protect_by('ops.messages', '(select app.caller_id()) in (sender_id, recipient_id)',
  'sender_id = (select app.caller_id())
   and (select app.caller_role()) in (''owner'', ''admin'', ''staff'', ''teacher'', ''finance'', ''automation'')');
-- A sent message never changes, and no tool deletes any of these.
revoke update on ops.messages from authenticated;
revoke delete on ops.apps, ops.media, ops.sandboxes, ops.messages from authenticated;

-- Functions and triggers ---------------------------------------------------------------------------

create trigger default_slug before insert on ops.apps
  for each row execute function app.default_slug('name', 'organization_id', 'app');

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

create trigger webhook after insert on ops.sandboxes
  for each row when (current_setting('app.restoring', true) is distinct from 'on')
  execute function webhooks.tell('sandbox.created');

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
  ops.is_account, ops.email, ops.party_name, ops.find_accounts, ops.set_level, ops.set_fellow_active,
  ops.set_account_active, ops.check_account, ops.report_sandbox
  to authenticated;
