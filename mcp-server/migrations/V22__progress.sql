-- Members' progress in their programs (specification, sections 2, 3 and 4.4).

create table learn.milestone_completions (
  milestone_id uuid not null,
  member_id uuid not null,
  organization_id uuid not null default app.caller_org(),
  completed_at timestamptz not null default now(),
  primary key (milestone_id, organization_id, member_id),
  constraint milestone_completions_milestone_id_fkey foreign key (milestone_id, organization_id)
    references learn.milestones (id, organization_id) on delete cascade,
  constraint milestone_completions_member_id_fkey foreign key (member_id, organization_id)
    references learn.members (id, organization_id) on delete cascade
);
create index milestone_completions_member_id_idx
  on learn.milestone_completions (member_id, organization_id, completed_at);

-- The staff and the member see the member's completions; owners, admins and staff complete and reopen milestones.
select app.protect_by('learn.milestone_completions',
  '(select app.caller_is_staff()) or (select app.caller_is_admin()) or member_id = (select app.caller_member())',
  '(select app.caller_is_admin())',
  adds => '(select app.caller_role()) in (''owner'', ''admin'', ''staff'') or (select app.caller_is_admin())',
  removes => '(select app.caller_role()) in (''owner'', ''admin'', ''staff'') or (select app.caller_is_admin())');

-- The policy would hide the rows from other callers, and the call would do nothing: refuse it instead.
create function learn.require_desk() returns void language plpgsql stable set search_path = '' as $$
begin
  if not (coalesce(app.caller_role() in ('owner', 'admin', 'staff'), false) or app.caller_is_admin()) then
    raise insufficient_privilege;
  end if;
end
$$;

-- A member has completed a milestone if the member has completed the lesson that it links to. The lesson,
-- the link, the cohort and the account can come in any order. Only the functions below read this view.
create view learn.earned with (security_invoker = true) as
  select m.id as milestone_id, p.member_id, m.organization_id, l.completed_at, l.user_id, l.lesson_id
  from learn.milestones m
  join learn.stages s on s.id = m.stage_id
  join learn.programs g on g.id = s.program_id
  join learn.cohort_members c on c.cohort_id = g.cohort_id and c.organization_id = m.organization_id
  join learn.profiles p on p.member_id = c.member_id and p.organization_id = c.organization_id
  join learn.lesson_progress l on l.user_id = p.id and l.lesson_id = m.linked_material_id
    and l.organization_id = m.organization_id
  where l.completed_at is not null;

-- Runs when a member completes a lesson. If at the same time a milestone is linked to it, or the member joins, the
-- second transaction waits for the first and sees its rows.
create function learn.complete_milestones() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended(new.organization_id::text, 92));
  insert into learn.milestone_completions (milestone_id, member_id, organization_id, completed_at)
  select e.milestone_id, e.member_id, e.organization_id, e.completed_at from learn.earned e
  where e.user_id = new.user_id and e.lesson_id = new.lesson_id
  on conflict do nothing;
  return new;
end
$$;
create trigger complete_milestones after insert or update of completed_at on learn.lesson_progress
  for each row when (new.completed_at is not null) execute function learn.complete_milestones();

-- Runs when a milestone is linked to a lesson. A completion remains if the link is removed.
create function learn.complete_linked() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(new.organization_id::text, 92));
  insert into learn.milestone_completions (milestone_id, member_id, organization_id, completed_at)
  select e.milestone_id, e.member_id, e.organization_id, e.completed_at from learn.earned e
  where e.milestone_id = new.id
  on conflict do nothing;
  return new;
end
$$;
create trigger complete_linked after insert or update of linked_material_id on learn.milestones
  for each row when (new.linked_material_id is not null) execute function learn.complete_linked();

-- Runs when a member joins a cohort or gets an account.
create function learn.complete_member_s() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(new.organization_id::text, 92));
  insert into learn.milestone_completions (milestone_id, member_id, organization_id, completed_at)
  select e.milestone_id, e.member_id, e.organization_id, e.completed_at from learn.earned e
  where e.member_id = new.member_id
  on conflict do nothing;
  return new;
end
$$;
create trigger complete_member_s after insert on learn.cohort_members
  for each row execute function learn.complete_member_s();
create trigger complete_member_s after insert or update of member_id on learn.profiles
  for each row when (new.member_id is not null) execute function learn.complete_member_s();

grant execute on function learn.require_desk to authenticated;
