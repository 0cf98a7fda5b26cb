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

call app.make_searchable('learn.wiki_articles', 't.title_key like pattern');

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
        else app.quoted(parent) || ' is not an article: give the slug of an existing one' end;
    end if;
  end if;
  if learn.closes_cycle(new.id, new.organization_id, new.slug, parent) then
    raise check_violation using
      column = 'metadata.parent_slug', message = 'would close a cycle through ' || app.quoted(parent);
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
grant execute on function learn.closes_cycle, learn.check_parent to authenticated;
