-- Records that people add can be removed.

-- Policies -----------------------------------------------------------------------------------------

do $$
declare
  t text;
  desk constant text := $r$ organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff') $r$;
begin
  foreach t in array array['events', 'sessions', 'tasks', 'photos'] loop
    execute format('create policy remove on events.%I for delete to authenticated using (%s)', t, desk);
  end loop;
end
$$;
create policy remove on events.expenses for delete to authenticated
  using (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff', 'finance'));
grant delete on events.events, events.sessions, events.tasks, events.photos, events.expenses to authenticated;

-- A post that was reviewed stays, since its reviews refer to it; so does a tender with a submission.
grant delete on campaigns.posts, proposals.tenders to authenticated;
