-- Staff management: students, the staff and their invitations (specification, sections 1, 4.2 and 5).

-- Students -----------------------------------------------------------------------------------------

-- The staff see who is in which cohort, and how far. The view of the learn host keeps what the specification
-- says of it: everybody's rows are a global admin's.
alter policy read on learn.cohort_members
  using (organization_id = (select app.caller_org())
    and ((select app.caller_is_staff()) or (select app.caller_is_admin())
      or member_id = (select app.caller_member())));
alter policy read on learn.milestone_completions
  using (organization_id = (select app.caller_org())
    and ((select app.caller_is_staff()) or (select app.caller_is_admin())
      or member_id = (select app.caller_member())));

create or replace view learn.program_member_progress with (security_invoker = true) as
  select c.organization_id, c.member_id, m.name as member_name, m.name_key, c.cohort_id, p.id as program_id,
         (select u.id from learn.profiles u where u.member_id = c.member_id) as user_id,
         t.total, t.done,
         case when t.total = 0 then 0 else round(100.0 * t.done / t.total, 1)::double precision end as percentage,
         t.last_completed_at
  from learn.cohort_members c
  join learn.members m on m.id = c.member_id
  join learn.programs p on p.cohort_id = c.cohort_id
  cross join lateral (
    select count(*)::integer as total, count(d.milestone_id)::integer as done,
           max(d.completed_at) as last_completed_at
    from learn.stages s
    join learn.milestones n on n.stage_id = s.id
    left join learn.milestone_completions d on d.milestone_id = n.id and d.member_id = c.member_id
    where s.program_id = p.id
  ) t
  where (select app.caller_is_admin()) or c.member_id = (select app.caller_member());

create view staff.students with (security_invoker = true) as
  select m.organization_id, m.id, m.name, m.name_key, m.found_by,
         coalesce(m.corporate_email, m.personal_email) as email, m.phase_id, m.is_active
  from learn.members m
  where exists (select from learn.cohort_members c where c.member_id = m.id);
grant select on staff.students to authenticated;

-- How many milestones a member's programs have, and how many of them the member has completed.
create function staff.milestones(member uuid, out total integer, out done integer)
  language sql stable set search_path = ''
begin atomic
  select count(*)::integer, count(d.milestone_id)::integer
  from learn.cohort_members c
  join learn.programs p on p.cohort_id = c.cohort_id
  join learn.stages s on s.program_id = p.id
  join learn.milestones n on n.stage_id = s.id
  left join learn.milestone_completions d on d.milestone_id = n.id and d.member_id = c.member_id
  where c.member_id = member;
end;
grant execute on function staff.milestones(uuid) to authenticated;

-- The staff ----------------------------------------------------------------------------------------

-- Who sees a row may be told that it is not theirs to change.
grant update (is_active) on staff.users to authenticated;
create policy write on staff.users for update to authenticated
  using (id = (select app.caller_id())
    or organization_id = (select app.caller_org()) and (select app.caller_role()) in ('owner', 'admin'))
  with check (organization_id = (select app.caller_org()) and (select app.caller_role()) = 'owner');

-- The address that a member of the caller's staff signs in with, for those who see the staff.
create function staff.email(account uuid) returns text
  language sql stable security definer set search_path = ''
begin atomic
  select a.email from auth.users a join staff.users u on u.id = a.id
  where a.id = account
    and (a.id = app.caller_id()
      or u.organization_id = app.caller_org() and app.caller_role() in ('owner', 'admin'));
end;
grant execute on function staff.email(uuid) to authenticated;

-- An organisation keeps an active owner. Its row is locked, so that two owners who take each other's rights away
-- come one after the other.
create function staff.keep_an_owner() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform from app.organizations o where o.id = old.organization_id for no key update;
  if not exists (
    select from staff.users u
    where u.organization_id = old.organization_id and u.role = 'owner' and u.is_active and u.id <> old.id
  ) then
    raise check_violation using constraint = 'is_active must stay true: this is the last active owner';
  end if;
  return new;
end
$$;
grant execute on function staff.keep_an_owner() to authenticated;
create trigger keep_an_owner before update on staff.users
  for each row when (current_user = 'authenticated' and old.role = 'owner' and old.is_active and not new.is_active)
  execute function staff.keep_an_owner();

-- Invitations --------------------------------------------------------------------------------------

