-- A fellow who was a guest sees what they were sent and what they answered. The machine that sends forms returns the
-- answers of guests without an account.
select app.protect_by('quiz.dispatches',
  '(select app.caller_role()) in (''owner'', ''admin'', ''staff'', ''automation'')
   or (select app.caller_role()) = ''fellow'' and exists (
     select from events.guests g where g.id = guest_id and g.member_id = (select app.caller_member()))',
  '(select app.caller_role()) = any (''{owner,admin,staff}'')');
select app.protect_by('quiz.forms',
  '(select app.caller_role()) in (''owner'', ''admin'', ''staff'', ''teacher'', ''automation'')
   or (select app.caller_role()) = ''fellow'' and exists (select from quiz.dispatches d where d.form_id = forms.id)',
  '(select app.caller_role()) = any (''{owner,admin,staff,teacher}'')');
select app.protect_by('quiz.responses',
  '(select app.caller_role()) in (''owner'', ''admin'', ''staff'')
   or (select app.caller_role()) in (''fellow'', ''automation'') and submitted_by = (select app.caller_id())',
  '(select app.caller_role()) in (''fellow'', ''automation'')
   and exists (select from quiz.dispatches d where d.id = dispatch_id)');
-- No tool changes or deletes these; a response is submitted once.
revoke update, delete on quiz.forms, quiz.dispatches from authenticated;
revoke insert, update, delete on quiz.responses from authenticated;
grant insert (dispatch_id, answers) on quiz.responses to authenticated;
