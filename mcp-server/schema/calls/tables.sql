-- What is remembered of calls: the results of writes with an idempotency key, what others have made, and the previews that
-- were applied.

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

-- What accounts have made in the last minutes by calls without an idempotency key.
create table app.made_calls (
  account_id uuid not null default app.caller_id(),
  -- SHA-256 of the tool and its checked arguments.
  same bytea not null,
  -- The entry of the call in the history, and that of the equal call before it.
  change_id uuid not null,
  repeats uuid,
  made_at timestamptz not null default now(),
  primary key (account_id, same)
);

-- How often an account has made a call that was bound to its preview. The digest that a preview shows is made with this
-- number, so that each can be used once.
create table app.applied_plans (
  account_id uuid not null default app.caller_id(),
  -- The digest of the call and its changes, without the number.
  digest text not null,
  times integer not null default 1,
  -- When the digest was last applied.
  applied_at timestamptz not null default now(),
  primary key (account_id, digest)
);