create table staff.invitations (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  name text not null,
  email text not null constraint invitations_email_check check (email = lower(email)),
  role text not null constraint invitations_role_check
    check (role in ('owner', 'admin', 'staff', 'teacher', 'finance', 'automation')),
  -- The link's SHA-256: the link itself is nowhere in the database.
  token_hash bytea not null constraint invitations_token_key unique,
  invited_by uuid not null default app.caller_id(),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '3 days',
  accepted_at timestamptz,
  revoked_at timestamptz,
  constraint "id is of an invitation that was accepted: see set_staff_active"
    check (accepted_at is null or revoked_at is null)
);
create index invitations_listed_idx on staff.invitations (organization_id, created_at desc, id);
-- An address has one invitation at a time.
create unique index invitations_email_key on staff.invitations (organization_id, email)
  where accepted_at is null and revoked_at is null;
select app.protect('staff.invitations', reads => '{owner,admin}', writes => '{owner}');
revoke delete on staff.invitations from authenticated;

-- Who is on the staff already is not invited. An account elsewhere is not told of.
create function staff.check_invitation() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if exists (
    select from auth.users a join staff.users u on u.id = a.id
    where lower(a.email) = new.email and u.organization_id = new.organization_id
  ) then
    raise check_violation using constraint = 'email is of a member of staff: see list_staff and set_staff_active';
  end if;
  return new;
end
$$;
grant execute on function staff.check_invitation() to authenticated;
create trigger check_invitation before insert on staff.invitations
  for each row when (current_user = 'authenticated') execute function staff.check_invitation();

-- What the page behind a link needs, at a moment. `state` says why nobody can be let in, or is open. The
-- invitation ends with the rights of the owner who made it.
create function auth.invitation(token bytea, at timestamptz)
  returns table (state text, organization text, role text, email text, account uuid, has_password boolean)
  language sql stable security definer set search_path = ''
begin atomic
  select case
           when i.accepted_at is not null then 'used'
           when i.revoked_at is not null or not exists (
             select from staff.users o
             where o.id = i.invited_by and o.organization_id = i.organization_id and o.role = 'owner' and o.is_active
           ) then 'revoked'
           when i.expires_at <= at then 'expired'
           when not a.is_active then 'closed'
           when exists (select from staff.users u where u.id = a.id)
             or exists (select from learn.profiles p where p.id = a.id and p.organization_id <> i.organization_id)
             then 'taken'
           else 'open'
         end,
         g.name, i.role, i.email, a.id, a.password_hash is not null
  from staff.invitations i
  join app.organizations g on g.id = i.organization_id
  left join auth.users a on lower(a.email) = i.email
  where i.token_hash = token;
end;

-- Lets the invited person in: as the account that they have shown to be theirs, or as a new one with this password.
-- Returns done, or the state in which nobody is let in.
create function auth.accept_invitation(token bytea, at timestamptz, account uuid, password_hash text) returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  invited staff.invitations;
  found_state text;
  found_account uuid;
begin
  select * into invited from staff.invitations i where i.token_hash = token for update;
  select i.state, i.account into found_state, found_account from auth.invitation(token, at) i;
  if found_state is distinct from 'open' then
    return found_state;
  end if;
  -- Somebody made the account since the page was shown.
  if found_account is distinct from account then
    return 'changed';
  end if;
  if account is null then
    insert into auth.users (email, password_hash) values (invited.email, accept_invitation.password_hash)
    returning id into account;
  end if;
  -- Owners and admins are global admins; nobody gives more than they have.
  insert into learn.profiles (id, organization_id, name, level)
  values (account, invited.organization_id, invited.name, least(
    case invited.role when 'owner' then 100 when 'admin' then 80 else 0 end,
    coalesce((select p.level from learn.profiles p where p.id = invited.invited_by), 0)))
  on conflict (id) do nothing;
  insert into staff.users (id, organization_id, role) values (account, invited.organization_id, invited.role);
  update staff.invitations i set accepted_at = at where i.id = invited.id;
  return 'done';
end
$$;
grant execute on function
  auth.invitation(bytea, timestamptz), auth.accept_invitation(bytea, timestamptz, uuid, text)
  to frontdesk_identity;

-- The caller ---------------------------------------------------------------------------------------

-- An inactive staff row leaves a member what a fellow has, without a level; it leaves others nothing.
create or replace function app.enter(caller uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  perform set_config('app.user_id', caller::text, true),
          set_config('app.organization_id', coalesce(u.organization_id::text, p.organization_id::text, ''), true),
          set_config('app.role', coalesce(u.role, case when p.id is not null then 'fellow' end, ''), true),
          set_config('app.level', case when s.is_active is false then 0 else coalesce(p.level, 0) end::text, true),
          set_config('app.member_id', coalesce(p.member_id::text, ''), true)
    from (select caller as id) c
    left join staff.users s on s.id = c.id
    left join lateral (select s.organization_id, s.role where s.is_active) u on true
    left join learn.profiles p on p.id = c.id and (s.is_active is not false or p.member_id is not null);
end
$$;
