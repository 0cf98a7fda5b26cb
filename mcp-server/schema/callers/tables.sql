-- What a call must know of its caller is one row, which is written when the account, its staff row or its profile
-- changes, in the same transaction: it is never late.

create table app.callers (
  -- The account.
  id uuid primary key,
  organization uuid,
  role text not null default '',
  level integer not null default 0,
  member_id uuid,
  is_inactive boolean not null default false,
  is_removed boolean not null default false,
  -- As in staff.users.
  rights_taken_at timestamptz
);
