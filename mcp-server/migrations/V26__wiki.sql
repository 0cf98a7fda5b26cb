-- The wiki (specification, sections 2, 3 and 4.4).

-- Tables -------------------------------------------------------------------------------------------

create table learn.content_types (
  id uuid primary key default app.new_id(),
  slug text not null unique
);
insert into learn.content_types (slug) values ('guide'), ('reference'), ('policy'), ('note');

create function learn.content_type(name text) returns uuid language sql stable set search_path = ''
  return (select t.id from learn.content_types t where t.slug = name);

create table learn.wiki_articles (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  title text not null,
  title_key text generated always as (app.search_key(title)) stored,
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  content text not null default '',
  excerpt text,
  content_type_id uuid not null default learn.content_type('guide'),
  project_id uuid,
  tags text[] not null default '{}',
  status text not null default 'draft' check (status in ('draft', 'published', 'archived')),
  metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object'),
  constraint wiki_articles_metadata_size_check check (app.is_bounded(metadata)),
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

-- Begins the transaction of a reader who is not signed in, at this organisation.
create function app.enter_public(organization uuid)
  returns void language plpgsql security definer set search_path = '' as $$
begin
  perform set_config('app.organization_id', coalesce((
    select o.id::text from app.organizations o where o.id = organization and o.removed_at is null), ''), true);
end
$$;

-- The organisation with this slug. Without a slug: the only organisation, or those that have published an article.
create function app.wikis(wanted text)
  returns table (id uuid, slug text, name text, is_only boolean, has_articles boolean)
  language sql stable security definer set search_path = ''
begin atomic
  select o.id, o.slug, o.name, c.number = 1, p.has_articles
  from app.organizations o
  cross join (select count(*) as number from app.organizations x where x.removed_at is null) c
  cross join lateral (select exists (
    select from learn.wiki_articles a where a.organization_id = o.id and a.status = 'published') as has_articles) p
  where o.removed_at is null
    and case when wanted is null then c.number = 1 or p.has_articles else o.slug = wanted end
  order by lower(o.name), o.id
  limit 500;
end;

-- Functions and triggers ---------------------------------------------------------------------------

call app.make_searchable('learn.wiki_articles', 't.title_key like pattern');

create trigger default_slug before insert on learn.wiki_articles
  for each row execute function app.default_slug('title', 'organization_id', 'article');
create trigger touch before update on learn.wiki_articles
  for each row when (current_setting('app.restoring', true) is distinct from 'on') execute function app.touch();

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
create function learn.check_parent() returns trigger language plpgsql set search_path = '' as $$
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

create function learn.check_restored_parent()
  returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if learn.closes_cycle(new.id, new.organization_id, new.slug, new.metadata ->> 'parent_slug') then
    raise unique_violation using column = 'change_id', message = 'the article would close a cycle of parents';
  end if;
  return null;
end
$$;
create constraint trigger check_restored after insert or update on learn.wiki_articles deferrable initially deferred
  for each row when (current_setting('app.restoring', true) is not distinct from 'on'
    and new.metadata ->> 'parent_slug' is not null)
  execute function learn.check_restored_parent();

grant execute on function app.enter_public, app.wikis to anonymous;
grant execute on function learn.content_type, learn.closes_cycle, learn.check_parent to authenticated;
