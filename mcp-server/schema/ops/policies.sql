grant select on ops.accounts to authenticated;

select app.protect('ops.apps', reads => '{owner,admin,staff,teacher,finance,automation}', writes => '{owner,admin}');
select app.protect('ops.media', reads => '{owner,admin,staff,teacher,finance,automation,fellow}',
  writes => '{owner,admin,staff,teacher,automation}');
-- The creator of a sandbox can end it, and so can owners and admins.
select app.protect_by('ops.sandboxes',
  '(select app.caller_role()) in (''owner'', ''admin'', ''staff'', ''teacher'', ''automation'')',
  '(select app.caller_role()) in (''owner'', ''admin'')
   or (select app.caller_role()) in (''staff'', ''teacher'', ''automation'') and created_by = (select app.caller_id())');
-- Only the sender and the recipient read a message, whatever others' roles are.
select app.protect_by('ops.messages', '(select app.caller_id()) in (sender_id, recipient_id)',
  'sender_id = (select app.caller_id())
   and (select app.caller_role()) in (''owner'', ''admin'', ''staff'', ''teacher'', ''finance'', ''automation'')');
-- A sent message never changes, and no tool deletes any of these.
revoke update on ops.messages from authenticated;
revoke delete on ops.apps, ops.media, ops.sandboxes, ops.messages from authenticated;
