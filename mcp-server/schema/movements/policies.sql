do $$
declare
  t text;
  readers constant text := $r$ organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff', 'teacher', 'finance') $r$;
  desk constant text := $r$ organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff') $r$;
begin
  foreach t in array array['places', 'movements', 'presence'] loop
    perform app.secure(('events.' || t)::regclass);
    execute format('create policy read on events.%I for select to authenticated using (%s)', t, readers);
    execute format('grant select on events.%I to authenticated', t);
  end loop;
  execute format('create policy desk_insert on events.places for insert to authenticated with check (%s)', desk);
  execute format('create policy write on events.places for update to authenticated
                  using (organization_id = (select app.caller_org())) with check (%s)', desk);
  execute format('create policy remove on events.places for delete to authenticated using (%s)', desk);
end
$$;
grant insert, update, delete on events.places to authenticated;
select app.capture_changes('events.places'), app.capture_changes('events.movements');

-- Who checks guests in records movements as their own; a teacher lets nobody pass whom the rules keep out, but reports whom
-- they let in before they could know what other desks did. Taking one back is for those who made it, and for the desk.
create policy door_insert on events.movements for insert to authenticated
  with check (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff', 'teacher')
    and (reason is null and (despite is null or despite in ('full', 'once')) or (select app.caller_role()) <> 'teacher'));
create policy remove on events.movements for delete to authenticated
  using (organization_id = (select app.caller_org())
    and ((select app.caller_role()) in ('owner', 'admin', 'staff')
      or (select app.caller_role()) = 'teacher' and user_id = (select app.caller_id())));
grant insert, delete on events.movements to authenticated;
