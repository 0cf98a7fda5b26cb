-- The policy would hide the rows from other callers, and the call would do nothing: refuse it instead.
create function learn.require_desk() returns void language plpgsql stable set search_path = '' as $$
begin
  if not (coalesce(app.caller_role() in ('owner', 'admin', 'staff'), false) or app.caller_is_admin()) then
    raise insufficient_privilege;
  end if;
end
$$;

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
