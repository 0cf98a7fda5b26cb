-- The server's own identity provider: accounts, sign-ins, refresh tokens, codes, and invitations (specification,
-- section 5).

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
  created_at timestamptz not null default now()
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

create table staff.invitations (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  name text not null,
  email text not null constraint invitations_email_check check (email = lower(email)),
  role text not null constraint invitations_role_check
    check (role in ('owner', 'admin', 'staff', 'teacher', 'finance', 'automation')),
  -- The link's SHA-256; the link itself is not stored.
  token_hash bytea not null constraint invitations_token_key unique,
  invited_by uuid not null default app.caller_id(),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '3 days',
  accepted_at timestamptz,
  revoked_at timestamptz,
  constraint invitations_revoked_at_check check (accepted_at is null or revoked_at is null)
);
create index invitations_listed_idx on staff.invitations (organization_id, created_at desc, id);
create unique index invitations_email_key on staff.invitations (organization_id, email)
  where accepted_at is null and revoked_at is null;

-- Access -------------------------------------------------------------------------------------------

do $$
declare
  t text;
begin
  foreach t in array array['users', 'sessions', 'refresh_tokens', 'sign_in_codes', 'provider_links'] loop
    execute format('alter table auth.%I enable row level security', t);
    execute format('alter table auth.%I force row level security', t);
    execute format('create policy identity on auth.%I to frontdesk_identity using (true) with check (true)', t);
    execute format('grant select, insert, update on auth.%I to frontdesk_identity', t);
  end loop;
end
$$;
-- When an account signs in again, its ended sign-ins are deleted with their refresh tokens.
grant delete on auth.sessions, auth.refresh_tokens, auth.sign_in_codes to frontdesk_identity;

select app.protect('staff.invitations', reads => '{owner,admin}', writes => '{owner}');
revoke delete on staff.invitations from authenticated;

-- Functions and triggers ---------------------------------------------------------------------------

create function auth.follow_organization() returns trigger
  language plpgsql security definer set search_path = ''
as $$
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

-- The name of an organisation, for people who have shown that they belong to it.
create function auth.organization(of uuid) returns text
  language sql stable security definer set search_path = ''
  return (select o.name from app.organizations o where o.id = of);

-- A member of staff cannot be invited. The error does not reveal accounts of other organisations.
create function staff.check_invitation() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if exists (
    select from auth.users a join staff.users u on u.id = a.id
    where lower(a.email) = new.email and u.organization_id = new.organization_id
  ) then
    raise check_violation using
      column = 'email', message = 'this person is already on the staff: see list_staff and set_staff_active';
  end if;
  return new;
end
$$;
create trigger check_invitation before insert on staff.invitations
  for each row when (current_user = 'authenticated') execute function staff.check_invitation();

-- An invitation as its page shows it at this time. `state` is `open`, or the reason that nobody can accept it. An
-- invitation ends with the rights of the owner who made it. `account` is the organisation's own account with the
-- address, or one without an organisation whose password can show that it is the invited person's.
create function auth.invitation(token bytea, at timestamptz)
  returns table (state text, organization text, role text, email text, account uuid, has_password boolean)
  language sql stable security definer set search_path = ''
begin atomic
  select case
           when i.accepted_at is not null then 'used'
           when i.revoked_at is not null or not exists (
             select from staff.users o
             where o.id = i.invited_by and o.organization_id = i.organization_id and o.role = 'owner' and o.is_active
           ) then 'revoked'
           when i.expires_at <= at then 'expired'
           when not a.is_active then 'closed'
           when exists (select from staff.users u where u.id = a.id) then 'taken'
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

-- Accepts an invitation: with the account that the invited person has signed in to, or with a new one with this
-- password. Returns `done`, or the state that prevents it.
create function auth.accept_invitation(token bytea, at timestamptz, account uuid, password_hash text)
  returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  invited staff.invitations;
  found_state text;
  found_account uuid;
begin
  select * into invited from staff.invitations i where i.token_hash = token for update;
  select i.state, i.account into found_state, found_account from auth.invitation(token, at) i;
  if found_state is distinct from 'open' then
    return found_state;
  end if;
  -- The account was created after the page was shown.
  if found_account is distinct from account then
    return 'changed';
  end if;
  if account is null then
    insert into auth.users (email, password_hash, organization_id, is_invited)
    values (invited.email, accept_invitation.password_hash, invited.organization_id, true)
    returning id into account;
  end if;
  -- Owners and admins are global admins, but not above the level of the inviting owner.
  insert into learn.profiles (id, organization_id, name, level)
  values (account, invited.organization_id, invited.name, least(
    case invited.role when 'owner' then 100 when 'admin' then 80 else 0 end,
    coalesce((select p.level from learn.profiles p where p.id = invited.invited_by), 0)))
  on conflict (id) do nothing;
  insert into staff.users (id, organization_id, role) values (account, invited.organization_id, invited.role);
  update staff.invitations i set accepted_at = at where i.id = invited.id;
  return 'done';
end
$$;

-- The status of an invitation: what the page behind its link says.
create function staff.invitation_status(token bytea) returns text
  language sql stable security definer set search_path = ''
  return (select case i.state when 'used' then 'accepted' else i.state end from auth.invitation(token, now()) i);

grant execute on function
  auth.organization(uuid), auth.invitation(bytea, timestamptz),
  auth.accept_invitation(bytea, timestamptz, uuid, text)
  to frontdesk_identity;
grant execute on function staff.check_invitation(), staff.invitation_status(bytea) to authenticated;
