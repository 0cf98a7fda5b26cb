-- The lists of projects and epics count what is below each from an index alone.
drop index work.epics_project_id_idx;
create index epics_project_id_idx on work.epics (project_id, organization_id, name_key, id) include (status);
drop index work.tasks_epic_id_idx;
create index tasks_epic_id_idx on work.tasks (epic_id, organization_id, priority, number) include (status);
