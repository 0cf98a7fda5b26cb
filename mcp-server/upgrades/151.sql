-- What calls without a key have made is kept in the database.

-- Tables -------------------------------------------------------------------------------------------

create table app.made_calls (
  account_id uuid not null default app.caller_id(),
  same bytea not null,
  change_id uuid not null,
  repeats uuid,
  made_at timestamptz not null default now(),
  primary key (account_id, same)
);

-- Policies -----------------------------------------------------------------------------------------

select app.admit_nobody('app.made_calls');
