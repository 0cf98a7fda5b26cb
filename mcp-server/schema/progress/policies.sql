-- The staff and the member see the member's completions; owners, admins and staff complete and reopen milestones.
select app.protect_by('learn.milestone_completions',
  '(select app.caller_is_staff()) or (select app.caller_is_admin()) or member_id = (select app.caller_member())',
  '(select app.caller_is_admin())',
  adds => '(select app.caller_role()) in (''owner'', ''admin'', ''staff'') or (select app.caller_is_admin())',
  removes => '(select app.caller_role()) in (''owner'', ''admin'', ''staff'') or (select app.caller_is_admin())');
