-- What a sign-in through a code-hosting provider ends with: a code that is good for tokens, once and not for
-- long. In the database, so that every server process takes it, and only one of them does.

create table auth.sign_in_codes (
  -- The code's SHA-256: the code itself is nowhere in the database.
  hash bytea primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  -- SHA-256 of what the one who began the sign-in has to show with it.
  bound_to bytea not null,
  created_at timestamptz not null default now()
);
create index sign_in_codes_user_id_idx on auth.sign_in_codes (user_id);

alter table auth.sign_in_codes enable row level security;
alter table auth.sign_in_codes force row level security;
create policy identity on auth.sign_in_codes to frontdesk_identity using (true) with check (true);
grant select, insert, delete on auth.sign_in_codes to frontdesk_identity;
