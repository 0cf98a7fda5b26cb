-- A check that takes words to explain is called by them, the field first: the host tells them to the caller.
alter table events.events
  rename constraint events_end_at_check to "end_at must not be before start_at";
alter table events.sessions
  rename constraint sessions_end_time_check to "end_time must not be before start_time";
alter table events.tasks
  rename constraint tasks_due_date_check to "due_date must not be before start_date";
