-- The platform host: accounts and their levels, apps, media, sandboxes, messages between accounts. docs/access.md
-- lists the rights.

create schema ops authorization frontdesk_owner;
grant usage on schema ops to authenticated;

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

create trigger default_slug before insert on ops.apps
  for each row execute function app.default_slug('name', 'organization_id', 'app');

create trigger webhook after insert on ops.sandboxes
  for each row when (current_setting('app.restoring', true) is distinct from 'on')
  execute function webhooks.tell('sandbox.created');

grant execute on function ops.is_account, ops.email to authenticated;
