-- “1 dispatch” of dispatches.
create or replace function app.singular(records text) returns text
  language sql immutable strict parallel safe set search_path = ''
  return replace(regexp_replace(regexp_replace(regexp_replace(records,
    'ies$', 'y'), '(?:z?([xz])|([cs]h))es$', '\1\2'), '([^s])s$', '\1'), '_', ' ');

-- A record without a name is still of a kind: “added payment”. Of more than two fields the others are counted.
create or replace function app.detail(target uuid) returns text
  language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan
as $$
declare
  of record;
  label text;
  fields text;
begin
  select r.table_name, r.key, r.operation, r.before::jsonb as before, r.after::jsonb as after into of
  from app.changed_rows r where r.change_id = target and r.position = app.only_row(target);
  if not found then
    return null;
  end if;
  label := coalesce(coalesce(of.after, of.before) ->> 'name', coalesce(of.after, of.before) ->> 'title',
    (select r.label from app.readable_rows(array[of.table_name], array[of.key], array[null::text]) r));
  if of.operation = 'update' then
    select string_agg(concat_ws(' ', replace(e.name, '_', ' '),
             app.said(of.before -> e.name) || ' → ' || app.said(of.after -> e.name)), ', ' order by e.place)
               filter (where e.place <= 2)
           || case when count(*) > 2 then format(' and %s more', count(*) - 2) else '' end into fields
    from (select name, row_number() over (order by name) as place
          from jsonb_object_keys(of.after) name where name <> 'updated_at') e;
  end if;
  return case of.operation when 'insert' then 'added ' when 'update' then 'changed ' else 'removed ' end
    || concat_ws(': ', concat_ws(' ', app.singular(split_part(of.table_name, '.', 2)), app.quoted(label)), fields);
end
$$;
