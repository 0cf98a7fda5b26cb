-- The link that sets a new password: one for each account, for one use.

create table auth.password_links (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- The link's SHA-256; the link itself is not stored.
  token_hash bytea not null constraint password_links_token_key unique,
  issued_by uuid not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  issued_at timestamptz not null default now(),
  -- When the password, role, level or state of its account changed before it was used.
  ended_at timestamptz
);
