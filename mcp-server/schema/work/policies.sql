-- Everybody in the organisation except machines sees the work and writes tasks; owners, admins and staff plan it.
do $$
declare
  people constant text[] := '{owner,admin,staff,teacher,finance,fellow}';
  desk constant text[] := '{owner,admin,staff}';
begin
  perform app.protect('work.projects', people, desk),
          app.protect('work.epics', people, desk),
          app.protect('work.deliveries', people, desk),
          app.protect('work.actors', people, '{}'),
          app.protect('work.tasks', people, people),
          app.protect('work.task_status_changes', people, '{}'),
          app.protect('work.member_label_aliases', '{owner,admin,staff,teacher,finance}', desk);
end
$$;
select app.protect_by('work.placements',
  '(select app.caller_is_staff()) and (select app.caller_is_admin())',
  '(select app.caller_is_staff()) and (select app.caller_is_admin())');
select app.admit_nobody('work.task_numbers');
-- No tool does these.
revoke insert, update, delete on work.actors, work.task_status_changes from authenticated;
revoke update, delete on work.placements from authenticated;
revoke delete on work.member_label_aliases from authenticated;
