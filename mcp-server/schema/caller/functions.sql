-- The preamble of every call's transaction sets the role and calls app.enter(), which reads the caller's own row. A
-- role or level that is revoked is therefore gone at the next call, whatever the token says. A transaction without
-- the preamble has no rights, and one without app.enter() has a caller without an organisation, who sees nothing.
--
-- The functions below have no search_path setting: PostgreSQL can then inline them into the statement instead of
-- planning each call. Their bodies were resolved when they were created, so a search path cannot change what they
-- mean.
create function app.caller_id() returns uuid language sql stable parallel safe
  return nullif(current_setting('app.user_id', true), '')::uuid;

create function app.caller_org() returns uuid language sql stable parallel safe
  return nullif(current_setting('app.organization_id', true), '')::uuid;

create function app.caller_role() returns text language sql stable parallel safe
  return nullif(current_setting('app.role', true), '');

create function app.caller_level() returns integer language sql stable parallel safe
  return nullif(current_setting('app.level', true), '')::integer;

create function app.caller_member() returns uuid language sql stable parallel safe
  return nullif(current_setting('app.member_id', true), '')::uuid;

-- The staff of an organisation, without machines.
create function app.caller_is_staff() returns boolean language sql stable parallel safe
  return coalesce(app.caller_role() in ('owner', 'admin', 'staff', 'teacher', 'finance'), false);

-- A global admin as the specification defines it, or an owner.
create function app.caller_is_admin() returns boolean language sql stable parallel safe
  return coalesce(app.caller_role() = 'owner' or app.caller_level() >= 80, false);

-- Everybody in the organisation except machines.
create function app.caller_is_person() returns boolean language sql stable parallel safe set search_path = ''
  return coalesce(app.caller_role() <> 'automation', false);

-- All that decides about the caller's access.
create function app.caller_rights() returns text language sql stable parallel safe
  return row(app.caller_org(), app.caller_role(), app.caller_level(), app.caller_member())::text;

-- Refuses a caller below a global level before anything is read.
create function app.require_level(needed integer) returns void language plpgsql stable set search_path = '' as $$
begin
  if coalesce(app.caller_level(), 0) < needed then
    raise insufficient_privilege
      using constraint = 'level', message = format('this needs global level %s or above', needed);
  end if;
end
$$;

-- Refuses a caller without one of these roles before anything is read.
create function app.admit(roles text[]) returns void language plpgsql stable set search_path = '' as $$
begin
  if coalesce(app.caller_role() <> all (roles), true) then
    raise insufficient_privilege;
  end if;
end
$$;

-- Whether an undo restores rows in this transaction.
create function app.is_restoring() returns boolean language sql stable parallel safe
  return current_setting('app.restoring', true) is not distinct from 'on';

-- Access -------------------------------------------------------------------------------------------

-- Puts a table under row-level security, its owner too.
create function app.secure(of regclass) returns void
  language plpgsql set search_path = ''
as $$
begin
  execute format('alter table %s enable row level security', of);
  execute format('alter table %s force row level security', of);
end
$$;

-- Protects a table that only functions of the owner read and write.
create function app.admit_nobody(of regclass) returns void
  language plpgsql set search_path = ''
as $$
begin
  perform app.secure(of);
  execute format('create policy nobody on %s using (false)', of);
end
$$;

-- Protects a table whose rows belong to an organisation, and captures its changes. `reads` says who reads a row,
-- `writes` who adds, changes and deletes it; `adds` and `removes` say it for one of these. An UPDATE policy's USING is
-- what the caller sees and its WITH CHECK what the caller can write: a row that is visible but not writable is refused
-- (42501), an invisible one is not found.
create function app.protect_by(
  of regclass, reads text, writes text, organization text default 'organization_id', adds text default null,
  removes text default null) returns void
  language plpgsql set search_path = ''
as $$
declare
  ours constant text := format('%I = (select app.caller_org())', organization);
begin
  perform app.secure(of), app.capture_changes(of);
  execute format('grant select, insert, update, delete on %s to authenticated', of);
  execute format('create policy read on %s for select to authenticated using (%s and (%s))', of, ours, reads);
  execute format('create policy add on %s for insert to authenticated with check (%s and (%s))',
                 of, ours, coalesce(adds, writes));
  execute format('create policy write on %s for update to authenticated using (%s and (%s)) with check (%s and (%s))',
                 of, ours, reads, ours, writes);
  execute format('create policy remove on %s for delete to authenticated using (%s and (%s))',
                 of, ours, coalesce(removes, writes));
end
$$;

-- The same if the caller's role alone decides.
create function app.protect(of regclass, reads text[], writes text[])
  returns void language sql set search_path = '' as $$
  select app.protect_by(of, format('(select app.caller_role()) = any (%L)', reads),
                        format('(select app.caller_role()) = any (%L)', writes))
$$;

grant execute on function
  app.caller_id, app.caller_role, app.caller_level, app.caller_member, app.caller_is_staff, app.caller_is_admin,
  app.caller_is_person, app.caller_rights, app.require_level, app.admit, app.is_restoring
  to authenticated;
grant execute on function app.caller_org to anonymous, authenticated;
