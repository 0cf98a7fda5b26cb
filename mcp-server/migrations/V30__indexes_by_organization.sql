-- Another organisation's record is looked up like one that does not exist. Every index that begins with a
-- reference holds the organisation next, so that PostgreSQL, which asks the policy for the caller's
-- organisation, finds no entry and reads no row. And a unique key that holds a reference holds the organisation
-- too: keys are checked before references, and a conflict would tell that the record exists.

drop index events.events_business_unit_idx;
create index events_business_unit_idx on events.events (strategy_business_unit_id, organization_id);

drop index events.guests_listed_idx;
create index guests_listed_idx on events.guests (event_id, organization_id, name_key, id) include (member_id, role);
drop index events.guests_checked_in_idx;
create index guests_checked_in_idx on events.guests (event_id, organization_id, check_in_at);
drop index events.guests_member_id_idx;
create index guests_member_id_idx on events.guests (member_id, organization_id, event_id);
drop index events.guests_member_id_key;
create unique index guests_member_id_key on events.guests (event_id, organization_id, member_id);

drop index events.sessions_event_id_idx;
create index sessions_event_id_idx on events.sessions (event_id, organization_id, "order", id);
alter table events.session_guests
  drop constraint session_guests_pkey,
  add primary key (session_id, event_id, guest_id);
drop index events.session_guests_guest_id_idx;
create index session_guests_guest_id_idx on events.session_guests (guest_id, event_id);

drop index events.tasks_event_id_idx;
create index tasks_event_id_idx on events.tasks (event_id, organization_id, due_date, id);
drop index events.tasks_assignee_id_idx;
create index tasks_assignee_id_idx on events.tasks (assignee_id, organization_id);

drop index events.expenses_event_id_idx;
create index expenses_event_id_idx on events.expenses (event_id, organization_id, vendor_key, id);

drop index events.photos_event_id_idx;
create index photos_event_id_idx on events.photos (event_id, organization_id, sort_order, id);
alter table events.photo_members
  drop constraint photo_members_pkey,
  add primary key (photo_id, organization_id, member_id);
drop index events.photo_members_member_id_idx;
create index photo_members_member_id_idx on events.photo_members (member_id, organization_id);

alter table learn.profiles
  drop constraint profiles_member_id_key,
  add constraint profiles_member_id_key unique (member_id, organization_id);

alter table work.meeting_occurrences
  drop constraint meeting_occurrences_occurrence_date_key,
  add constraint meeting_occurrences_occurrence_date_key
    unique (meeting_id, organization_id, occurrence_date);
drop index work.meeting_occurrences_listed_idx;
create index meeting_occurrences_listed_idx
  on work.meeting_occurrences (meeting_id, organization_id, occurrence_date)
  include (id, status, has_transcript, transcriber_transcript_id);

drop index work.meeting_participants_member_id_idx;
create index meeting_participants_member_id_idx on work.meeting_participants (member_id, organization_id);
drop index work.meeting_participants_meeting_label_key;
create unique index meeting_participants_meeting_label_key
  on work.meeting_participants (meeting_id, organization_id, label);
drop index work.meeting_participants_occurrence_label_key;
create unique index meeting_participants_occurrence_label_key
  on work.meeting_participants (occurrence_id, organization_id, label);

do $$
declare
  child text;
  parent text;
begin
  foreach child in array array['meeting_participants', 'meeting_concepts', 'meeting_expertise',
                               'meeting_tools', 'transcript_segments', 'meeting_underlines'] loop
    foreach parent in array array['meeting_id', 'occurrence_id'] loop
      execute format('drop index work.%I', child || '_' || parent || '_idx');
      execute format('create index %I on work.%I (%I, organization_id)',
                     child || '_' || parent || '_idx', child, parent);
    end loop;
  end loop;
end
$$;
