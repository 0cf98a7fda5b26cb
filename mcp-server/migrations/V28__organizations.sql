-- Organisations have a slug for their public addresses, can be renamed, and can be removed.

alter table app.organizations
  add column slug text,
  -- A removed organisation has no accounts. Its records stay.
  add column removed_at timestamptz;

-- A slug made from the name that no organisation has.
create function app.free_slug(name text) returns text
  language plpgsql stable security definer set search_path = ''
as $$
declare
  base constant text := coalesce(nullif(trim('-' from left(app.slug(name), 50)), ''), 'organisation');
  free text := base;
begin
  for number in 2 .. 1000 loop
    exit when not exists (select from app.organizations o where o.slug = free);
    free := base || '-' || number;
  end loop;
  return free;
end
$$;

create function app.slug_of_organization() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  -- Two organisations of one name that are created at once get different slugs.
  perform pg_advisory_xact_lock(hashtext('app.organizations.slug'));
  new.slug := app.free_slug(new.name);
  return new;
end
$$;
create trigger default_slug before insert on app.organizations
  for each row when (new.slug is null) execute function app.slug_of_organization();

do $$
declare
  organization record;
begin
  for organization in select o.id, o.name from app.organizations o order by o.created_at, o.id loop
    update app.organizations o set slug = app.free_slug(organization.name) where o.id = organization.id;
  end loop;
end
$$;
alter table app.organizations
  alter column slug set not null,
  add constraint organizations_slug_key unique (slug),
  add constraint organizations_slug_check
    check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 60);

-- Owners rename their organisation.
create policy change on app.organizations for update to authenticated
  using (id = (select app.caller_org()))
  with check (id = (select app.caller_org()) and (select app.caller_role()) = 'owner');
grant update (name, slug) on app.organizations to authenticated;

-- Public wikis -------------------------------------------------------------------------------------

-- A reader's transaction: at this organisation.
create or replace function app.enter_public(organization uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
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
grant execute on function app.wikis(text) to anonymous;
