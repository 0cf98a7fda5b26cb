-- Runs before bootstrap.sql: creates the owner also where the login is no superuser, and lets the login take on the two
-- roles that it needs. Running it again changes nothing.

select pg_advisory_xact_lock(hashtext('frontdesk bootstrap'));

do $$
declare
  role_name text;
  -- Since PostgreSQL 16, who creates a role is a member that cannot take it on yet.
  needed text := case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end;
begin
  if not exists (select from pg_roles where rolname = 'frontdesk_owner') then
    begin
      create role frontdesk_owner nologin bypassrls;
    exception when insufficient_privilege then
      -- Before PostgreSQL 16 only a superuser can grant BYPASSRLS: policies take its place.
      create role frontdesk_owner nologin;
    end;
  end if;
  if not exists (select from pg_roles where rolname = 'authenticator') then
    create role authenticator login noinherit;
  end if;
  foreach role_name in array array['frontdesk_owner', 'authenticator'] loop
    if not pg_has_role(current_user, role_name, needed) then
      execute format('grant %I to %I', role_name, current_user);
    end if;
  end loop;
end
$$;
