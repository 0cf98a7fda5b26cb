-- People who are removed for good leave no trace beside the records.

-- The ids of people who were erased: a call that ran meanwhile stores no result about them.
create table app.forgotten (
  id uuid not null,
  erased_at timestamptz not null default now()
);
-- Rows have no key: a publication names a deleted one by all its columns.
alter table app.forgotten replica identity full;
create index forgotten_erased_at_idx on app.forgotten (erased_at);
