-- People: the staff, members and profiles (specification, sections 1, 2, 4.4 and 5).

create schema staff authorization frontdesk_owner;
create schema learn authorization frontdesk_owner;
grant usage on schema staff to authenticated;
grant usage on schema learn to authenticated, anonymous;

-- The staff row: it makes a person a member of staff, and gives the role.
create table staff.users (
  -- The token's subject. No reference to auth.users, because the account can be another provider's.
  id uuid primary key,
  organization_id uuid not null references app.organizations (id),
  role text not null check (role in ('owner', 'admin', 'staff', 'teacher', 'finance', 'automation')),
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  -- When the account was last deactivated, or stopped being an owner's. Links that it issued before have ended, also if
  -- it has the right again. An undo leaves this time alone, because the history does not record it.
  rights_taken_at timestamptz,
  -- For lists of the staff, and so that the history says who removed a factor.
  has_second_factor boolean not null default false
);
create index users_organization_id_idx on staff.users (organization_id);

create table learn.members (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  name text not null,
  name_key text generated always as (app.search_key(name)) stored,
  personal_email text,
  corporate_email text,
  found_by text generated always as
    (app.search_key(name || ' ' || coalesce(personal_email, '') || ' ' || coalesce(corporate_email, ''))) stored,
  phone text,
  city text,
  state text,
  phase_id text,
  tags text[] not null default '{}',
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  -- When the person was forgotten. The row stays for the records that count it.
  forgotten_at timestamptz,
  unique (id, organization_id)
);
create index members_listed_idx on learn.members (organization_id, name_key, id);
create index members_found_by_idx on learn.members using gin (found_by extensions.gin_trgm_ops);
-- Serves look-ups of exact names.
create index members_name_idx on learn.members (organization_id, name);
-- Members are imported by their addresses: without an index, each row reads all of them.
create index members_personal_email_idx on learn.members (organization_id, lower(personal_email));
create index members_corporate_email_idx on learn.members (organization_id, lower(corporate_email));

create table learn.profiles (
  -- The token's subject, as in staff.users.
  id uuid primary key,
  organization_id uuid not null references app.organizations (id),
  member_id uuid,
  name text not null,
  name_key text generated always as (app.search_key(name)) stored,
  avatar_url text,
  chat_user_id text,
  fellow_slug text check (fellow_slug ~ '^[a-z0-9-]+$'),
  -- Global level: 80 and above is a global admin.
  level integer not null default 0 check (level between 0 and 100),
  -- The user at the code host, whose pull requests are this profile's.
  code_host_login text,
  created_at timestamptz not null default now(),
  -- The profile of a removed account stays, under a former name, for the records that refer to it.
  removed_at timestamptz,
  -- The login at the code host that a sign-in through it confirmed.
  confirmed_login text,
  -- When the account's level was last lowered: the links that it issued before have ended. An undo leaves this time
  -- alone, because the history does not record it.
  rights_taken_at timestamptz,
  -- Whether a fellow's account can sign in. The staff's have a state of their own, in staff.users.
  is_active boolean not null default true,
  constraint profiles_member_id_key unique (member_id, organization_id),
  -- Unique in its organisation only: an error must not reveal that another organisation uses the slug.
  constraint profiles_fellow_slug_key unique (organization_id, fellow_slug),
  constraint profiles_member_id_fkey foreign key (member_id, organization_id)
    references learn.members (id, organization_id)
);
create index profiles_listed_idx on learn.profiles (organization_id, name_key, id);
create unique index profiles_code_host_login_key on learn.profiles (organization_id, lower(code_host_login));
create index profiles_code_host_login_idx on learn.profiles (lower(code_host_login));
create index profiles_search_idx on learn.profiles using gin (name_key extensions.gin_trgm_ops);

create trigger refuse_while_in_use before delete on learn.members
  for each row when (current_setting('app.restoring', true) is distinct from 'on')
  execute function app.refuse_while_in_use();
