-- The second factor of an account: a key that its holder's authenticator shares (RFC 6238), and recovery codes.

create table auth.factors (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- Both sides compute codes with it, so it cannot be a hash. Only the identity provider reads it.
  key bytea not null,
  -- The time step of the last code that was accepted: a code works once.
  last_step bigint not null,
  -- Wrong codes, and the time of the first of them: guesses are bounded at all processes together.
  misses integer not null default 0,
  missed_at timestamptz
);

-- Each works once: a used code is deleted.
create table auth.recovery_codes (
  user_id uuid not null references auth.factors (user_id) on delete cascade,
  -- The code's SHA-256; the code itself is not stored.
  hash bytea not null,
  primary key (user_id, hash)
);
