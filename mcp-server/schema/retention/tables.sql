-- How long the history is kept belongs to the database. Processes can lengthen it; only the owner shortens it, in a command
-- that shows what would be removed. The clock of a machine can be wrong: what counts are days with entries, not days that
-- have passed.

-- One row.
create table app.retention (
  -- The days with entries that are kept.
  days integer not null check (days >= 0),
  is_only boolean primary key default true check (is_only),
  -- Webhooks after their delivery. Those that were given up stay.
  webhooks integer not null default 90 check (webhooks > 0),
  -- Refresh tokens; each can be used for 30 days.
  tokens integer not null default 45 check (tokens > 30),
  -- The digests of previews that were applied: until then, none can be applied twice.
  plans integer not null default 90 check (plans > 0),
  -- Deliveries of a code host, which are recognised when they are repeated.
  deliveries integer not null default 30 check (deliveries > 0)
);
