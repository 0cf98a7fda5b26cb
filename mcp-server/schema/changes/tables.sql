-- The history: every call that changes rows leaves an entry with these rows, in its own transaction. A preview captures
-- them in the same way and rolls back. The setting app.change_id turns the capture on; it is the id of the entry.
-- docs/changes.md explains the history.

-- Ids are UUIDs of version 7, which begin with the time. Both tables are partitioned by id, a partition for each day,
-- so that a day is removed by dropping it. Without foreign keys and checks, which every write would pay for.
create table app.changes (
  id uuid primary key,
  organization_id uuid,
  account_id uuid not null,
  created_at timestamptz not null default now(),
  host text not null,
  tool text not null,
  -- JSON, with long texts cut; null if a person of it was erased.
  arguments text,
  idempotency_key text,
  -- The name and version of the calling program.
  client text,
  -- The entry that this one reverses.
  undoes uuid,
  -- The action to which the call belongs: several calls that are one row of the history, and are undone together.
  action_id uuid,
  -- An action: its calls have the rows.
  is_action boolean not null default false,
  -- Of an undo of an action: the calls that it took back.
  takes_back uuid[],
  -- The account that made a call which its caller delivered, such as a check-in that waited at a desk; null if that is
  -- the caller, or no account of the organisation.
  made_by uuid
) partition by range (id);
create index changes_organization_id_idx on app.changes (organization_id, id);
create index changes_undoes_idx on app.changes (undoes) where undoes is not null;
create index changes_action_id_idx on app.changes (action_id) where action_id is not null;

create table app.changes_default partition of app.changes default;

create sequence app.changed_rows_position;

create table app.changed_rows (
  change_id uuid not null,
  -- Counts across entries; the rows of an entry are in the order in which they were changed.
  position bigint not null default nextval('app.changed_rows_position'),
  -- With its schema.
  table_name text not null,
  -- insert, update or delete.
  operation text not null,
  -- JSON objects: text, because it is written faster than jsonb and read rarely. An update has only the changed
  -- columns.
  key text not null,
  before text,
  after text,
  -- Whether a call wrote the row itself; otherwise a trigger or a cascade did.
  is_direct boolean not null default true,
  primary key (change_id, position)
) partition by range (change_id);

create table app.changed_rows_default partition of app.changed_rows default;
-- Finds the changes of a row by its id, and those of rows that link it to others.
create index changed_rows_key_idx on app.changed_rows (key);

create function app.key_values(key text) returns text[] language sql immutable strict parallel safe set search_path = ''
  return array(select value from jsonb_each_text(key::jsonb));
create index changed_rows_links_idx on app.changed_rows using gin (app.key_values(key)) where key not like '{"id"%';
