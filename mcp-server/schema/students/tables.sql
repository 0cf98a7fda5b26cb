-- The staff-management host: students, and the addresses of the staff (specification, sections 1, 4.2 and 5).

-- Members, as the staff see students.
create view staff.people with (security_invoker = true) as
  select m.organization_id, m.id, m.name, m.name_key, m.found_by,
         coalesce(m.corporate_email, m.personal_email) as email, m.phase_id, m.is_active
  from learn.members m;

create view staff.students with (security_invoker = true) as
  select p.* from staff.people p
  where exists (select from learn.cohort_members c where c.member_id = p.id);
