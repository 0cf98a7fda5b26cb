grant select on staff.people to authenticated;
grant select on staff.students to authenticated;
