-- Runs before the migrations: creates the roles, which the whole cluster shares, and grants the right to create in this
-- database. Needs a superuser, or a role that can create roles with BYPASSRLS. Running it again changes nothing.

-- Two servers can start on one cluster at the same time.
select pg_advisory_xact_lock(hashtext('frontdesk bootstrap'));

do $$
begin
  -- Owns everything, for the few SECURITY DEFINER helpers. It cannot log in.
  if not exists (select from pg_roles where rolname = 'frontdesk_owner') then
    create role frontdesk_owner nologin bypassrls;
  end if;
  -- The role of every call's transaction. All differences between callers are data.
  if not exists (select from pg_roles where rolname = 'authenticated') then
    create role authenticated nologin;
  end if;
  -- The role of sign-in and token refresh: sees the auth schema and nothing else.
  if not exists (select from pg_roles where rolname = 'frontdesk_identity') then
    create role frontdesk_identity nologin;
  end if;
  -- The role of the webhook worker: sees the outbox and nothing else.
  if not exists (select from pg_roles where rolname = 'frontdesk_webhooks') then
    create role frontdesk_webhooks nologin;
  end if;
  -- The role of readers who are not signed in: sees published articles and nothing else.
  if not exists (select from pg_roles where rolname = 'anonymous') then
    create role anonymous nologin;
  end if;
  -- The role of connections between transactions: it can become the four above, and can do nothing else.
  if not exists (select from pg_roles where rolname = 'authenticator') then
    create role authenticator login noinherit;
  end if;
  if not pg_has_role('authenticator', 'authenticated', 'member') then
    grant authenticated to authenticator;
  end if;
  if not pg_has_role('authenticator', 'frontdesk_identity', 'member') then
    grant frontdesk_identity to authenticator;
  end if;
  if not pg_has_role('authenticator', 'frontdesk_webhooks', 'member') then
    grant frontdesk_webhooks to authenticator;
  end if;
  if not pg_has_role('authenticator', 'anonymous', 'member') then
    grant anonymous to authenticator;
  end if;
  if not pg_has_role(current_user, 'frontdesk_owner', 'member') then
    execute format('grant frontdesk_owner to %I', current_user);
  end if;
  execute format('grant create on database %I to frontdesk_owner', current_database());
end
$$;

create schema if not exists app authorization frontdesk_owner;
create schema if not exists extensions authorization frontdesk_owner;
create extension if not exists unaccent schema extensions;
create extension if not exists pg_trgm schema extensions;
