-- The work host's meetings (specification, sections 2 and 4.5). A recurring meeting is a series: the parent of its
-- occurrences. docs/access.md lists the rights.
--
-- No reference here deletes dependent rows: a tool that removes a meeting decides about its occurrences and their
-- transcripts first, and PostgreSQL refuses if it forgets one.

-- Meetings -----------------------------------------------------------------------------------------

create table work.meetings (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  title text not null,
  title_key text generated always as (app.search_key(title)) stored,
  -- Null means default.
  template text check (template in ('default', 'weekly_leaders')),
  is_recurring boolean not null default false,
  -- The time of day in the organisation's zone; an end before the start is on the next day.
  recurrence_start_time time,
  recurrence_end_time time,
  recurrence_day_of_week text
    check (recurrence_day_of_week in ('monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday')),
  meeting_date timestamptz,
  transcriber_calendar_id text,
  calendar_key text generated always as (app.search_key(transcriber_calendar_id)) stored,
  transcriber_transcript_id text check (transcriber_transcript_id <> ''),
  transcript text,
  has_transcript boolean not null generated always as (coalesce(transcript, '') <> '') stored,
  created_at timestamptz not null default now(),
  -- The rule of a series (RFC 5545, RRULE): it gives the days of new occurrences.
  recurrence_rule text,
  -- The UID of the calendar entry that it was imported from.
  calendar_uid text,
  -- A series from a calendar is counted in the zone of its entry, whose clock its time of day keeps to. Its times of day
  -- and the days of its occurrences stay those of the organisation's zone, as they are at the first time.
  -- Null: the organisation's zone. A name, or rules (POSIX) if the calendar defines a zone of its own.
  recurrence_zone text,
  -- Days beside those of the rule, and days of the rule on which it does not meet, in that zone.
  recurrence_dates date[],
  recurrence_except date[],
  unique (id, organization_id)
);
-- The order of the list of series.
create index meetings_series_idx on work.meetings (organization_id, created_at, id) where is_recurring;
-- The days of an organisation's meetings.
create index meetings_meeting_date_idx on work.meetings (organization_id, meeting_date);
-- A transcript belongs to one meeting: of two promotions of an occurrence the second fails here.
create unique index meetings_transcriber_transcript_id_key
  on work.meetings (organization_id, transcriber_transcript_id);
create unique index meetings_calendar_uid_key on work.meetings (organization_id, calendar_uid);
-- The order of the list of meetings.
create index meetings_listed_idx on work.meetings (organization_id, meeting_date desc nulls last, id);

