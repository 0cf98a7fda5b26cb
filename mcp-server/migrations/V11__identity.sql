-- The server's own identity provider: accounts, sign-ins, refresh tokens and codes (specification, section 5).

create schema auth authorization frontdesk_owner;
grant usage on schema auth to frontdesk_identity;

-- Tables -------------------------------------------------------------------------------------------

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

-- Access -------------------------------------------------------------------------------------------

do $$
declare
  t text;
begin
  foreach t in array array['users', 'sessions', 'refresh_tokens', 'sign_in_codes', 'provider_links'] loop
    perform app.secure(('auth.' || t)::regclass);
    execute format('create policy identity on auth.%I to frontdesk_identity using (true) with check (true)', t);
    execute format('grant select, insert, update on auth.%I to frontdesk_identity', t);
  end loop;
end
$$;
-- When an account signs in again, its ended sign-ins are deleted with their refresh tokens.
grant delete on auth.sessions, auth.refresh_tokens, auth.sign_in_codes to frontdesk_identity;

-- Organisations ------------------------------------------------------------------------------------

-- An account belongs to the organisation of its staff row or profile, whichever is written first.
create function auth.follow_organization() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update auth.users a set organization_id = new.organization_id
  where a.id = new.id and a.organization_id is distinct from new.organization_id;
  return null;
end
$$;
create trigger account_follows after insert or update of organization_id on staff.users
  for each row execute function auth.follow_organization();
create trigger account_follows after insert or update of organization_id on learn.profiles
  for each row execute function auth.follow_organization();

create function auth.find_organization() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  new.organization_id := coalesce(
    (select u.organization_id from staff.users u where u.id = new.id),
    (select p.organization_id from learn.profiles p where p.id = new.id));
  return new;
end
$$;
create trigger find_organization before insert on auth.users
  for each row when (new.organization_id is null) execute function auth.find_organization();

-- The name of an organisation, for people who have shown that they belong to it.
create function auth.organization(of uuid) returns text language sql stable security definer set search_path = ''
  return (select o.name from app.organizations o where o.id = of);

-- Sign-ins -----------------------------------------------------------------------------------------

-- Ends the sign-ins of an account, except one; returns those that were ended.
create function auth.end_sign_ins(account uuid, except_one uuid)
  returns setof uuid language plpgsql security definer set search_path = '' as $$
begin
  delete from auth.sign_in_codes c where c.user_id = account and c.session_id is null;
  return query
    update auth.sessions s set revoked_at = now()
    where s.user_id = account and s.revoked_at is null and s.id is distinct from except_one
    returning s.id;
end
$$;

-- Counts the changes of the account's password and state.
create function auth.begin_epoch() returns trigger language plpgsql set search_path = '' as $$
begin
  new.epoch := old.epoch + 1;
  return new;
end
$$;
create trigger begin_epoch before update of password_hash, is_active on auth.users
  for each row when (new.password_hash is distinct from old.password_hash or new.is_active <> old.is_active)
  execute function auth.begin_epoch();

-- Who has the password of an account, or had its sign-in, can have linked an address: it no longer opens the account
-- after the password was changed or the account deactivated.
create function auth.unlink_providers() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from auth.provider_links l where l.user_id = new.id;
  return null;
end
$$;
create trigger unlink_providers after update of password_hash, is_active on auth.users
  for each row when (new.password_hash is distinct from old.password_hash or old.is_active and not new.is_active)
  execute function auth.unlink_providers();

grant execute on function auth.unlink_providers to authenticated, frontdesk_identity;
grant execute on function auth.organization, auth.end_sign_ins, auth.begin_epoch to frontdesk_identity;
