-- The history has the links that set a new password.

-- Policies -----------------------------------------------------------------------------------------

create trigger a_capture after insert or update of issued_at on auth.password_links
  for each row when (current_setting('app.change_id', true) <> '')
  execute function app.capture_change('{user_id}', '{token_hash,expires_at,used_at,ended_at}');
