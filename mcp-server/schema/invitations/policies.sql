select app.protect('staff.invitations', reads => '{owner,admin}', writes => '{owner}'),
       app.capture_changes('staff.invitations', secret => '{token_hash}');
revoke delete on staff.invitations from authenticated;
