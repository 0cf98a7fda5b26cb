-- The server's own identity provider: accounts, sign-ins, refresh tokens and codes (specification, section 5).

create schema auth authorization frontdesk_owner;
grant usage on schema auth to frontdesk_identity;

-- An account belongs to one organisation, and its address is unique there: no organisation can take an address from
-- another one. If an address has several accounts, the password selects one.
create table auth.users (
  id uuid primary key default gen_random_uuid(),
  -- Null as long as the account has neither a staff row nor a profile.
  organization_id uuid references app.organizations (id),
  email text not null,
  -- An argon2id hash in PHC form; null if the account signs in through a provider.
  password_hash text,
  is_active boolean not null default true,
  -- An account made by invitation cannot be opened by a provider's word for the address: the inviting owner chose the
  -- address.
  is_invited boolean not null default false,
  created_at timestamptz not null default now(),
  -- Counts the changes of the account's password and state. A sign-in that began before one of them does not end in
  -- tokens.
  epoch integer not null default 0
);
create unique index users_email_key on auth.users (organization_id, lower(email)) nulls not distinct;
create index users_email_idx on auth.users (lower(email));
create index users_search_idx on auth.users using gin (lower(email) extensions.gin_trgm_ops);

-- A sign-in: a family of refresh tokens, each the child of the one before.
create table auth.sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  -- The client of the authorization code grant: SHA-256 of its id, in base64url. Null for the service's own grants.
  client text,
  -- The client's address, as an HMAC: an account knows the addresses of its sign-ins.
  came_from bytea,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
create index sessions_user_id_idx on auth.sessions (user_id);

create table auth.refresh_tokens (
  id bigint generated always as identity primary key,
  session_id uuid not null references auth.sessions (id) on delete cascade,
  -- The token's SHA-256; the token itself is not stored.
  hash bytea not null unique,
  -- When the tokens of a sign-in are deleted, the parent can be the first.
  parent_id bigint references auth.refresh_tokens (id) on delete set null,
  created_at timestamptz not null default now(),
  -- The time at which a child was issued for it.
  used_at timestamptz
);
create index refresh_tokens_session_id_idx on auth.refresh_tokens (session_id);
-- A token has one child.
create unique index refresh_tokens_parent_id_key on auth.refresh_tokens (parent_id);

-- A sign-in through a code-hosting provider ends with a code that can be exchanged for tokens once, within a short
-- time. It is stored so that every server process accepts it, and only one of them does.
create table auth.sign_in_codes (
  -- The code's SHA-256; the code itself is not stored.
  hash bytea primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  -- SHA-256 of the secret of the client that began the sign-in.
  bound_to bytea not null,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  -- A code that is used twice ends the sign-in that it began (RFC 6749, section 4.1.2): a used code stays with it.
  session_id uuid references auth.sessions (id) on delete cascade
);
create index sign_in_codes_user_id_idx on auth.sign_in_codes (user_id);
create index sign_in_codes_session_id_idx on auth.sign_in_codes (session_id);

-- The address at a code-hosting provider that the holder of an account linked while signed in.
create table auth.provider_links (
  user_id uuid not null references auth.users (id) on delete cascade,
  provider text not null,
  -- Verified by the provider, in lower case.
  address text not null,
  created_at timestamptz not null,
  primary key (user_id, provider)
);
create index provider_links_address_idx on auth.provider_links (address, provider);
