-- The wiki (specification, sections 2, 3 and 4.4).

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

create trigger default_slug before insert on learn.wiki_articles
  for each row execute function app.default_slug('title', 'organization_id', 'article');
create trigger touch before update on learn.wiki_articles
  for each row when (current_setting('app.restoring', true) is distinct from 'on') execute function app.touch();

grant execute on function learn.content_type to authenticated;
