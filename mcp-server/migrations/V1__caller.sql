-- The caller: who a transaction runs for. Policies everywhere read it through the functions here.

revoke all on schema app from public;
revoke all on schema extensions from public;
grant usage on schema app to authenticated;
grant usage on schema extensions to authenticated;
-- Functions are closed until they are granted.
alter default privileges revoke execute on functions from public;

-- The migrations' own history is nobody's but the owner's.
alter table app.migrations enable row level security;
alter table app.migrations force row level security;
create policy nobody on app.migrations using (false);

create table app.organizations (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  -- The zone in which the organisation's days begin and its meetings have their time of day.
  time_zone text not null default 'America/Sao_Paulo',
  created_at timestamptz not null default now()
);

-- The session token's and the access tokens' keys: one set for every process on this database.
create table app.secrets (
  name text primary key,
  value bytea not null,
  created_at timestamptz not null default now()
);

create schema staff authorization frontdesk_owner;
create schema learn authorization frontdesk_owner;
create schema strategy authorization frontdesk_owner;
grant usage on schema staff, learn, strategy to authenticated;

-- The staff row: what makes a person a member of staff, and which.
create table staff.users (
  -- The token's subject. No reference to auth.users: the account may be another provider's.
  id uuid primary key,
  organization_id uuid not null references app.organizations (id),
  role text not null
    constraint users_role_check
    check (role in ('owner', 'admin', 'staff', 'teacher', 'finance', 'automation')),
  is_active boolean not null default true,
  created_at timestamptz not null default now()
);
create index users_organization_id_idx on staff.users (organization_id);

create table learn.members (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references app.organizations (id),
  name text not null,
  personal_email text,
  corporate_email text,
  phone text,
  city text,
  state text,
  phase_id text,
  tags text[] not null default '{}',
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  unique (id, organization_id)
);
create index members_organization_id_idx on learn.members (organization_id);

create table learn.profiles (
  -- The token's subject, as in staff.users.
  id uuid primary key,
  organization_id uuid not null references app.organizations (id),
  member_id uuid unique,
  name text not null,
  avatar_url text,
  chat_user_id text,
  fellow_slug text unique check (fellow_slug ~ '^[a-z0-9-]+$'),
  -- Global level: 80 and above is a global admin.
  level integer not null default 0 check (level between 0 and 100),
  created_at timestamptz not null default now(),
  foreign key (member_id, organization_id) references learn.members (id, organization_id)
);
create index profiles_organization_id_idx on learn.profiles (organization_id);

create table strategy.business_units (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references app.organizations (id),
  name text not null,
  profile_image_url text,
  tags text[] not null default '{}',
  created_at timestamptz not null default now(),
  unique (id, organization_id)
);
create index business_units_organization_id_idx on strategy.business_units (organization_id);

-- The caller ----------------------------------------------------------------------------------
-- The preamble of every call's transaction sets the role and app.user_id, then calls app.enter(),
-- which reads the caller's own rows. A role or level that was revoked is gone at the next call,
-- whatever the token says. A transaction without the preamble has no rights, and one without
-- app.enter() has a caller without organisation, who sees nothing.

create function app.enter(out organization_id uuid, out role text, out level integer)
  language plpgsql security definer set search_path = ''
as $$
declare
  caller uuid := nullif(current_setting('app.user_id', true), '')::uuid;
  staff_row staff.users;
  profile learn.profiles;
begin
  select * into staff_row from staff.users u where u.id = caller and u.is_active;
  select * into profile from learn.profiles p where p.id = caller;
  organization_id := coalesce(staff_row.organization_id, profile.organization_id);
  role := coalesce(staff_row.role, case when profile.id is not null then 'fellow' end);
  level := coalesce(profile.level, 0);
  perform set_config('app.organization_id', coalesce(organization_id::text, ''), true),
          set_config('app.role', coalesce(role, ''), true),
          set_config('app.level', level::text, true),
          set_config('app.member_id', coalesce(profile.member_id::text, ''), true);
end
$$;

create function app.caller_id() returns uuid
  language sql stable parallel safe set search_path = ''
  return nullif(current_setting('app.user_id', true), '')::uuid;

create function app.caller_org() returns uuid
  language sql stable parallel safe set search_path = ''
  return nullif(current_setting('app.organization_id', true), '')::uuid;

create function app.caller_role() returns text
  language sql stable parallel safe set search_path = ''
  return nullif(current_setting('app.role', true), '');

create function app.caller_level() returns integer
  language sql stable parallel safe set search_path = ''
  return nullif(current_setting('app.level', true), '')::integer;

create function app.caller_member() returns uuid
  language sql stable parallel safe set search_path = ''
  return nullif(current_setting('app.member_id', true), '')::uuid;

grant execute on function
  app.enter(), app.caller_id(), app.caller_org(), app.caller_role(), app.caller_level(),
  app.caller_member()
  to authenticated;

-- Search ----------------------------------------------------------------------------------------

-- A text without case and accents. Immutable, because the dictionary is named: fit for an index.
create function app.search_key(words text) returns text
  language sql immutable strict parallel safe set search_path = ''
  return lower(extensions.unaccent('extensions.unaccent'::regdictionary, normalize(words, NFKC)));

-- What LIKE takes to find `words` anywhere in a search key, `%` and `_` taken literally. They are
-- escaped after the key is made, since a key can hold what the words only resembled.
create function app.search_pattern(words text) returns text
  language sql immutable strict parallel safe set search_path = ''
  return '%' || replace(replace(replace(app.search_key(words), '\', '\\'), '%', '\%'), '_', '\_') || '%';

grant execute on function app.search_key(text), app.search_pattern(text) to authenticated;

-- Access ----------------------------------------------------------------------------------------

alter table app.organizations enable row level security;
alter table app.organizations force row level security;
create policy read on app.organizations for select to authenticated
  using (id = (select app.caller_org()));
grant select on app.organizations to authenticated;

alter table app.secrets enable row level security;
alter table app.secrets force row level security;
create policy nobody on app.secrets using (false);

alter table staff.users enable row level security;
alter table staff.users force row level security;
create policy read on staff.users for select to authenticated
  using (id = (select app.caller_id())
    or organization_id = (select app.caller_org())
       and (select app.caller_role()) in ('owner', 'admin'));
grant select on staff.users to authenticated;

alter table learn.members enable row level security;
alter table learn.members force row level security;
create policy read on learn.members for select to authenticated
  using (organization_id = (select app.caller_org())
    and ((select app.caller_role()) in ('owner', 'admin', 'staff', 'teacher', 'finance')
      or id = (select app.caller_member())));
grant select on learn.members to authenticated;

alter table learn.profiles enable row level security;
alter table learn.profiles force row level security;
create policy read on learn.profiles for select to authenticated
  using (id = (select app.caller_id())
    or organization_id = (select app.caller_org())
       and (select app.caller_role()) in ('owner', 'admin', 'staff', 'teacher', 'finance'));
grant select on learn.profiles to authenticated;

alter table strategy.business_units enable row level security;
alter table strategy.business_units force row level security;
create policy read on strategy.business_units for select to authenticated
  using (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff', 'teacher', 'finance', 'fellow'));
grant select on strategy.business_units to authenticated;
