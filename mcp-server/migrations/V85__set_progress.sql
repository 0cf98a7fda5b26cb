-- The staff complete and reopen milestones for members.
do $$
declare
  staff constant text := '(select app.caller_role()) in (''owner'', ''admin'', ''staff'') or (select app.caller_is_admin())';
begin
  execute 'alter policy add on learn.milestone_completions with check (organization_id = (select app.caller_org()) and (' || staff || '))';
  execute 'alter policy remove on learn.milestone_completions using (organization_id = (select app.caller_org()) and (' || staff || '))';
end
$$;
grant delete on learn.milestone_completions to authenticated;

-- The policy would hide the rows from other callers, and the call would do nothing: refuse it instead.
create function learn.require_desk() returns void
  language plpgsql stable set search_path = ''
as $$
begin
  if not (coalesce(app.caller_role() in ('owner', 'admin', 'staff'), false) or app.caller_is_admin()) then
    raise insufficient_privilege;
  end if;
end
$$;
grant execute on function learn.require_desk() to authenticated;
