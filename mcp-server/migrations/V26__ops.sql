-- The platform host: accounts and their levels, apps, media, sandboxes, messages between accounts. docs/access.md
-- lists the rights.

create schema ops authorization frontdesk_owner;
grant usage on schema ops to authenticated;

-- Accounts -----------------------------------------------------------------------------------------

-- Whether the account is one of the caller's organisation, for callers who refer to accounts without seeing them.
create function ops.is_account(account uuid) returns boolean
  language sql stable security definer set search_path = ''
  return exists (select from staff.users u where u.id = account and u.organization_id = app.caller_org())
    or exists (select from learn.profiles p where p.id = account and p.organization_id = app.caller_org());

-- The address that an account of the caller's organisation signs in with, for its owners and admins. Null if another
-- provider has it.
create function ops.email(account uuid) returns text
  language sql stable security definer set search_path = ''
  return (select u.email from auth.users u
          where u.id = account and app.caller_role() in ('owner', 'admin') and ops.is_account(account));

-- The name of a message's sender or recipient, for callers who do not see accounts.
create function ops.party_name(account uuid) returns text
  language sql stable security definer set search_path = ''
  return (select p.name from learn.profiles p where p.id = account and p.organization_id = app.caller_org());

-- Who can sign in to the organisation: staff rows and profiles, for owners and admins.
create view ops.accounts with (security_invoker = true) as
  select a.id, a.organization_id, coalesce(a.name, a.email, a.id::text) as name, a.email, a.role, a.level, a.is_active
  from (
    select coalesce(u.id, p.id) as id, coalesce(u.organization_id, p.organization_id) as organization_id,
           p.name, ops.email(coalesce(u.id, p.id)) as email, coalesce(u.role, 'fellow') as role,
           coalesce(p.level, 0) as level, coalesce(u.is_active, true) as is_active
    from staff.users u full join learn.profiles p on p.id = u.id
  ) a
  where (select app.caller_role()) in ('owner', 'admin');
grant select on ops.accounts to authenticated;

-- Sets the level of an account: not above the caller's own, and not of an account with a higher one. False if the
-- account does not exist. Callers cannot write the level in a profile; this function does. The rows are locked by
-- id, so that two accounts that set each other's level at the same time take turns.
create function ops.set_level(account uuid, wanted integer) returns boolean
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

grant execute on function ops.is_account(uuid), ops.email(uuid), ops.party_name(uuid), ops.set_level(uuid, integer)
  to authenticated;

-- Tables -------------------------------------------------------------------------------------------

create table ops.apps (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  name text not null,
  slug text not null constraint apps_slug_check
    check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
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
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  name text not null,
  name_key text generated always as (app.search_key(name)) stored,
  kind text not null constraint media_kind_check check (kind in ('image', 'video', 'audio', 'document')),
  url text not null,
  description text,
  bytes bigint constraint media_bytes_check check (bytes >= 0),
  created_by uuid default app.caller_id(),
  created_at timestamptz not null default now(),
  unique (id, organization_id)
);
-- An address is registered once.
create unique index media_url_key on ops.media (organization_id, md5(url));
create index media_listed_idx on ops.media (organization_id, name_key, id);

create table ops.sandboxes (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  name text not null,
  name_key text generated always as (app.search_key(name)) stored,
  purpose text,
  app_id uuid,
  created_by uuid default app.caller_id(),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '1 day',
  ended_at timestamptz,
  constraint sandboxes_expires_at_check
    check (expires_at > created_at and expires_at <= created_at + interval '7 days'),
  constraint sandboxes_app_id_fkey foreign key (app_id, organization_id) references ops.apps (id, organization_id),
  unique (id, organization_id)
);
create index sandboxes_listed_idx on ops.sandboxes (organization_id, created_at desc, id);
create index sandboxes_app_id_idx on ops.sandboxes (app_id, organization_id);

create table ops.messages (
  id uuid primary key default gen_random_uuid(),
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
create function ops.check_account() returns trigger
  language plpgsql set search_path = ''
as $$
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
create function ops.end_once() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.ended_at := coalesce(old.ended_at, least(new.ended_at, new.expires_at));
  return new;
end
$$;
create trigger end_once before update of ended_at on ops.sandboxes for each row execute function ops.end_once();

grant execute on function ops.check_account() to authenticated;
