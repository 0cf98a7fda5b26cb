-- The platform host: accounts and their levels, apps, media, sandboxes, messages between accounts. Who may what is
-- in docs/access.md.

create schema ops authorization frontdesk_owner;
grant usage on schema ops to authenticated;

-- Accounts ------------------------------------------------------------------------------------------

-- Whether the account is one of the caller's organisation. Callers who may not list accounts refer to them.
create function ops.is_account(account uuid) returns boolean
  language sql stable security definer set search_path = ''
  return exists (select from staff.users u where u.id = account and u.organization_id = app.caller_org())
    or exists (select from learn.profiles p where p.id = account and p.organization_id = app.caller_org());

-- The address that an account of the caller's organisation signs in with, for its owners and admins. Null where
-- another provider has it.
create function ops.email(account uuid) returns text
  language sql stable security definer set search_path = ''
  return (select u.email from auth.users u
          where u.id = account and app.caller_role() in ('owner', 'admin') and ops.is_account(account));
grant execute on function ops.is_account(uuid), ops.email(uuid) to authenticated;

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

-- Gives an account a level: no higher than the caller's own, and not to one that has a higher one. The caller's own
-- is read again and stays until this is done. False where there is no such account. The level stands in the
-- profile, which callers do not write: this function does.
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
  select p.level into own from learn.profiles p where p.id = app.caller_id() for share;
  own := coalesce(own, 0);
  if not ops.is_account(account) then
    return false;
  end if;
  select p.level into has from learn.profiles p where p.id = account for update;
  if wanted > own or has > own then
    raise insufficient_privilege using constraint = 'level', message = case when wanted > own
      then format('nobody gives more than they have: your level is %s', own)
      else format('the account has level %s, and yours is %s', has, own) end;
  end if;
  insert into learn.profiles as p (id, organization_id, name, level)
  values (account, app.caller_org(), coalesce(split_part(ops.email(account), '@', 1), account::text), wanted)
  on conflict (id) do update set level = excluded.level;
  return true;
end
$$;
grant execute on function ops.set_level(uuid, integer) to authenticated;

-- Refuses a row whose column, which the trigger names, refers to no account of the organisation. Accounts stand in
-- two tables, so that no foreign key says it.
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
grant execute on function ops.check_account() to authenticated;

-- Apps and media ------------------------------------------------------------------------------------

create table ops.apps (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  name text not null,
  slug text not null constraint "slug must be lower-case letters and digits, joined by '-'"
    check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  found_by text generated always as (app.search_key(name || ' ' || slug)) stored,
  description text,
  url text,
  -- The account that it acts as.
  account_id uuid,
  created_by uuid default app.caller_id(),
  created_at timestamptz not null default now(),
  constraint apps_slug_key unique (organization_id, slug),
  unique (id, organization_id)
);
create trigger default_slug before insert on ops.apps
  for each row execute function app.default_slug('name', 'organization_id');
create trigger check_account before insert or update on ops.apps
  for each row when (current_user = 'authenticated') execute function ops.check_account('account_id');
select app.protect('ops.apps', reads => '{owner,admin,staff,teacher,finance,automation}', writes => '{owner,admin}');

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
select app.protect('ops.media', reads => '{owner,admin,staff,teacher,finance,automation,fellow}',
  writes => '{owner,admin,staff,teacher,automation}');

-- Sandboxes -----------------------------------------------------------------------------------------

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
  constraint "expires_at must be later than now, and within seven days"
    check (expires_at > created_at and expires_at <= created_at + interval '7 days'),
  constraint sandboxes_app_id_fkey foreign key (app_id, organization_id) references ops.apps (id, organization_id),
  unique (id, organization_id)
);
create index sandboxes_listed_idx on ops.sandboxes (organization_id, created_at desc, id);
create index sandboxes_app_id_idx on ops.sandboxes (app_id, organization_id);
-- Who made one ends it, and so do owners and admins.
select app.protect_by('ops.sandboxes',
  '(select app.caller_role()) in (''owner'', ''admin'', ''staff'', ''teacher'', ''automation'')',
  '(select app.caller_role()) in (''owner'', ''admin'')
   or (select app.caller_role()) in (''staff'', ''teacher'', ''automation'') and created_by = (select app.caller_id())');

-- A sandbox ends once; one that has expired ended then.
create function ops.end_once() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.ended_at := coalesce(old.ended_at, least(new.ended_at, new.expires_at));
  return new;
end
$$;
create trigger end_once before update of ended_at on ops.sandboxes for each row execute function ops.end_once();

-- Messages ------------------------------------------------------------------------------------------

create table ops.messages (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  sender_id uuid not null default app.caller_id(),
  recipient_id uuid not null constraint "recipient_id must be somebody else" check (recipient_id <> sender_id),
  subject text not null,
  subject_key text generated always as (app.search_key(subject)) stored,
  body text not null,
  created_at timestamptz not null default now(),
  unique (id, organization_id)
);
create index messages_listed_idx on ops.messages (organization_id, created_at desc, id);
create index messages_sender_idx on ops.messages (sender_id, organization_id, created_at desc);
create index messages_recipient_idx on ops.messages (recipient_id, organization_id, created_at desc);
create trigger check_account before insert on ops.messages
  for each row when (current_user = 'authenticated') execute function ops.check_account('recipient_id');
-- A message is read by its two sides, and by nobody else, whatever their role.
select app.protect_by('ops.messages', '(select app.caller_id()) in (sender_id, recipient_id)',
  'sender_id = (select app.caller_id())
   and (select app.caller_role()) in (''owner'', ''admin'', ''staff'', ''teacher'', ''finance'', ''automation'')');

-- What is sent stays as it was sent, and no tool deletes any of this.
revoke update on ops.messages from authenticated;
revoke delete on ops.apps, ops.media, ops.sandboxes, ops.messages from authenticated;
