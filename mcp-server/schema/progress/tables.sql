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

-- A member has completed a milestone if the member has completed the lesson that it links to. The lesson,
-- the link, the cohort and the account can come in any order. Only functions read this view.
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
