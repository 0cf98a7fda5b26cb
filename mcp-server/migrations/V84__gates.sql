-- What gates a stage or milestone: its predecessors that are not done. As a view it is planned with the list that
-- asks for it; as a function with settings of its own it was a call for each row and field.
drop function learn.gates(uuid);
create view learn.gates with (security_invoker = true) as
  select d.successor_id, d.predecessor_id
  from learn.stage_dependencies d
  where not exists (select from learn.stages s where s.id = d.predecessor_id and s.status = 'done')
    and not exists (select from learn.milestones m where m.id = d.predecessor_id and m.status = 'done');
grant select on learn.gates to authenticated;
