-- The skills host: a catalogue of skills, each with all its versions. docs/access.md lists the rights.

create schema skills authorization frontdesk_owner;
grant usage on schema skills to authenticated;

-- The current version of a skill.
create table skills.skills (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  title text not null,
  description text not null,
  body text not null,
  found_by text generated always as (app.search_key(title || ' ' || slug || ' ' || description)) stored,
  version integer not null default 1,
  published_by uuid default app.caller_id(),
  published_at timestamptz not null default now(),
  retired_at timestamptz,
  created_at timestamptz not null default now(),
  constraint skills_slug_key unique (organization_id, slug),
  unique (id, organization_id)
);
create index skills_listed_idx on skills.skills (organization_id, found_by, id);

-- All published versions.
create table skills.versions (
  skill_id uuid not null,
  organization_id uuid not null,
  version integer not null,
  title text not null,
  description text not null,
  body text not null,
  published_by uuid,
  published_at timestamptz not null,
  primary key (skill_id, organization_id, version),
  constraint versions_skill_id_fkey foreign key (skill_id, organization_id)
    references skills.skills (id, organization_id)
);

select app.protect('skills.skills', reads => '{owner,admin,staff,teacher,finance,automation,fellow}',
  writes => '{owner,admin,staff,teacher}');
select app.protect('skills.versions', reads => '{owner,admin,staff,teacher,finance,automation,fellow}', writes => '{}');
-- Only the trigger below writes versions; skills are retired instead of deleted.
revoke insert, update, delete on skills.versions from authenticated;
revoke delete on skills.skills from authenticated;

-- A changed text is a new version, an equal one is not. The owner loads the demo with versions of long ago.
create function skills.count_version() returns trigger language plpgsql set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    new.version := 1;
  elsif (new.title, new.description, new.body) is distinct from (old.title, old.description, old.body) then
    new.version := old.version + 1;
    new.published_by := app.caller_id();
    new.published_at := now();
  else
    new.version := old.version;
  end if;
  return new;
end
$$;
create trigger count_version before insert or update on skills.skills
  for each row when (current_user = 'authenticated') execute function skills.count_version();

create function skills.keep_version() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into skills.versions (skill_id, organization_id, version, title, description, body, published_by, published_at)
  values (new.id, new.organization_id, new.version, new.title, new.description, new.body, new.published_by,
          new.published_at)
  on conflict do nothing;
  return null;
end
$$;
create trigger keep_version after insert or update on skills.skills
  for each row when (current_setting('app.restoring', true) is distinct from 'on')
  execute function skills.keep_version();
