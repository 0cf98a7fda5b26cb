-- Teachers cannot let a guest pass against the rules, and the session that decides who enters a place cannot be deleted.

-- Policies -----------------------------------------------------------------------------------------

alter policy door_insert on events.movements
  with check (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff', 'teacher')
    and (reason is null and (despite is null or despite in ('full', 'once')) or (select app.caller_role()) <> 'teacher'));
create or replace trigger keep_session_of_place before delete on events.sessions
  for each row execute function events.keep_session_of_place();
