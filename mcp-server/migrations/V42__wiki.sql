-- The wiki (specification, sections 2, 3 and 4.4).

create table learn.content_types (
  id uuid primary key default gen_random_uuid(),
  slug text not null unique
);
insert into learn.content_types (slug) values ('guide'), ('reference'), ('policy'), ('note');
alter table learn.content_types enable row level security;
alter table learn.content_types force row level security;
create policy read on learn.content_types for select to authenticated using ((select app.caller_is_person()));
grant select on learn.content_types to authenticated;

create function learn.content_type(name text) returns uuid
  language sql stable set search_path = ''
  return (select t.id from learn.content_types t where t.slug = name);
grant execute on function learn.content_type(text) to authenticated;

create table learn.wiki_articles (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  title text not null,
  title_key text generated always as (app.search_key(title)) stored,
  slug text not null constraint "slug must be lower-case letters and digits, joined by '-'"
    check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  content text not null default '',
  excerpt text,
  content_type_id uuid not null default learn.content_type('guide'),
  project_id uuid,
  tags text[] not null default '{}',
  status text not null default 'draft' constraint wiki_articles_status_check
    check (status in ('draft', 'published', 'archived')),
  metadata jsonb not null default '{}' constraint "metadata must be an object"
    check (jsonb_typeof(metadata) = 'object'),
  constraint "metadata must be at most 16384 bytes of JSON as it is stored"
    check (app.is_bounded(metadata)),
  author_id uuid not null default app.caller_id(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint wiki_articles_slug_key unique (organization_id, slug),
  constraint wiki_articles_content_type_id_fkey foreign key (content_type_id) references learn.content_types (id),
  unique (id, organization_id)
);
create index wiki_articles_updated_idx on learn.wiki_articles (organization_id, updated_at desc, id);
create index wiki_articles_title_idx on learn.wiki_articles using gin (title_key extensions.gin_trgm_ops);
create index wiki_articles_content_type_id_idx on learn.wiki_articles (content_type_id);
create trigger default_slug before insert on learn.wiki_articles
  for each row execute function app.default_slug('title', 'organization_id');
create trigger touch before update on learn.wiki_articles for each row execute function app.touch();
-- Archived articles are their author's and the admins'; so is writing.
select app.protect_by('learn.wiki_articles',
  '(select app.caller_is_person()) and status <> ''archived''
   or author_id = (select app.caller_id()) or (select app.caller_is_admin())',
  '(select app.caller_is_person())
   and (author_id = (select app.caller_id()) or (select app.caller_is_admin()))');

-- The parent is an article, and no way leads from it back. Writers of one organisation's tree come one after
-- the other, so that two who each write half of a cycle do not close it. A parent that stays is not looked at:
-- a rename leaves children alone.
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
  perform pg_advisory_xact_lock(hashtextextended(new.organization_id::text, 42));
  if tg_op = 'INSERT' or parent is distinct from old.metadata ->> 'parent_slug' then
    if parent = new.slug or not exists (
      select from learn.wiki_articles a where a.organization_id = new.organization_id and a.slug = parent
    ) then
      raise check_violation using constraint = case when parent = new.slug
        then 'metadata.parent_slug must not be the article itself'
        else 'metadata.parent_slug is no article: ' || parent end;
    end if;
  end if;
  if exists (
    with recursive above (slug) as (
      select parent
      union
      select a.metadata ->> 'parent_slug' from above b
      join learn.wiki_articles a on a.slug = b.slug and a.organization_id = new.organization_id
      where a.id <> new.id
    )
    select from above where slug = new.slug
  ) then
    raise check_violation using constraint = 'metadata.parent_slug would close a cycle through ' || parent;
  end if;
  return new;
end
$$;
grant execute on function learn.check_parent() to authenticated;
create trigger parent_is_checked before insert or update on learn.wiki_articles
  for each row when (current_user = 'authenticated') execute function learn.check_parent();

-- Merged shallowly: given keys win, a null removes its key.
create function app.merged(before jsonb, given jsonb) returns jsonb
  language sql immutable strict parallel safe set search_path = ''
  return coalesce((select jsonb_object_agg(e.key, e.value) from jsonb_each(before || given) e
                   where not (given ? e.key and e.value = 'null'::jsonb)), '{}');
grant execute on function app.merged(jsonb, jsonb) to authenticated;

-- No tool deletes these.
revoke delete on learn.cohorts, learn.cohort_members, learn.tutor_profiles, learn.lesson_progress,
  learn.milestone_completions, learn.wiki_articles from authenticated;
