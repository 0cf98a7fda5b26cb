-- The server's own identity provider: accounts, their sign-ins, and the refresh tokens of each.

create schema auth authorization frontdesk_owner;
grant usage on schema auth, app to frontdesk_identity;

create table auth.users (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  -- An argon2id hash in PHC form; null where the account signs in through a provider.
  password_hash text,
  is_active boolean not null default true,
  created_at timestamptz not null default now()
);
create unique index users_email_key on auth.users (lower(email));

-- One sign-in: a family of refresh tokens, each the child of the one before.
create table auth.sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
create index sessions_user_id_idx on auth.sessions (user_id);

create table auth.refresh_tokens (
  id bigint generated always as identity primary key,
  session_id uuid not null references auth.sessions (id) on delete cascade,
  -- The token's SHA-256: the token itself is nowhere in the database.
  hash bytea not null unique,
  parent_id bigint references auth.refresh_tokens (id),
  created_at timestamptz not null default now(),
  -- Set when a child has been given out for it.
  used_at timestamptz
);
create index refresh_tokens_session_id_idx on auth.refresh_tokens (session_id);
-- A token has one child.
create unique index refresh_tokens_parent_id_key on auth.refresh_tokens (parent_id);

alter table auth.users enable row level security;
alter table auth.users force row level security;
create policy identity on auth.users to frontdesk_identity using (true) with check (true);
grant select, insert, update on auth.users to frontdesk_identity;

alter table auth.sessions enable row level security;
alter table auth.sessions force row level security;
create policy identity on auth.sessions to frontdesk_identity using (true) with check (true);
grant select, insert, update on auth.sessions to frontdesk_identity;

alter table auth.refresh_tokens enable row level security;
alter table auth.refresh_tokens force row level security;
create policy identity on auth.refresh_tokens to frontdesk_identity using (true) with check (true);
grant select, insert, update on auth.refresh_tokens to frontdesk_identity;

-- The keys, made by the first process that starts on the database.
create policy identity on app.secrets to frontdesk_identity using (true) with check (true);
grant select, insert on app.secrets to frontdesk_identity;
