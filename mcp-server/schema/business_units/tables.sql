-- Business units (specification, section 4.5), for the finance, admin and owner roles.

create schema strategy authorization frontdesk_owner;
grant usage on schema strategy to authenticated;

create table strategy.business_units (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  name text not null,
  name_key text generated always as (app.search_key(name)) stored,
  profile_image_url text,
  tags text[] default '{}',
  created_at timestamptz not null default now(),
  unique (id, organization_id)
);
-- The order of the list.
create index business_units_name_idx on strategy.business_units (organization_id, name_key, id);

create trigger refuse_while_in_use before delete on strategy.business_units
  for each row when (current_setting('app.restoring', true) is distinct from 'on')
  execute function app.refuse_while_in_use();
