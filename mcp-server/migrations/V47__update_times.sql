-- When events, their tasks, epics and plans were last changed, as for tasks; and why a record is not found.

-- Sets the time of an update that changes something. Generated columns follow from others, and are computed later.
create or replace function app.touch() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  generated constant text[] := array(select a.attname::text from pg_catalog.pg_attribute a
                                     where a.attrelid = tg_relid and a.attgenerated <> '' and not a.attisdropped);
begin
  if to_jsonb(new) - generated is distinct from to_jsonb(old) - generated then
    new.updated_at := now();
  end if;
  return new;
end
$$;

do $$
declare
  records regclass;
begin
  foreach records in array array['events.events', 'events.tasks', 'work.epics', 'plans.plans']::regclass[] loop
    execute format('alter table %s add column updated_at timestamptz', records);
    execute format('update %s set updated_at = created_at', records);
    execute format('alter table %s alter column updated_at set default now(), alter column updated_at set not null', records);
    execute format('create trigger touch before update on %s for each row execute function app.touch()', records);
    call app.leave_out_when_restoring(records, 'touch');
  end loop;
end
$$;

-- Why a caller finds no record of this kind with this id: it is the id of another kind, or of no record that they see.
create function app.explain_id(field text, wanted text, value uuid) returns text
  language plpgsql stable set search_path = ''
as $$
declare
  other record;
  is_there boolean;
begin
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
grant execute on function app.explain_id(text, text, uuid) to authenticated;

create or replace function app.explain_reference(records regclass, field text, value uuid) returns text
  language plpgsql stable set search_path = ''
as $$
declare
  target regclass;
  wanted text;
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
  return case when not is_there then app.explain_id(field, wanted, value) end;
end
$$;
