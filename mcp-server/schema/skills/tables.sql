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
