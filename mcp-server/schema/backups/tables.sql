-- When the database was last backed up, whichever program made the backup: metrics and `check` show its age.

-- One row at most.
create table app.backups (
  made_at timestamptz not null,
  is_only boolean primary key default true check (is_only)
);
