select app.secure('learn.content_types'), app.capture_changes('learn.content_types');
create policy read on learn.content_types for select to authenticated using ((select learn.caller_reads()));
grant select on learn.content_types to authenticated;

-- Authors and admins see archived articles, and write.
select app.protect_by('learn.wiki_articles',
  '(select app.caller_is_person()) and status <> ''archived''
   or author_id = (select app.caller_id()) or (select app.caller_is_admin())',
  '(select app.caller_is_admin())
   or (select app.caller_is_person()) and author_id = (select app.caller_id())');
-- No tool deletes these.
revoke delete on learn.wiki_articles from authenticated;

-- Readers who are not signed in see the published articles of one organisation's wiki, and nothing else.
create policy published on learn.wiki_articles for select to anonymous
  using (organization_id = (select app.caller_org()) and status = 'published');
grant select (organization_id, title, title_key, slug, content, status, metadata) on learn.wiki_articles to anonymous;
