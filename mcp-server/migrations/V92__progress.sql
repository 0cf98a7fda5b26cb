-- Progress: lessons, and members in their programs.

-- Lessons ------------------------------------------------------------------------------------------

-- A lesson can be completed without having been viewed: completing it sets no other time.
alter table learn.lesson_progress
  alter column first_viewed_at drop not null, alter column first_viewed_at drop default,
  alter column last_viewed_at drop not null, alter column last_viewed_at drop default;

-- Milestones ---------------------------------------------------------------------------------------

-- What members have earned: a milestone counts as completed by a member who has completed the lesson that it links to,
-- whatever came first: the lesson, the link, the cohort or the account. For the functions below alone.
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

-- A member completes a lesson. Where at the same time a milestone is linked to it, or the member joins, the second
-- transaction waits for the first and sees what it wrote.
create or replace function learn.complete_milestones() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended(new.organization_id::text, 92));
  insert into learn.milestone_completions (milestone_id, member_id, organization_id, completed_at)
  select e.milestone_id, e.member_id, e.organization_id, e.completed_at from learn.earned e
  where e.user_id = new.user_id and e.lesson_id = new.lesson_id
  on conflict do nothing;
  return new;
end
$$;

-- A milestone is linked to a lesson. A completion stays where the link is removed.
create function learn.complete_linked() returns trigger
  language plpgsql security definer set search_path = ''
as $$
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

-- A member joins a cohort, or gets an account.
create function learn.complete_member_s() returns trigger
  language plpgsql security definer set search_path = ''
as $$
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

insert into learn.milestone_completions (milestone_id, member_id, organization_id, completed_at)
select e.milestone_id, e.member_id, e.organization_id, e.completed_at from learn.earned e
on conflict do nothing;

-- Members in their programs are counted by the statement that lists a page of them.
drop view learn.program_member_progress;
