-- Teachers write posts of their own; machines record metrics.
select app.protect_by('campaigns.posts',
  '(select app.caller_role()) <> ''fellow''',
  '(select app.caller_role()) in (''owner'', ''admin'', ''staff'')
   or (select app.caller_role()) = ''teacher'' and author_id = (select app.caller_id())');
select app.protect_by('campaigns.reviews',
  '(select app.caller_role()) <> ''fellow''',
  '(select app.caller_role()) in (''owner'', ''admin'', ''staff'') and reviewer_id = (select app.caller_id())');
select app.protect('campaigns.metrics',
  reads => '{owner,admin,staff,teacher,finance,automation}', writes => '{owner,admin,staff,automation}');
-- The database writes all other columns. A post that was reviewed stays, since its reviews refer to it.
revoke insert, update on campaigns.posts from authenticated;
revoke insert, update, delete on campaigns.reviews, campaigns.metrics from authenticated;
grant insert (title, body, channel, scheduled_at), update (id, title, body, channel, scheduled_at, status)
  on campaigns.posts to authenticated;
grant insert (post_id, revision, verdict, comment) on campaigns.reviews to authenticated;
grant insert (post_id, day, impressions, clicks, reactions, shares),
  update (impressions, clicks, reactions, shares) on campaigns.metrics to authenticated;
