select app.protect('quiz.quizzes', reads => '{owner,admin,staff,teacher,finance,fellow}',
  writes => '{owner,admin,staff,teacher}');
select app.protect('quiz.keys', reads => '{owner,admin,staff,teacher}', writes => '{owner,admin,staff,teacher}');
-- Fellows attempt; roles that read the key do not.
select app.protect_by('quiz.attempts',
  '(select app.caller_role()) in (''owner'', ''admin'', ''staff'', ''teacher'')
   or (select app.caller_role()) = ''fellow'' and member_id = (select app.caller_member())',
  '(select app.caller_role()) = ''fellow'' and member_id = (select app.caller_member())');
-- No tool changes or deletes these. A change could reveal what a trigger keeps apart.
revoke update, delete on quiz.quizzes, quiz.keys, quiz.attempts from authenticated;
