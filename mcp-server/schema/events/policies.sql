do $$
declare
  t text;
  desk constant text := $r$ organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff') $r$;
begin
  foreach t in array array['events', 'guests', 'sessions', 'session_guests', 'tasks', 'expenses',
                           'photos', 'photo_members'] loop
    perform app.secure(('events.' || t)::regclass);
    perform app.capture_changes(('events.' || t)::regclass, case t when 'guests' then '{changed_in}' else '{}' end::text[]);
    execute format('grant select, insert, update on events.%I to authenticated', t);
    -- Owners, admins and staff write everything; the policies below add other writers.
    execute format('create policy desk_insert on events.%I for insert to authenticated with check (%s)', t, desk);
  end loop;
  foreach t in array array['session_guests', 'photo_members'] loop
    execute format('create policy desk_delete on events.%I for delete to authenticated using (%s)', t, desk);
  end loop;
  -- Who changes one of these may remove it, and with it what belongs to it alone.
  foreach t in array array['events', 'sessions', 'tasks', 'photos'] loop
    execute format('create policy remove on events.%I for delete to authenticated using (%s)', t, desk);
  end loop;
end
$$;
grant delete on
  events.events, events.guests, events.sessions, events.session_guests, events.tasks, events.expenses, events.photos,
  events.photo_members
  to authenticated;

-- Events: everybody in the organisation except machines reads them.
create policy read on events.events for select to authenticated
  using (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff', 'teacher', 'finance', 'fellow'));
create policy write on events.events for update to authenticated
  using (organization_id = (select app.caller_org()))
  with check (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff'));

-- Guests: fellows see their own entry. Teachers check guests in and change nothing else; policies do not see single
-- columns, so a trigger enforces that.
create policy read on events.guests for select to authenticated
  using (organization_id = (select app.caller_org())
    and ((select app.caller_role()) in ('owner', 'admin', 'staff', 'teacher', 'finance')
      or (select app.caller_role()) = 'fellow' and member_id = (select app.caller_member())));
create policy write on events.guests for update to authenticated
  using (organization_id = (select app.caller_org()))
  with check (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff', 'teacher'));
create policy remove on events.guests for delete to authenticated
  using (organization_id = (select app.caller_org()));

-- Sessions: like events. Of the guests of a session, fellows see their own entry.
create policy read on events.sessions for select to authenticated
  using (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff', 'teacher', 'finance', 'fellow'));
create policy write on events.sessions for update to authenticated
  using (organization_id = (select app.caller_org()))
  with check (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff'));
create policy read on events.session_guests for select to authenticated
  using (organization_id = (select app.caller_org())
    and ((select app.caller_role()) in ('owner', 'admin', 'staff', 'teacher', 'finance')
      or exists (select from events.guests g where g.id = guest_id)));

-- Tasks: the staff except teachers read all, fellows their own.
create policy read on events.tasks for select to authenticated
  using (organization_id = (select app.caller_org())
    and ((select app.caller_role()) in ('owner', 'admin', 'staff', 'finance')
      or (select app.caller_role()) = 'fellow' and assignee_id = (select app.caller_member())));
create policy write on events.tasks for update to authenticated
  using (organization_id = (select app.caller_org()))
  with check (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff'));

-- Expenses: finance reads and writes them, too.
create policy read on events.expenses for select to authenticated
  using (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff', 'finance'));
create policy finance_insert on events.expenses for insert to authenticated
  with check (organization_id = (select app.caller_org()) and (select app.caller_role()) = 'finance');
create policy write on events.expenses for update to authenticated
  using (organization_id = (select app.caller_org()))
  with check (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff', 'finance'));
create policy remove on events.expenses for delete to authenticated
  using (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff', 'finance'));

-- Photos and tagged members: the staff except teachers read them, and fellows.
create policy read on events.photos for select to authenticated
  using (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff', 'finance', 'fellow'));
create policy write on events.photos for update to authenticated
  using (organization_id = (select app.caller_org()))
  with check (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff'));
create policy read on events.photo_members for select to authenticated
  using (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff', 'finance', 'fellow'));
