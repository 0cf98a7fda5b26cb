-- The staff read; global admins and owners among them change.
select app.protect_by(of, '(select app.caller_is_staff())',
  '(select app.caller_is_staff()) and (select app.caller_is_admin())')
from unnest(array['work.meetings', 'work.meeting_occurrences', 'work.meeting_participants', 'work.meeting_concepts',
                  'work.meeting_expertise', 'work.meeting_tools', 'work.transcript_segments',
                  'work.meeting_underlines']::regclass[]) of;
