-- What is remembered of calls: the results of writes with an idempotency key, and the previews that were applied.

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

-- How often an account has made a call that was bound to its preview. The digest that a preview shows is made with this
-- number, so that each can be used once.
create table app.applied_plans (
  account_id uuid not null default app.caller_id(),
  -- The digest of the call and its changes, without the number.
  digest text not null,
  times integer not null default 1,
  primary key (account_id, digest)
);

select app.secure('app.idempotency_keys'), app.secure('app.applied_plans');
create policy own on app.idempotency_keys to authenticated
  using (user_id = (select app.caller_id()))
  with check (user_id = (select app.caller_id()));
create policy own on app.applied_plans to authenticated
  using (account_id = (select app.caller_id()))
  with check (account_id = (select app.caller_id()));
grant select, insert, delete, update (result) on app.idempotency_keys to authenticated;
grant select, insert, update (times) on app.applied_plans to authenticated;

-- Removes the keys that are no longer remembered, also those of accounts that make no calls any more.
create function app.forget_keys() returns void language sql security definer set search_path = ''
begin atomic
  delete from app.idempotency_keys k where k.created_at < now() - interval '2 days';
end;

grant execute on function app.forget_keys to frontdesk_webhooks;
