-- People who build start runs, and the machines that execute them report the results.
select app.protect('engineering.spec_runs', reads => '{owner,admin,staff,teacher,finance,fellow,automation}',
  writes => '{owner,admin,staff,teacher,fellow,automation}');
select app.protect('engineering.documents', reads => '{owner,admin,staff,teacher,finance,fellow}',
  writes => '{owner,admin,staff,teacher,fellow}');
select app.protect('engineering.document_versions',
  reads => '{owner,admin,staff,teacher,finance,fellow}', writes => '{}');
select app.protect('engineering.pull_requests', '{owner,admin,staff,teacher,finance,fellow}', '{}');
-- The database writes all other columns.
revoke insert, update, delete on engineering.spec_runs, engineering.documents, engineering.document_versions,
  engineering.pull_requests from authenticated;
grant insert (title, spec), update (id, status, result) on engineering.spec_runs to authenticated;
grant insert (kind, title, content), update (id, version, title, content) on engineering.documents to authenticated;

select app.admit_nobody('engineering.repositories'), app.admit_nobody('engineering.deliveries_seen');
