-- Every signed-in caller lists cohorts.
select app.protect_by('learn.cohorts', 'true', '(select app.caller_is_admin())', 'owner_id');
-- The staff and the member see the member's cohorts.
select app.protect_by('learn.cohort_members',
  '(select app.caller_is_staff()) or (select app.caller_is_admin()) or member_id = (select app.caller_member())',
  '(select app.caller_is_admin())',
  adds => '(select app.caller_role()) in (''owner'', ''admin'', ''staff'') or (select app.caller_is_admin())',
  removes => '(select app.caller_role()) in (''owner'', ''admin'', ''staff'') or (select app.caller_is_admin())');
select app.protect_by('learn.tutor_profiles', '(select app.caller_is_staff()) or (select app.caller_is_admin())',
  '(select app.caller_is_admin())');
select app.protect_by('learn.courses', '(select learn.caller_reads())', '(select app.caller_is_admin())');
select app.protect_by('learn.lessons',
  '(select app.caller_is_staff()) or (select app.caller_is_admin())
     or (select app.caller_is_person()) and status = ''published''',
  '(select app.caller_is_admin())');
-- Users see and write their own progress.
select app.protect_by('learn.lesson_progress',
  'user_id = (select app.caller_id())', 'user_id = (select app.caller_id())');
-- No tool deletes these.
revoke delete on learn.cohorts, learn.tutor_profiles, learn.lesson_progress from authenticated;
