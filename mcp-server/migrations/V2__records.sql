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

-- Refuses to delete a row that others refer to, and lists them. The arguments are pairs: a table whose rows have a
-- name, and its column with the id.
create function app.refuse_while_in_use() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  many bigint;
  names text;
  found text[] := '{}';
begin
  for pair in 0 .. tg_nargs / 2 - 1 loop
    execute format(
      'select count(*), string_agg(quoted, '', '' order by place) filter (where place <= 5)
       from (select ''“'' || name || ''”'' as quoted, row_number() over (order by name, id) as place
             from %s where %I = $1) t', tg_argv[2 * pair], tg_argv[2 * pair + 1])
      into many, names using old.id;
    if many > 0 then
      found := found || format('%s %s (%s%s)', many,
        case when many = 1 then app.singular(split_part(tg_argv[2 * pair], '.', 2))
             else split_part(tg_argv[2 * pair], '.', 2) end,
        names, case when many > 5 then format(' and %s more', many - 5) else '' end);
    end if;
  end loop;
  if found <> '{}' then
    raise restrict_violation using constraint = 'in_use', message =
      format('this %s has %s; nothing was deleted', app.singular(tg_table_name), array_to_string(found, ' and '));
  end if;
  return old;
end
$$;

grant execute on function
  app.is_bounded(jsonb), app.is_bounded(jsonb, integer), app.is_distinct(text[]), app.merged(jsonb, jsonb), app.touch(),
  app.singular(text), app.refuse_while_in_use()
  to authenticated;