create table work.meeting_occurrences (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org(),
  meeting_id uuid not null,
  -- The day in the organisation's zone.
  occurrence_date date not null,
  status text not null default 'scheduled',
  transcriber_transcript_id text check (transcriber_transcript_id <> ''),
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
create index meeting_occurrences_listed_idx on work.meeting_occurrences (meeting_id, organization_id, occurrence_date)
  include (id, status, has_transcript, transcriber_transcript_id);
-- The days of an organisation's meetings.
create index meeting_occurrences_occurrence_date_idx on work.meeting_occurrences (organization_id, occurrence_date);

-- Rows that belong to a meeting, or to one of its occurrences --------------------------------------

create table work.meeting_participants (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org(),
  meeting_id uuid,
  occurrence_id uuid,
  -- The name as the transcriber wrote it.
  label text not null,
  member_id uuid,
  constraint meeting_participants_parent_check check (num_nonnulls(meeting_id, occurrence_id) = 1),
  constraint meeting_participants_meeting_id_fkey
    foreign key (meeting_id, organization_id) references work.meetings (id, organization_id),
  constraint meeting_participants_occurrence_id_fkey
    foreign key (occurrence_id, organization_id) references work.meeting_occurrences (id, organization_id),
  constraint meeting_participants_member_id_fkey
    foreign key (member_id, organization_id) references learn.members (id, organization_id)
);
create index meeting_participants_member_id_idx on work.meeting_participants (member_id, organization_id);
-- A participant is listed once.
create unique index meeting_participants_meeting_label_key
  on work.meeting_participants (meeting_id, organization_id, label);
create unique index meeting_participants_occurrence_label_key
  on work.meeting_participants (occurrence_id, organization_id, label);

create table work.meeting_concepts (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org(),
  meeting_id uuid,
  occurrence_id uuid,
  name text not null,
  constraint meeting_concepts_parent_check check (num_nonnulls(meeting_id, occurrence_id) = 1),
  constraint meeting_concepts_meeting_id_fkey
    foreign key (meeting_id, organization_id) references work.meetings (id, organization_id),
  constraint meeting_concepts_occurrence_id_fkey
    foreign key (occurrence_id, organization_id) references work.meeting_occurrences (id, organization_id)
);
create index meeting_concepts_meeting_id_idx on work.meeting_concepts (meeting_id, organization_id);
create index meeting_concepts_occurrence_id_idx on work.meeting_concepts (occurrence_id, organization_id);

create table work.meeting_expertise (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org(),
  meeting_id uuid,
  occurrence_id uuid,
  name text not null,
  constraint meeting_expertise_parent_check check (num_nonnulls(meeting_id, occurrence_id) = 1),
  constraint meeting_expertise_meeting_id_fkey
    foreign key (meeting_id, organization_id) references work.meetings (id, organization_id),
  constraint meeting_expertise_occurrence_id_fkey
    foreign key (occurrence_id, organization_id) references work.meeting_occurrences (id, organization_id)
);
create index meeting_expertise_meeting_id_idx on work.meeting_expertise (meeting_id, organization_id);
create index meeting_expertise_occurrence_id_idx on work.meeting_expertise (occurrence_id, organization_id);

create table work.meeting_tools (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org(),
  meeting_id uuid,
  occurrence_id uuid,
  name text not null,
  constraint meeting_tools_parent_check check (num_nonnulls(meeting_id, occurrence_id) = 1),
  constraint meeting_tools_meeting_id_fkey
    foreign key (meeting_id, organization_id) references work.meetings (id, organization_id),
  constraint meeting_tools_occurrence_id_fkey
    foreign key (occurrence_id, organization_id) references work.meeting_occurrences (id, organization_id)
);
create index meeting_tools_meeting_id_idx on work.meeting_tools (meeting_id, organization_id);
create index meeting_tools_occurrence_id_idx on work.meeting_tools (occurrence_id, organization_id);

create table work.transcript_segments (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org(),
  meeting_id uuid,
  occurrence_id uuid,
  position integer not null,
  speaker text,
  -- The speaker, if the transcriber knows the member.
  member_id uuid,
  content text not null,
  constraint transcript_segments_parent_check check (num_nonnulls(meeting_id, occurrence_id) = 1),
  constraint transcript_segments_meeting_id_fkey
    foreign key (meeting_id, organization_id) references work.meetings (id, organization_id),
  constraint transcript_segments_occurrence_id_fkey
    foreign key (occurrence_id, organization_id) references work.meeting_occurrences (id, organization_id),
  constraint transcript_segments_member_id_fkey
    foreign key (member_id, organization_id) references learn.members (id, organization_id)
);
create index transcript_segments_meeting_id_idx on work.transcript_segments (meeting_id, organization_id);
create index transcript_segments_occurrence_id_idx on work.transcript_segments (occurrence_id, organization_id);
create index transcript_segments_member_id_idx on work.transcript_segments (member_id, organization_id);

create table work.meeting_underlines (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org(),
  meeting_id uuid,
  occurrence_id uuid,
  quote text not null,
  note text,
  constraint meeting_underlines_parent_check check (num_nonnulls(meeting_id, occurrence_id) = 1),
  constraint meeting_underlines_meeting_id_fkey
    foreign key (meeting_id, organization_id) references work.meetings (id, organization_id),
  constraint meeting_underlines_occurrence_id_fkey
    foreign key (occurrence_id, organization_id) references work.meeting_occurrences (id, organization_id)
);
create index meeting_underlines_meeting_id_idx on work.meeting_underlines (meeting_id, organization_id);
create index meeting_underlines_occurrence_id_idx on work.meeting_underlines (occurrence_id, organization_id);

create trigger webhook after insert on work.meetings
  for each row when (current_setting('app.restoring', true) is distinct from 'on')
  execute function webhooks.tell('meeting.created');
