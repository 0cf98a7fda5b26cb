-- Before the migrations: the roles, which the whole cluster shares, and the right to create in this
-- database. Runs as whoever may do so (a superuser, or a role that may create roles with BYPASSRLS)
-- and changes nothing where it has run before.

-- Two servers may start on one cluster at once.
select pg_advisory_xact_lock(hashtext('frontdesk bootstrap'));

do $$
begin
  -- Owns everything; needed for the few SECURITY DEFINER helpers. Nobody logs in as it.
  if not exists (select from pg_roles where rolname = 'frontdesk_owner') then
    create role frontdesk_owner nologin bypassrls;
  end if;
  -- What every call's transaction runs as. All differences between callers are data.
  if not exists (select from pg_roles where rolname = 'authenticated') then
    create role authenticated nologin;
  end if;
  -- What sign-in and token refresh run as: sees the auth schema and nothing else.
  if not exists (select from pg_roles where rolname = 'frontdesk_identity') then
    create role frontdesk_identity nologin;
  end if;
  -- What the webhook worker runs as: sees the outbox and nothing else.
  if not exists (select from pg_roles where rolname = 'frontdesk_webhooks') then
    create role frontdesk_webhooks nologin;
  end if;
  -- What readers who are not signed in run as: sees what is published and nothing else.
  if not exists (select from pg_roles where rolname = 'anonymous') then
    create role anonymous nologin;
  end if;
  -- What connections belong to between transactions: may become the four above, and may nothing else.
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
