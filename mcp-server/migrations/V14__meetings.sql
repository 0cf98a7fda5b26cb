-- The work host's meetings (specification, sections 2 and 4.5). A recurring meeting is a series: the parent of its
-- occurrences. docs/access.md lists the rights.
--
-- No reference here deletes dependent rows: a tool that removes a meeting decides about its occurrences and their
-- transcripts first, and PostgreSQL refuses if it forgets one.

-- Tables -------------------------------------------------------------------------------------------

create table work.meetings (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  title text not null,
  title_key text generated always as (app.search_key(title)) stored,
  -- Null means default.
  template text constraint meetings_template_check check (template in ('default', 'weekly_leaders')),
  is_recurring boolean not null default false,
  -- The time of day in the organisation's zone; an end before the start is on the next day.
  recurrence_start_time time,
  recurrence_end_time time,
  recurrence_day_of_week text constraint meetings_recurrence_day_of_week_check
    check (recurrence_day_of_week in
      ('monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday')),
  meeting_date timestamptz,
  transcriber_calendar_id text,
  calendar_key text generated always as (app.search_key(transcriber_calendar_id)) stored,
  transcriber_transcript_id text constraint meetings_transcriber_transcript_id_check
    check (transcriber_transcript_id <> ''),
  transcript text,
  has_transcript boolean not null generated always as (coalesce(transcript, '') <> '') stored,
  created_at timestamptz not null default now(),
  unique (id, organization_id)
);
-- The order of the list of series.
create index meetings_series_idx on work.meetings (organization_id, created_at, id) where is_recurring;
-- The days of an organisation's meetings.
create index meetings_meeting_date_idx on work.meetings (organization_id, meeting_date);
-- A transcript belongs to one meeting: of two promotions of an occurrence the second fails here.
create unique index meetings_transcriber_transcript_id_key
  on work.meetings (organization_id, transcriber_transcript_id);

create table work.meeting_occurrences (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org(),
  meeting_id uuid not null,
  -- The day in the organisation's zone.
  occurrence_date date not null,
  status text not null default 'scheduled',
  transcriber_transcript_id text constraint meeting_occurrences_transcriber_transcript_id_check
    check (transcriber_transcript_id <> ''),
  transcript text,
  has_transcript boolean not null generated always as (coalesce(transcript, '') <> '') stored,
  created_at timestamptz not null default now(),
  constraint meeting_occurrences_meeting_id_fkey foreign key (meeting_id, organization_id)
    references work.meetings (id, organization_id),
  -- A series meets once a day.
  constraint meeting_occurrences_occurrence_date_key unique (meeting_id, organization_id, occurrence_date),
  unique (id, organization_id)
);
-- All that a list of series needs of its occurrences, without reading their rows.
create index meeting_occurrences_listed_idx
  on work.meeting_occurrences (meeting_id, organization_id, occurrence_date)
  include (id, status, has_transcript, transcriber_transcript_id);
-- The days of an organisation's meetings.
create index meeting_occurrences_occurrence_date_idx on work.meeting_occurrences (organization_id, occurrence_date);

-- The rows that belong to a meeting, or to one of its occurrences.
create table work.meeting_participants (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org(),
  meeting_id uuid,
  occurrence_id uuid,
  -- The name as the transcriber wrote it.
  label text not null,
  member_id uuid,
  constraint meeting_participants_member_id_fkey foreign key (member_id, organization_id)
    references learn.members (id, organization_id)
);
create index meeting_participants_member_id_idx on work.meeting_participants (member_id, organization_id);
-- A participant is listed once.
create unique index meeting_participants_meeting_label_key
  on work.meeting_participants (meeting_id, organization_id, label);
create unique index meeting_participants_occurrence_label_key
  on work.meeting_participants (occurrence_id, organization_id, label);

create table work.meeting_concepts (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org(),
  meeting_id uuid,
  occurrence_id uuid,
  name text not null
);
create table work.meeting_expertise (like work.meeting_concepts including defaults, primary key (id));
create table work.meeting_tools (like work.meeting_concepts including defaults, primary key (id));

create table work.transcript_segments (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org(),
  meeting_id uuid,
  occurrence_id uuid,
  position integer not null,
  speaker text,
  -- The speaker, if the transcriber knows the member.
  member_id uuid,
  content text not null,
  constraint transcript_segments_member_id_fkey foreign key (member_id, organization_id)
    references learn.members (id, organization_id)
);
create index transcript_segments_member_id_idx on work.transcript_segments (member_id, organization_id);

create table work.meeting_underlines (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org(),
  meeting_id uuid,
  occurrence_id uuid,
  quote text not null,
  note text
);

do $$
declare
  t text;
begin
  foreach t in array array['meeting_participants', 'meeting_concepts', 'meeting_expertise', 'meeting_tools',
                           'transcript_segments', 'meeting_underlines'] loop
    execute format(
      'alter table work.%1$I
         add constraint %1$s_parent_check check (num_nonnulls(meeting_id, occurrence_id) = 1),
         add constraint %1$s_meeting_id_fkey foreign key (meeting_id, organization_id)
           references work.meetings (id, organization_id),
         add constraint %1$s_occurrence_id_fkey foreign key (occurrence_id, organization_id)
           references work.meeting_occurrences (id, organization_id)', t);
    execute format('create index %1$s_meeting_id_idx on work.%1$I (meeting_id, organization_id)', t);
    execute format('create index %1$s_occurrence_id_idx on work.%1$I (occurrence_id, organization_id)', t);
  end loop;
end
$$;

-- Access -------------------------------------------------------------------------------------------

-- The staff read; global admins and owners among them change.
select app.protect_by(of, '(select app.caller_is_staff())',
  '(select app.caller_is_staff()) and (select app.caller_is_admin())')
from unnest(array['work.meetings', 'work.meeting_occurrences', 'work.meeting_participants', 'work.meeting_concepts',
                  'work.meeting_expertise', 'work.meeting_tools', 'work.transcript_segments',
                  'work.meeting_underlines']::regclass[]) of;

-- Triggers -----------------------------------------------------------------------------------------

create trigger webhook after insert on work.meetings
  for each row execute function webhooks.tell('meeting.created');
