select app.protect('skills.skills', reads => '{owner,admin,staff,teacher,finance,automation,fellow}',
  writes => '{owner,admin,staff,teacher}');
select app.protect('skills.versions', reads => '{owner,admin,staff,teacher,finance,automation,fellow}', writes => '{}');
-- Only a trigger writes versions; skills are retired instead of deleted.
revoke insert, update, delete on skills.versions from authenticated;
revoke delete on skills.skills from authenticated;
