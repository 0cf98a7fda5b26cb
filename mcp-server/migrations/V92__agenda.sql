-- What the agenda finds by day.
create index sessions_start_time_idx on events.sessions (organization_id, start_time, id) where start_time is not null;
create index tasks_estimated_date_idx on work.tasks (organization_id, estimated_date, id) where estimated_date is not null;
