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

-- The roles that see business units see and change their canvas.
select app.protect('strategy.canvas_blocks', reads => '{owner,admin,finance}', writes => '{owner,admin,finance}');
select app.protect('strategy.personas',
  reads => '{owner,admin,staff,teacher,finance}', writes => '{owner,admin,staff}');
select app.protect('strategy.competitors',
  reads => '{owner,admin,staff,teacher,finance}', writes => '{owner,admin,staff}');
-- No tool deletes these.
revoke delete on strategy.canvas_blocks from authenticated;

create trigger touch before update on strategy.canvas_blocks
  for each row when (current_setting('app.restoring', true) is distinct from 'on') execute function app.touch();

-- Sets the entries of a block. Of two callers who read the same version, the second is refused. A block that was never
-- written has version 0. For a business unit that the caller does not see, the answer is the same for each version.
create function strategy.set_block(unit uuid, part text, based_on integer, entries text[])
  returns setof strategy.canvas_blocks language plpgsql set search_path = '' as $$
declare
  current strategy.canvas_blocks;
begin
  select * into current from strategy.canvas_blocks b where b.business_unit_id = unit and b.block = part for update;
  if coalesce(current.version, 0) <> based_on then
    if not exists (select from strategy.business_units u where u.id = unit) then
      raise foreign_key_violation using table = 'canvas_blocks', constraint = 'canvas_blocks_business_unit_id_fkey';
    end if;
    raise unique_violation using column = 'version',
      message = format('the current version is %s: read the canvas again', coalesce(current.version, 0));
  elsif current.version is null then
    return query insert into strategy.canvas_blocks (business_unit_id, block, items) values (unit, part, entries)
      on conflict do nothing returning *;
    if not found then
      raise unique_violation using column = 'version', message = 'the current version is 1: read the canvas again';
    end if;
  else
    return query update strategy.canvas_blocks b
      set items = entries, version = b.version + (b.items is distinct from entries)::integer
      where b.business_unit_id = unit and b.block = part returning b.*;
  end if;
end
$$;

grant execute on function strategy.set_block to authenticated;
