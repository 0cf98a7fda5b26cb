-- Readers who are not signed in see the published articles of one organisation's wiki, and nothing else.

-- Begins a reader's transaction: at this organisation, or else at the first one that has published something.
create function app.enter_public(organization uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  perform set_config('app.organization_id', coalesce((
    select o.id::text from app.organizations o
    where organization is null and exists (
            select from learn.wiki_articles a where a.organization_id = o.id and a.status = 'published')
      or o.id = organization
    order by o.created_at, o.name limit 1), ''), true);
end
$$;

grant usage on schema app, learn to anonymous;
grant execute on function app.enter_public(uuid), app.caller_org() to anonymous;
create policy published on learn.wiki_articles for select to anonymous
  using (organization_id = (select app.caller_org()) and status = 'published');
grant select (organization_id, title, title_key, slug, content, status, metadata) on learn.wiki_articles to anonymous;
