-- What a caller's writes with an idempotency key returned: the same key again returns it again. The row
-- commits with the write, so that there is never one without the other.

create table app.idempotency_keys (
  user_id uuid not null default app.caller_id(),
  key text not null,
  tool text not null,
  -- SHA-256 of the arguments, in one form however they were written.
  arguments bytea not null,
  -- Set before the commit.
  result text,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);

alter table app.idempotency_keys enable row level security;
alter table app.idempotency_keys force row level security;
create policy own on app.idempotency_keys to authenticated
  using (user_id = (select app.caller_id()))
  with check (user_id = (select app.caller_id()));
grant select, insert, delete, update (result) on app.idempotency_keys to authenticated;
