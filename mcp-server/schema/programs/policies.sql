grant select on learn.nodes, learn.gates to authenticated;

select app.protect_by(of, '(select learn.caller_reads())', '(select app.caller_is_admin())')
from unnest(array['learn.programs', 'learn.stages', 'learn.milestones', 'learn.stage_dependencies']::regclass[]) of;
