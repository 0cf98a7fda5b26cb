-- Explanations of empty results.

-- What is wrong with an id as the value of a field: null if the field refers to nothing, or to a record that the caller
-- sees.
create function app.explain_reference(records regclass, field text, value uuid) returns text
  language plpgsql stable set search_path = ''
as $$
declare
  target regclass;
  wanted text;
  other record;
  is_there boolean;
begin
  select f.confrelid::regclass, app.singular(c.relname::text) into target, wanted
  from pg_constraint f
  join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
  join pg_class c on c.oid = f.confrelid
  where f.conrelid = records and f.contype = 'f' and a.attname = field and has_table_privilege(f.confrelid, 'select')
  limit 1;
  if target is null then
    return null;
  end if;
  execute format('select exists (select from %s where id = $1)', target) into is_there using value;
  if is_there then
    return null;
  end if;
  for other in
    select c.oid::regclass as records, app.singular(c.relname::text) as kind
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'id' and a.atttypid = 'uuid'::regtype
    where c.relkind = 'r' and has_schema_privilege(c.relnamespace, 'usage') and has_table_privilege(c.oid, 'select')
    order by c.relname, c.oid
  loop
    execute format('select exists (select from %s where id = $1)', other.records) into is_there using value;
    if is_there then
      if other.records in ('learn.profiles'::regclass, 'staff.users'::regclass) then
        other.kind := 'account';
      end if;
      return format('%s is the id of another kind of record: %s instead of %s', field, other.kind, wanted)
        || coalesce((select format('; the member of this account is %s', p.member_id)
                     from learn.profiles p where p.id = value and p.member_id is not null and wanted = 'member'), '');
    end if;
  end loop;
  return format('no %s that you can see has this %s', wanted, field);
end
$$;
grant execute on function app.explain_reference(regclass, text, uuid) to authenticated;
