-- The milestones of a member's programs, and those that the member has completed.
create function staff.milestones(member uuid, out total integer, out done integer)
  language sql stable set search_path = ''
begin atomic
  select count(*)::integer, count(d.milestone_id)::integer
  from learn.cohort_members c
  join learn.programs p on p.cohort_id = c.cohort_id
  join learn.stages s on s.program_id = p.id
  join learn.milestones n on n.stage_id = s.id
  left join learn.milestone_completions d on d.milestone_id = n.id and d.member_id = c.member_id
  where c.member_id = member;
end;

-- The sign-in address of a member of the caller's staff, for callers who see the staff.
create function staff.email(account uuid) returns text language sql stable security definer set search_path = ''
begin atomic
  select a.email from auth.users a join staff.users u on u.id = a.id
  where a.id = account
    and (a.id = app.caller_id()
      or u.organization_id = app.caller_org() and app.caller_role() in ('owner', 'admin'));
end;

-- A warning about the account of a member who is deactivated.
create function learn.account_warning(member uuid) returns text[]
  language sql stable security definer set search_path = ''
  return array(
    select case when u.id is null then 'their account can no longer sign in'
                else 'their account on the staff can still sign in: an owner deactivates it with set_staff_active' end
    from learn.profiles p left join staff.users u on u.id = p.id
    where p.member_id = member and p.organization_id = app.caller_org() and u.is_active is not false);

grant execute on function staff.milestones, staff.email, learn.account_warning to authenticated;
