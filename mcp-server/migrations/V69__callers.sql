-- What a call must know of its caller is one row. It was read from three tables in each call; now it is written when one
-- of them changes, in the same transaction, so that it is never late.

create table app.callers (
  -- The account.
  id uuid primary key,
  organization uuid,
  role text not null default '',
  level integer not null default 0,
  member_id uuid,
  is_inactive boolean not null default false,
  is_removed boolean not null default false,
  -- See staff.users.
  rights_taken_at timestamptz
);
alter table app.callers enable row level security;
alter table app.callers force row level security;
create policy nobody on app.callers using (false);

-- The row of an account, if there is the account. An inactive staff row leaves a member the rights of a fellow, without a
-- level, and leaves others nothing.
create function app.caller_of(account uuid) returns setof app.callers
  language sql stable set search_path = ''
begin atomic
  select c.id, coalesce(u.organization_id, p.organization_id),
         coalesce(u.role, case when p.id is not null then 'fellow' end, ''),
         case when s.is_active is false then 0 else coalesce(p.level, 0) end, p.member_id,
         a.is_active is false, p.removed_at is not null, s.rights_taken_at
    from (select account as id) c
    left join auth.users a on a.id = c.id
    left join staff.users s on s.id = c.id
    left join lateral (select s.organization_id, s.role where s.is_active) u on true
    left join learn.profiles p on p.id = c.id and (s.is_active is not false or p.member_id is not null)
   where a.id is not null or s.id is not null or exists (select from learn.profiles o where o.id = c.id);
end;

insert into app.callers
select k.* from (select id from auth.users union select id from staff.users union select id from learn.profiles) c
cross join lateral app.caller_of(c.id) k;

-- Two transactions that change two rows of an account take turns at its caller: the second sees what the first wrote.
create function app.note_caller() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  account constant uuid := case tg_op when 'DELETE' then old.id else new.id end;
begin
  insert into app.callers (id) values (account) on conflict do nothing;
  perform from app.callers where id = account for update;
  update app.callers k
     set organization = c.organization, role = c.role, level = c.level, member_id = c.member_id,
         is_inactive = c.is_inactive, is_removed = c.is_removed, rights_taken_at = c.rights_taken_at
    from app.caller_of(account) c where k.id = account;
  if not found then
    delete from app.callers where id = account;
  end if;
  return null;
end
$$;

create trigger note_caller after insert or delete on auth.users
  for each row execute function app.note_caller();
create trigger note_changed_caller after update on auth.users
  for each row when (old.is_active is distinct from new.is_active) execute function app.note_caller();
create trigger note_caller after insert or delete on staff.users
  for each row execute function app.note_caller();
create trigger note_changed_caller after update on staff.users
  for each row when (row(old.organization_id, old.role, old.is_active, old.rights_taken_at)
    is distinct from row(new.organization_id, new.role, new.is_active, new.rights_taken_at))
  execute function app.note_caller();
create trigger note_caller after insert or delete on learn.profiles
  for each row execute function app.note_caller();
create trigger note_changed_caller after update on learn.profiles
  for each row when (row(old.organization_id, old.level, old.member_id, old.removed_at)
    is distinct from row(new.organization_id, new.level, new.member_id, new.removed_at))
  execute function app.note_caller();

create or replace function app.enter(
  caller uuid, change uuid default null, sign_in uuid default null, issued_at timestamptz default null) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  entered record;
begin
  select k.is_inactive, k.is_removed,
         sign_in is not null and (x.id is null or x.revoked_at is not null)
           or k.rights_taken_at > enter.issued_at as is_over,
         set_config('app.user_id', caller::text, true),
         set_config('app.organization_id', coalesce(k.organization::text, ''), true),
         set_config('app.role', coalesce(k.role, ''), true),
         set_config('app.level', coalesce(k.level, 0)::text, true),
         set_config('app.member_id', coalesce(k.member_id::text, ''), true),
         case when change is not null then set_config('app.change_id', change::text, true) end
    into entered
    from (select caller as id) c
    left join app.callers k on k.id = c.id
    left join auth.sessions x on x.id = sign_in and x.user_id = c.id;
  if entered.is_removed or entered.is_inactive or entered.is_over then
    raise invalid_authorization_specification using
      constraint = case when entered.is_removed or entered.is_inactive then 'account' else 'sign_in' end,
      message = case
        when entered.is_removed then 'the account was removed'
        when entered.is_inactive then 'the account was deactivated'
        else 'the sign-in of this access token has ended' end;
  end if;
end
$$;
