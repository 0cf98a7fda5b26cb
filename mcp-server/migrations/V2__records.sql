-- What tables have in common: limits of free-form fields, and triggers.

-- The size of a free-form field is limited as it is stored: a number such as 1e-300 takes six bytes in a request and
-- three hundred in an answer, and a merge adds to the stored value. The catalogue's test requires this check for
-- every jsonb column.
create function app.is_bounded(value jsonb) returns boolean
  language sql immutable parallel safe
  return octet_length(value::text) <= 16384;

-- The same with another limit.
create function app.is_bounded(value jsonb, most integer) returns boolean
  language sql immutable parallel safe
  return octet_length(value::text) <= most;

-- Whether each text is listed once.
create function app.is_distinct(texts text[]) returns boolean
  language sql immutable parallel safe set search_path = ''
  return cardinality(texts) = (select count(distinct one) from unnest(texts) one);

-- A shallow merge: given keys win, and a null removes its key.
create function app.merged(before jsonb, given jsonb) returns jsonb
  language sql immutable strict parallel safe set search_path = ''
  return coalesce((select jsonb_object_agg(e.key, e.value) from jsonb_each(before || given) e
                   where not (given ? e.key and e.value = 'null'::jsonb)), '{}');

-- Sets the time of an update.
create function app.touch() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end
$$;

-- A record of the kind after which a table is named.
create function app.singular(records text) returns text
  language sql immutable strict parallel safe set search_path = ''
  return replace(regexp_replace(regexp_replace(records, 'ies$', 'y'), 's$', ''), '_', ' ');

-- Refuses to delete a row that others refer to, and lists those that the caller sees. PostgreSQL refuses the rest.
create function app.refuse_while_in_use() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  reference record;
  many bigint;
  names text;
  found text[] := '{}';
begin
  for reference in
    select f.conrelid::regclass as records, c.relname::text as kind, a.attname as field,
           (select l.attname from pg_attribute l
            where l.attrelid = f.conrelid and l.attname in ('name', 'title') order by l.attname limit 1) as label
    from pg_constraint f
    join pg_class c on c.oid = f.conrelid
    join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
    where f.confrelid = tg_relid and f.contype = 'f' and f.confdeltype in ('a', 'r')
      and has_table_privilege(f.conrelid, 'select')
    order by c.relname, a.attname
  loop
    execute format(
      'select count(*), string_agg(''“'' || label || ''”'', '', '' order by place) filter (where place <= 5)
       from (select label, row_number() over (order by label) as place
             from (select %s as label from %s where %I = $1) referring) numbered',
      coalesce(quote_ident(reference.label), 'null::text'), reference.records, reference.field)
      into many, names using old.id;
    if many > 0 then
      found := found || concat(many, ' ',
        case when many = 1 then app.singular(reference.kind) else replace(reference.kind, '_', ' ') end,
        ' (' || names || case when many > 5 then format(' and %s more', many - 5) else '' end || ')');
    end if;
  end loop;
  if found <> '{}' then
    raise restrict_violation using message = format('this %s still has %s', app.singular(tg_table_name),
      concat_ws(' and ', nullif(array_to_string(trim_array(found, 1), ', '), ''), found[cardinality(found)]));
  end if;
  return old;
end
$$;

grant execute on function
  app.is_bounded(jsonb), app.is_bounded(jsonb, integer), app.is_distinct(text[]), app.merged(jsonb, jsonb), app.touch(),
  app.singular(text), app.refuse_while_in_use()
  to authenticated;
