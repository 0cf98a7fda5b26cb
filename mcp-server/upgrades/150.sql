-- The second factor of an account.

-- Tables -------------------------------------------------------------------------------------------

create table auth.factors (
  user_id uuid primary key references auth.users (id) on delete cascade,
  key bytea not null,
  last_step bigint not null,
  misses integer not null default 0,
  missed_at timestamptz
);

create table auth.recovery_codes (
  user_id uuid not null references auth.factors (user_id) on delete cascade,
  hash bytea not null,
  primary key (user_id, hash)
);

alter table staff.users add column has_second_factor boolean not null default false;

alter table app.organizations add column second_factor text not null default 'optional'
  check (second_factor in ('optional', 'required'));

-- Policies -----------------------------------------------------------------------------------------

do $$
declare
  t text;
begin
  foreach t in array array['factors', 'recovery_codes'] loop
    perform app.secure(('auth.' || t)::regclass);
    execute format('create policy identity on auth.%I to frontdesk_identity using (true) with check (true)', t);
    execute format('grant select, delete on auth.%I to frontdesk_identity', t);
  end loop;
end
$$;
grant update (last_step, misses, missed_at) on auth.factors to frontdesk_identity;

grant update (second_factor) on app.organizations to authenticated;

create or replace trigger keep_second_factor before update on staff.users
  for each row when (current_setting('app.restoring', true) is not distinct from 'on'
    and old.has_second_factor <> new.has_second_factor)
  execute function staff.keep_second_factor();
