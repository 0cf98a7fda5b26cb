-- The work host's meetings (specification, sections 2 and 4.5). A meeting that recurs is a series: the
-- parent of its occurrences. Who may what is in docs/access.md.
--
-- No reference here deletes along: whoever removes a meeting says first what becomes of its
-- occurrences and their transcripts, and PostgreSQL refuses whoever forgets one.

create schema work authorization frontdesk_owner;
grant usage on schema work to authenticated;

create table work.meetings (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  title text not null,
  title_key text generated always as (app.search_key(title)) stored,
  -- Null is as good as default.
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
-- A transcript belongs to one meeting: what promotes an occurrence twice at once finds out here.
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
  constraint meeting_occurrences_occurrence_date_key unique (meeting_id, occurrence_date),
  unique (id, organization_id)
);
-- All that a list of series wants of its occurrences, without looking at the rows.
create index meeting_occurrences_listed_idx on work.meeting_occurrences (meeting_id, occurrence_date)
  include (id, organization_id, status, has_transcript, transcriber_transcript_id);

-- What hangs on a meeting, or on one of its occurrences.
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
create index meeting_participants_member_id_idx on work.meeting_participants (member_id);
-- A participant is there once.
create unique index meeting_participants_meeting_label_key on work.meeting_participants (meeting_id, label);
create unique index meeting_participants_occurrence_label_key on work.meeting_participants (occurrence_id, label);

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
  content text not null
);

create table work.meeting_underlines (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org(),
  meeting_id uuid,
  occurrence_id uuid,
  quote text not null,
  note text
);

-- Access ----------------------------------------------------------------------------------------

-- The staff of an organisation; machines are none.
create function app.caller_is_staff() returns boolean
  language sql stable parallel safe set search_path = ''
  return coalesce(app.caller_role() in ('owner', 'admin', 'staff', 'teacher', 'finance'), false);

-- Whom the specification calls a global admin, and the owner.
create function app.caller_is_admin() returns boolean
  language sql stable parallel safe set search_path = ''
  return coalesce(app.caller_role() = 'owner' or app.caller_level() >= 80, false);

grant execute on function app.caller_is_staff(), app.caller_is_admin() to authenticated;

do $$
declare
  t text;
  reads constant text := $r$ organization_id = (select app.caller_org()) and (select app.caller_is_staff()) $r$;
  changes constant text := reads || $r$ and (select app.caller_is_admin()) $r$;
begin
  foreach t in array array['meeting_participants', 'meeting_concepts', 'meeting_expertise',
                           'meeting_tools', 'transcript_segments', 'meeting_underlines'] loop
    execute format(
      'alter table work.%1$I
         add constraint %1$s_parent_check check (num_nonnulls(meeting_id, occurrence_id) = 1),
         add constraint %1$s_meeting_id_fkey foreign key (meeting_id, organization_id)
           references work.meetings (id, organization_id),
         add constraint %1$s_occurrence_id_fkey foreign key (occurrence_id, organization_id)
           references work.meeting_occurrences (id, organization_id)', t);
    execute format('create index %1$s_meeting_id_idx on work.%1$I (meeting_id)', t);
    execute format('create index %1$s_occurrence_id_idx on work.%1$I (occurrence_id)', t);
  end loop;

  -- Staff read; global admins and owners change.
  foreach t in array array['meetings', 'meeting_occurrences', 'meeting_participants', 'meeting_concepts',
                           'meeting_expertise', 'meeting_tools', 'transcript_segments',
                           'meeting_underlines'] loop
    execute format('alter table work.%I enable row level security', t);
    execute format('alter table work.%I force row level security', t);
    execute format('grant select, insert, update, delete on work.%I to authenticated', t);
    execute format('create policy read on work.%I for select to authenticated using (%s)', t, reads);
    execute format('create policy add on work.%I for insert to authenticated with check (%s)', t, changes);
    -- Visible but not writable is refused (42501), invisible is not found.
    execute format('create policy write on work.%I for update to authenticated using (%s) with check (%s)',
                   t, reads, changes);
    execute format('create policy remove on work.%I for delete to authenticated using (%s)', t, changes);
  end loop;
end
$$;
