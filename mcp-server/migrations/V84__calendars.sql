-- Meetings and series are made by hand or from a calendar.

alter table work.meetings
  -- The rule of a series (RFC 5545, RRULE): it gives the days of new occurrences.
  add column recurrence_rule text,
  -- The UID of the calendar entry that it was imported from.
  add column calendar_uid text;
create unique index meetings_calendar_uid_key on work.meetings (organization_id, calendar_uid);
-- The order of the list of meetings.
create index meetings_listed_idx on work.meetings (organization_id, meeting_date desc nulls last, id);
create index meetings_search_idx on work.meetings using gin (title_key extensions.gin_trgm_ops);
