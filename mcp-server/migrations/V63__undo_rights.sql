-- An undo asks for the rights of what it does: a guest is taken away by who may remove guests.
create or replace trigger check_removal before delete on events.guests
  for each row when (current_user = 'authenticated' or current_setting('app.restoring', true) is not distinct from 'on')
  execute function events.check_removal();

-- Why the rows of a table are never restored; null for all others.
create or replace function app.lasting(of text) returns text
  language sql immutable set search_path = ''
  return case
    when of in ('financing.journal_entries', 'financing.journal_lines')
      then 'a posted journal entry is reversed, not undone: use reverse_journal_entry'
    when of = 'staff.invitations' then 'an invitation is not undone: use revoke_invitation or invite_staff'
    when of = 'quiz.attempts' then 'an attempt at a quiz counts and cannot be undone'
    when of = 'quiz.responses' then 'a response is final and cannot be undone'
  end;
