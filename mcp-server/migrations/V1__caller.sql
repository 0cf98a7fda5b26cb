-- The caller: the person or machine for whom a transaction runs. Every policy reads the caller from the functions in
-- this file.

revoke all on schema app from public;
revoke all on schema extensions from public;
grant usage on schema app to authenticated, frontdesk_identity;
grant usage on schema extensions to authenticated;
-- Nobody can execute a function without a grant.
alter default privileges revoke execute on functions from public;

-- Tables -------------------------------------------------------------------------------------------

create table app.organizations (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  -- The time zone of the organisation's days and of its meetings' times of day.
  time_zone text not null default 'America/Sao_Paulo',
  created_at timestamptz not null default now()
);

-- The keys of session tokens and access tokens: one set for all processes on this database. The first process that
-- starts writes them.
create table app.secrets (
  name text primary key,
  value bytea not null,
  created_at timestamptz not null default now()
);

-- Access -------------------------------------------------------------------------------------------

-- The preamble of every call's transaction sets the role and calls app.enter(), which reads the caller's own rows. A
-- role or level that is revoked is therefore gone at the next call, whatever the token says. A transaction without
-- the preamble has no rights, and one without app.enter() has a caller without an organisation, who sees nothing.
--
-- The functions below have no search_path setting: PostgreSQL can then inline them into the statement instead of
-- planning each call. Their bodies were resolved when they were created, so a search path cannot change what they
-- mean.

create function app.caller_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.user_id', true), '')::uuid;

create function app.caller_org() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.organization_id', true), '')::uuid;

create function app.caller_role() returns text
  language sql stable parallel safe
  return nullif(current_setting('app.role', true), '');

create function app.caller_level() returns integer
  language sql stable parallel safe
  return nullif(current_setting('app.level', true), '')::integer;

create function app.caller_member() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.member_id', true), '')::uuid;

-- The staff of an organisation, without machines.
create function app.caller_is_staff() returns boolean
  language sql stable parallel safe
  return coalesce(app.caller_role() in ('owner', 'admin', 'staff', 'teacher', 'finance'), false);

-- A global admin as the specification defines it, or an owner.
create function app.caller_is_admin() returns boolean
  language sql stable parallel safe
  return coalesce(app.caller_role() = 'owner' or app.caller_level() >= 80, false);

-- Everybody in the organisation except machines.
create function app.caller_is_person() returns boolean
  language sql stable parallel safe set search_path = ''
  return coalesce(app.caller_role() <> 'automation', false);

-- All that decides about the caller's access.
create function app.caller_rights() returns text
  language sql stable parallel safe
  return row(app.caller_org(), app.caller_role(), app.caller_level(), app.caller_member())::text;

-- Reads who the caller is, and the caller's role and level at this moment. An inactive staff row leaves a member the
-- rights of a fellow, without a level, and leaves others nothing.
create function app.enter(caller uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  perform set_config('app.user_id', caller::text, true),
          set_config('app.organization_id', coalesce(u.organization_id::text, p.organization_id::text, ''), true),
          set_config('app.role', coalesce(u.role, case when p.id is not null then 'fellow' end, ''), true),
          set_config('app.level', case when s.is_active is false then 0 else coalesce(p.level, 0) end::text, true),
          set_config('app.member_id', coalesce(p.member_id::text, ''), true)
    from (select caller as id) c
    left join staff.users s on s.id = c.id
    left join lateral (select s.organization_id, s.role where s.is_active) u on true
    left join learn.profiles p on p.id = c.id and (s.is_active is not false or p.member_id is not null);
end
$$;

-- Refuses a caller below a global level before anything is read.
create function app.require_level(needed integer) returns void
  language plpgsql stable set search_path = ''
as $$
begin
  if coalesce(app.caller_level(), 0) < needed then
    raise insufficient_privilege
      using constraint = 'level', message = format('this needs global level %s or above', needed);
  end if;
end
$$;

grant execute on function
  app.caller_id(), app.caller_org(), app.caller_role(), app.caller_level(), app.caller_member(), app.caller_is_staff(),
  app.caller_is_admin(), app.caller_is_person(), app.caller_rights(), app.enter(uuid), app.require_level(integer)
  to authenticated;

-- Only the owner reads the history of migrations.
alter table app.migrations enable row level security;
alter table app.migrations force row level security;
create policy nobody on app.migrations using (false);

alter table app.organizations enable row level security;
alter table app.organizations force row level security;
create policy read on app.organizations for select to authenticated
  using (id = (select app.caller_org()));
grant select on app.organizations to authenticated;

alter table app.secrets enable row level security;
alter table app.secrets force row level security;
create policy nobody on app.secrets using (false);
create policy identity on app.secrets to frontdesk_identity using (true) with check (true);
grant select, insert on app.secrets to frontdesk_identity;

-- Protects a table whose rows belong to an organisation. `reads` says who reads a row, `writes` who adds, changes
-- and deletes it. An UPDATE policy's USING is what the caller sees and its WITH CHECK what the caller can write: a
-- row that is visible but not writable is refused (42501), an invisible one is not found.
create function app.protect_by(of regclass, reads text, writes text, organization text default 'organization_id')
  returns void
  language plpgsql set search_path = ''
as $$
declare
  ours constant text := format('%I = (select app.caller_org())', organization);
begin
  execute format('alter table %s enable row level security', of);
  execute format('alter table %s force row level security', of);
  execute format('grant select, insert, update, delete on %s to authenticated', of);
  execute format('create policy read on %s for select to authenticated using (%s and (%s))', of, ours, reads);
  execute format('create policy add on %s for insert to authenticated with check (%s and (%s))', of, ours, writes);
  execute format('create policy write on %s for update to authenticated using (%s and (%s)) with check (%s and (%s))',
                 of, ours, reads, ours, writes);
  execute format('create policy remove on %s for delete to authenticated using (%s and (%s))', of, ours, writes);
end
$$;

-- The same if the caller's role alone decides.
create function app.protect(of regclass, reads text[], writes text[]) returns void
  language sql set search_path = ''
as $$
  select app.protect_by(of, format('(select app.caller_role()) = any (%L)', reads),
                        format('(select app.caller_role()) = any (%L)', writes))
$$;
