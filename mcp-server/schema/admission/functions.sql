-- The right to write, asked before the content of what is written has been read.

-- Refuses the caller unless a policy lets them add a row to this table. Rules about the row's own columns count as kept,
-- because the row is not known yet.
create function app.admit_to_add(records regclass) returns void
  language plpgsql stable set search_path = ''
as $$
declare
  rules text;
  is_permitted boolean := false;
begin
  select string_agg(format('coalesce((%s), true)', pg_get_expr(p.polwithcheck, p.polrelid)), ' or ') into rules
  from pg_catalog.pg_policy p
  where p.polrelid = records and p.polpermissive and p.polcmd in ('a', '*') and p.polwithcheck is not null
    and 'authenticated'::regrole = any (p.polroles);
  if rules is not null and app.caller_org() is not null and app.caller_role() is not null
    and has_any_column_privilege(records, 'insert') then
    execute format('select %s from jsonb_populate_record(null::%s, $1) %I', rules, records,
                   (select c.relname from pg_catalog.pg_class c where c.oid = records))
      into is_permitted using jsonb_build_object('organization_id', app.caller_org());
  end if;
  if not is_permitted then
    raise insufficient_privilege;
  end if;
end
$$;

-- Refuses the caller unless a policy lets them change the row with this key. False if they see no such row.
create function app.admit_to_change(records regclass, key jsonb) returns boolean
  language plpgsql stable set search_path = ''
as $$
declare
  found jsonb;
begin
  execute format('select to_jsonb(t) from %1$s t, jsonb_populate_record(null::%1$s, $1) k where %2$s', records,
                 (select string_agg(format('t.%1$I = k.%1$I', name), ' and ') from jsonb_object_keys(key) name))
    into found using key;
  if found is null then
    return false;
  end if;
  if not coalesce(app.permits(records, 'w', found, true), false) then
    raise insufficient_privilege;
  end if;
  return true;
end
$$;

grant execute on function app.admit_to_add, app.admit_to_change to authenticated;
