-- Business units as a resource of the Work host (specification, section 4.5).

-- Protects a table whose rows belong to an organisation: these conditions say who reads a row of it, and who adds,
-- changes and deletes it. A row that is visible but not writable is refused (42501), an invisible one is not found.
create function app.protect_by(of regclass, reads text, writes text, organization text default 'organization_id')
  returns void
  language plpgsql set search_path = ''
as $$
declare
  ours constant text := format('%I = (select app.caller_org())', organization);
begin
  execute format('alter table %s enable row level security', of);
  execute format('alter table %s force row level security', of);
  execute format('grant select, insert, update, delete on %s to authenticated', of);
  execute format('create policy read on %s for select to authenticated using (%s and (%s))', of, ours, reads);
  execute format('create policy add on %s for insert to authenticated with check (%s and (%s))', of, ours, writes);
  execute format('create policy write on %s for update to authenticated using (%s and (%s)) with check (%s and (%s))',
                 of, ours, reads, ours, writes);
  execute format('create policy remove on %s for delete to authenticated using (%s and (%s))', of, ours, writes);
end
$$;

-- The same where the caller's role alone decides.
create function app.protect(of regclass, reads text[], writes text[]) returns void
  language sql set search_path = ''
as $$
  select app.protect_by(of, format('(select app.caller_role()) = any (%L)', reads),
                        format('(select app.caller_role()) = any (%L)', writes))
$$;

alter table strategy.business_units
  alter column organization_id set default app.caller_org(),
  -- Null is as good as none.
  alter column tags drop not null,
  add column name_key text generated always as (app.search_key(name)) stored;
-- The order of the list.
create index business_units_name_idx on strategy.business_units (organization_id, name_key, id);
drop index strategy.business_units_organization_id_idx;

drop policy read on strategy.business_units;
select app.protect('strategy.business_units',
  reads => '{owner,admin,finance}', writes => '{owner,admin,finance}');
