-- The result of a caller's write with an idempotency key: the same key returns it again. The row commits with the
-- write, so that neither exists without the other.

create table app.idempotency_keys (
  user_id uuid not null default app.caller_id(),
  key text not null,
  tool text not null,
  -- SHA-256 of the arguments in a canonical form.
  arguments bytea not null,
  -- Set before the commit.
  result text,
  -- The result is returned again only to a caller with the same rights; with others the host makes the call again.
  rights text not null default app.caller_rights(),
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);

alter table app.idempotency_keys enable row level security;
alter table app.idempotency_keys force row level security;
create policy own on app.idempotency_keys to authenticated
  using (user_id = (select app.caller_id()))
  with check (user_id = (select app.caller_id()));
grant select, insert, delete, update (result) on app.idempotency_keys to authenticated;
