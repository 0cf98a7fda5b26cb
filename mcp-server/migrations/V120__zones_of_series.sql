-- A series from a calendar is counted in the zone of its entry, whose clock its time of day keeps to. Its times of day and
-- the days of its occurrences stay those of the organisation's zone, as they are at the first time.
alter table work.meetings
  -- Null: the organisation's zone. A name, or rules (POSIX) if the calendar defines a zone of its own.
  add column recurrence_zone text,
  -- Days beside those of the rule, and days of the rule on which it does not meet, in that zone.
  add column recurrence_dates date[],
  add column recurrence_except date[];
