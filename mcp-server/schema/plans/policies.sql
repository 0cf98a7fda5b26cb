-- Everybody in the organisation except machines reads all, proposes, asks and answers; owners, admins and staff plan
-- and decide.
do $$
declare
  people constant text[] := '{owner,admin,staff,teacher,finance,fellow}';
  desk constant text[] := '{owner,admin,staff}';
begin
  perform app.protect('plans.plans', people, desk),
          app.protect('plans.plan_tasks', people, desk),
          app.protect('plans.plan_status_changes', people, '{}'),
          app.protect('plans.questions', people, people),
          app.protect('plans.answers', people, people);
end
$$;
select app.protect_by('plans.adrs',
  '(select app.caller_role()) = any (''{owner,admin,staff,teacher,finance,fellow}'')',
  '(select app.caller_role()) = any (''{owner,admin,staff}'')',
  adds => '(select app.caller_role()) in (''owner'', ''admin'', ''staff'')
    or (select app.caller_is_person()) and status = ''proposed''');
-- No tool does these.
revoke insert, update, delete on plans.plan_status_changes from authenticated;
revoke delete on plans.plans, plans.adrs, plans.questions, plans.answers from authenticated;
