-- The strategy host: business models, personas and competitors. docs/access.md lists the rights.

-- A block of the Business Model Canvas of a business unit: a canvas has nine.
create table strategy.canvas_blocks (
  business_unit_id uuid not null,
  organization_id uuid not null default app.caller_org(),
  block text not null check (block in (
    'key_partners', 'key_activities', 'key_resources', 'value_propositions', 'customer_relationships', 'channels',
    'customer_segments', 'cost_structure', 'revenue_streams')),
  items text[] not null,
  updated_at timestamptz not null default now(),
  -- The version that a change is based on.
  version integer not null default 1,
  primary key (business_unit_id, organization_id, block),
  constraint canvas_blocks_business_unit_id_fkey foreign key (business_unit_id, organization_id)
    references strategy.business_units (id, organization_id) on delete cascade
);

create table strategy.personas (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  business_unit_id uuid,
  name text not null,
  summary text,
  goals text[] not null default '{}',
  pains text[] not null default '{}',
  found_by text generated always as (app.search_key(name || ' ' || coalesce(summary, ''))) stored,
  created_at timestamptz not null default now(),
  constraint personas_business_unit_id_fkey foreign key (business_unit_id, organization_id)
    references strategy.business_units (id, organization_id)
);
create index personas_business_unit_id_idx on strategy.personas (business_unit_id, organization_id);
create index personas_listed_idx on strategy.personas (organization_id, found_by, id);

create table strategy.competitors (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  business_unit_id uuid,
  name text not null,
  website text,
  strengths text[] not null default '{}',
  weaknesses text[] not null default '{}',
  notes text,
  found_by text generated always as (app.search_key(name || ' ' || coalesce(notes, ''))) stored,
  created_at timestamptz not null default now(),
  constraint competitors_business_unit_id_fkey foreign key (business_unit_id, organization_id)
    references strategy.business_units (id, organization_id)
);
create index competitors_business_unit_id_idx on strategy.competitors (business_unit_id, organization_id);
create index competitors_listed_idx on strategy.competitors (organization_id, found_by, id);

create trigger touch before update on strategy.canvas_blocks
  for each row when (current_setting('app.restoring', true) is distinct from 'on') execute function app.touch();
