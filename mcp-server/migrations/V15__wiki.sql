-- The wiki (specification, sections 2, 3 and 4.4).

-- Tables -------------------------------------------------------------------------------------------

create table learn.content_types (
  id uuid primary key default gen_random_uuid(),
  slug text not null unique
);
insert into learn.content_types (slug) values ('guide'), ('reference'), ('policy'), ('note');

create function learn.content_type(name text) returns uuid
  language sql stable set search_path = ''
  return (select t.id from learn.content_types t where t.slug = name);
grant execute on function learn.content_type(text) to authenticated;

create table learn.wiki_articles (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  title text not null,
  title_key text generated always as (app.search_key(title)) stored,
  slug text not null constraint wiki_articles_slug_check
    check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  content text not null default '',
  excerpt text,
  content_type_id uuid not null default learn.content_type('guide'),
  project_id uuid,
  tags text[] not null default '{}',
  status text not null default 'draft' constraint wiki_articles_status_check
    check (status in ('draft', 'published', 'archived')),
  metadata jsonb not null default '{}' constraint wiki_articles_metadata_check
    check (jsonb_typeof(metadata) = 'object'),
  constraint wiki_articles_metadata_size_check
    check (app.is_bounded(metadata)),
  author_id uuid not null default app.caller_id(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint wiki_articles_slug_key unique (organization_id, slug),
  constraint wiki_articles_content_type_id_fkey foreign key (content_type_id) references learn.content_types (id),
  constraint wiki_articles_project_id_fkey foreign key (project_id, organization_id)
    references work.projects (id, organization_id) on delete set null (project_id),
  unique (id, organization_id)
);
create index wiki_articles_updated_idx on learn.wiki_articles (organization_id, updated_at desc, id);
create index wiki_articles_title_idx on learn.wiki_articles using gin (title_key extensions.gin_trgm_ops);
create index wiki_articles_content_type_id_idx on learn.wiki_articles (content_type_id);
create index wiki_articles_project_id_idx on learn.wiki_articles (project_id, organization_id);

-- Access -------------------------------------------------------------------------------------------

alter table learn.content_types enable row level security;
alter table learn.content_types force row level security;
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
grant usage on schema app, learn to anonymous;
create policy published on learn.wiki_articles for select to anonymous
  using (organization_id = (select app.caller_org()) and status = 'published');
grant select (organization_id, title, title_key, slug, content, status, metadata) on learn.wiki_articles to anonymous;

-- Begins the transaction of a reader who is not signed in: in this organisation, or else in the first one with a
-- published article.
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
grant execute on function app.enter_public(uuid), app.caller_org() to anonymous;

-- Functions and triggers ---------------------------------------------------------------------------

call app.make_searchable('learn.wiki_articles', 't.title_key like pattern');

create trigger default_slug before insert on learn.wiki_articles
  for each row execute function app.default_slug('title', 'organization_id', 'article');
create trigger touch before update on learn.wiki_articles for each row execute function app.touch();

-- Whether an article with this slug and this parent would be above itself. Runs as the owner, because the path can
-- lead through articles that the caller does not see.
create function learn.closes_cycle(article uuid, organization uuid, slug text, parent text) returns boolean
  language sql stable security definer set search_path = ''
begin atomic
  with recursive above (slug) as (
    select parent
    union
    select a.metadata ->> 'parent_slug' from above b
    join learn.wiki_articles a on a.slug = b.slug and a.organization_id = organization
    where a.id <> article
  )
  select exists (select from above where above.slug = closes_cycle.slug);
end;

-- The parent is an article, and no path leads from it back. Writers of one organisation's tree take turns, so that
-- two who each write half of a cycle do not close it. A parent that stays is not checked: a rename leaves children
-- alone.
create function learn.check_parent() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  parent text := new.metadata ->> 'parent_slug';
begin
  if parent is null or tg_op = 'UPDATE' and parent is not distinct from old.metadata ->> 'parent_slug'
                                         and new.slug = old.slug then
    return new;
  end if;
  -- Refuses callers who cannot write the article before anything is read.
  if tg_op = 'UPDATE' and not (app.caller_is_admin() or old.author_id = app.caller_id()) then
    raise insufficient_privilege;
  end if;
  perform pg_advisory_xact_lock(hashtextextended(new.organization_id::text, 42));
  if tg_op = 'INSERT' or parent is distinct from old.metadata ->> 'parent_slug' then
    if parent = new.slug or not exists (
      select from learn.wiki_articles a where a.organization_id = new.organization_id and a.slug = parent
    ) then
      raise check_violation using column = 'metadata.parent_slug', message = case
        when parent = new.slug then 'an article cannot be its own parent'
        else format('“%s” is not an article: give the slug of an existing one', parent) end;
    end if;
  end if;
  if learn.closes_cycle(new.id, new.organization_id, new.slug, parent) then
    raise check_violation using
      column = 'metadata.parent_slug', message = format('would close a cycle through “%s”', parent);
  end if;
  return new;
end
$$;
create trigger parent_is_checked before insert or update on learn.wiki_articles
  for each row when (current_user = 'authenticated') execute function learn.check_parent();

grant execute on function learn.closes_cycle(uuid, uuid, text, text), learn.check_parent() to authenticated;
