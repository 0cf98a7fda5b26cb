-- Reading the history: who sees which rows of a change, and what is said about them.

-- Whether the caller's policies permit a command with each of these rows, which are given as JSON. `command` is as in
-- pg_policy: r, a, w or d. `is_new` asks about the rows as they are written, otherwise as they are found. Null without a
-- policy.
create function app.permitted(of regclass, command "char", given jsonb[], is_new boolean) returns boolean[]
  language plpgsql stable set search_path = ''
as $$
declare
  condition text;
  answers boolean[];
begin
  select string_agg(format('(%s)', rule), ' or ') into condition
  from (select pg_get_expr(case when is_new then coalesce(p.polwithcheck, p.polqual) else p.polqual end, p.polrelid)
        from pg_catalog.pg_policy p
        where p.polrelid = of and p.polpermissive and p.polcmd in (command, '*')
          and 'authenticated'::regrole = any (p.polroles)) r (rule)
  where rule is not null;
  if condition is null then
    return null;
  end if;
  execute format('select array(select coalesce(%s, false)
                   from unnest($1) with ordinality given_ (given_row, given_place),
                     jsonb_populate_record(null::%s, given_row) %I
                   order by given_place)', condition, of,
                 (select c.relname from pg_catalog.pg_class c where c.oid = of))
    into answers using given;
  return answers;
end
$$;

-- As app.permitted, for one row.
create function app.permits(of regclass, command "char", given jsonb, is_new boolean) returns boolean
  language sql stable set search_path = ''
  return (app.permitted(of, command, array[given], is_new))[1];

-- The rows with these keys, as their owner sees them, and their places in the array, counted from 1; with `is_locked`,
-- until the transaction ends.
create function app.current_rows(of regclass, keys jsonb[], is_locked boolean default false)
  returns table (place bigint, found jsonb)
  language plpgsql security definer set search_path = ''
as $$
begin
  return query execute format(
    'select g.place, to_jsonb(t) from unnest($1) with ordinality g (key, place), jsonb_populate_record(null::%1$s, g.key) k,
       %1$s t where %2$s order by g.place %3$s', of,
    (select string_agg(format('t.%1$I = k.%1$I', name), ' and ') from jsonb_object_keys(keys[1]) name),
    case when is_locked then 'for update of t' else '' end) using keys;
end
$$;

-- As app.current_rows, for one key.
create function app.current_row(of regclass, key jsonb, is_locked boolean default false) returns jsonb
  language sql security definer set search_path = ''
  return (select r.found from app.current_rows(of, array[key], is_locked) r);

-- The last recorded state of a row that was deleted.
create function app.last_row(of text, key_text text) returns jsonb
  language sql stable security definer set search_path = ''
  return (select r.before::jsonb from app.changed_rows r
          where r.table_name = of and r.key = key_text and r.operation = 'delete'
          order by r.position desc limit 1);

-- Whether the caller can read the row in the states before and after a change. Of an update only the changed columns
-- are known: the others are those of the row now, or when it was deleted.
create function app.may_read_row(of text, key text, before text, after text)
  returns boolean language plpgsql set search_path = '' as $$
declare
  records constant regclass := to_regclass(of);
  rest jsonb := '{}';
begin
  if records is null then
    return false;
  end if;
  if before is not null and after is not null then
    rest := coalesce(app.current_row(records, key::jsonb), app.last_row(of, key));
  end if;
  return coalesce((before is null or app.permits(records, 'r', rest || before::jsonb, false))
              and (after is null or app.permits(records, 'r', rest || after::jsonb, false)), false);
end
$$;

-- Which of these rows the caller can read now: their places in the arrays, counted from 1, and their names. `names` has
-- the column with the name of a table's rows, if that is neither name nor title.
create function app.readable_rows(tables text[], keys text[], names text[])
  returns table (place bigint, label text) language plpgsql stable set search_path = '' as $$
declare
  of record;
begin
  for of in
    select app.named_table(t.name) as records, array_agg(t.place) as places, array_agg(t.key::jsonb) as keys,
           (select string_agg(format('t.%I = k.%1$I', key), ' and ')
            from jsonb_object_keys(min(t.key)::jsonb) key) as same,
           (select format('t.%I::text', a.attname) from pg_catalog.pg_attribute a
            where a.attrelid = app.named_table(t.name) and a.attname in (min(t.label), 'name', 'title')
              and not a.attisdropped and has_column_privilege(a.attrelid, a.attnum, 'select')
            order by a.attname <> min(t.label), a.attname limit 1) as label
    from unnest(tables, keys, names) with ordinality t (name, key, label, place)
    group by t.name
  loop
    continue when not coalesce(has_any_column_privilege(of.records, 'select'), false);
    return query execute format(
      'select k.place, %s from (select r.place, p.* from unnest($1, $2) r (place, key), jsonb_populate_record(null::%s, r.key) p) k
       join %2$s t on %s', coalesce(of.label, 'null::text'), of.records, of.same) using of.places, of.keys;
  end loop;
end
$$;

-- The columns of these tables that the caller can read, in the order of the table. Numbers that only order rows and the
-- numbers of transactions are left out.
create function app.readable_columns(tables text[]) returns table (table_name text, columns text[])
  language sql stable set search_path = ''
begin atomic
  select t.name, array_agg(a.attname::text order by a.attnum)
  from unnest(tables) t (name)
  join pg_catalog.pg_attribute a on a.attrelid = app.named_table(t.name)
  where a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attidentity = ''
    and a.atttypid <> 'xid8'::regtype
    and has_column_privilege(a.attrelid, a.attnum, 'select')
  group by t.name;
end;

-- Listing ------------------------------------------------------------------------------------------

-- The entries that have the rows of a change: itself, and the calls of an action.
--
-- The history has a partition for each day. A function of SQL in another's statement is planned at each call with all of
-- them, and so is a join with the parts of a change; both take longer than reading the rows. So these functions are in a
-- language that keeps its plans, and loop over the parts.
create function app.parts(target uuid) returns setof uuid
  language plpgsql stable rows 2 security definer set search_path = '' as $$
begin
  return next target;
  if exists (select from app.changes a where a.id = target and a.is_action) then
    return query select c.id from app.changes c where c.action_id = target;
  end if;
end
$$;

-- The lowest id of an entry of the day before this one: entries that refer to it are not older, whatever the clock of
-- the process that made them.
create function app.day_before(entry uuid) returns uuid language sql immutable strict parallel safe set search_path = ''
  return (lpad(to_hex(greatest(('x' || left(replace(entry::text, '-', ''), 12))::bit(48)::bigint - 86400000, 0)), 12, '0')
          || repeat('0', 20))::uuid;

-- The change that undid this one and is still in effect; null without one. Of an action, the last, if no call is left.
create function app.undone_by(target uuid) returns uuid
  language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  of app.changes;
  undo app.changes;
  since constant uuid := app.day_before(target);
begin
  select c.* into of from app.changes c where c.id = target;
  select u.* into undo from app.changes u
  where u.undoes = any (array[target, of.action_id]) and (u.undoes = target or target = any (u.takes_back)) and u.id >= since
  order by u.created_at desc, u.id desc limit 1;
  return case when undo.id is not null and app.undone_by(undo.id) is null
                and (undo.takes_back is null or not of.is_action or not exists (select from app.calls_in_effect(target)))
              then undo.id end;
end
$$;

-- The calls of an action that were not undone, latest first.
create function app.calls_in_effect(target uuid) returns setof uuid
  language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  since constant uuid := app.day_before(target);
begin
  return query
    with calls as materialized (
      select c.id from app.changes c where c.action_id = target
    ), undos as materialized (
      -- Apart, so that the next condition is asked of these only: it comes back here, and would never end.
      select u.id, u.undoes, u.takes_back from app.changes u
      where u.undoes in (select target union all select c.id from calls c) and u.id >= since
    ), undone as materialized (
      select unnest(u.takes_back || case when u.undoes <> target then u.undoes end) as call
      from undos u where app.undone_by(u.id) is null
    )
    select c.id from calls c where c.id not in (select u.call from undone u where u.call is not null) order by c.id desc;
end
$$;

-- Why the rows of a table are never restored; null for all others.
create function app.lasting(of text) returns text language sql immutable set search_path = ''
  return case
    when of in ('financing.journal_entries', 'financing.journal_lines')
      then 'a posted journal entry is reversed, not undone: use reverse_journal_entry'
    when of = 'staff.invitations' then 'an invitation is not undone: use revoke_invitation or invite_staff'
    when of = 'quiz.attempts' then 'an attempt at a quiz counts and cannot be undone'
    when of = 'quiz.responses' then 'a response is final and cannot be undone'
    when of = 'auth.password_links' then 'a link is not undone: issue another one, which ends it'
  end;

-- The rows that the caller has removed in the last minutes, or since then, at most so many.
create function app.removed_lately(minutes integer, since timestamptz, most bigint) returns bigint
  language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  first constant uuid := app.first_change_id(greatest(now() - make_interval(mins => minutes), since));
begin
  return (select count(*)
          from (select from app.changes c
                join app.changed_rows r on r.change_id = c.id and r.change_id >= first
                where c.organization_id = app.caller_org() and c.account_id = app.caller_id() and c.id >= first
                  and r.operation = 'delete'
                limit most) r);
end
$$;

-- The entries with the rows that an undo of this change takes back: itself, or the latest calls of an action that were not
-- undone, with about 200 rows.
create function app.parts_in_effect(target uuid) returns setof uuid
  language plpgsql stable rows 2 security definer set search_path = '' as $$
declare
  part uuid;
  number bigint := 0;
begin
  if not exists (select from app.changes c where c.id = target and c.is_action) then
    return next target;
    return;
  end if;
  for part in select c from app.calls_in_effect(target) c loop
    return next part;
    number := number + (select count(*) from app.changed_rows r where r.change_id = part);
    exit when number >= 200;
  end loop;
end
$$;

-- The rows of a change, or of the calls of an action; `in_effect`: without those of calls that were undone.
create function app.rows_of(target uuid, in_effect boolean)
  returns table (place bigint, operation text, table_name text, key text, is_direct boolean, is_erased boolean)
  language plpgsql stable rows 10 security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  part uuid;
begin
  for part in select p from app.parts(target) p
              where not in_effect or p = target or p in (select c from app.calls_in_effect(target) c) loop
    return query
      select r.position, r.operation, r.table_name, r.key, r.is_direct, r.before is null and r.after is null
      from app.changed_rows r where r.change_id = part;
  end loop;
end
$$;

-- The number of rows of an action that its next undo leaves for another one; of another change, 0.
create function app.rows_left(target uuid) returns integer
  language plpgsql stable security definer set search_path = '' as $$
declare
  step constant uuid[] := array(select app.parts_in_effect(target));
begin
  return (select count(*) from app.changed_rows r
          where r.change_id = any (array(select c from app.calls_in_effect(target) c where c <> all (step)))
            and r.table_name <> 'webhooks.events');
end
$$;

-- The action of the steps that have undone a part of this one, if the caller has begun it lately.
create function app.action_of_undo(target uuid) returns uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  return (select u.action_id from app.changes u
          where u.undoes = target and u.takes_back is not null and u.account_id = app.caller_id()
            and u.action_id >= app.first_change_id(now() - interval '23 hours') and app.undone_by(u.id) is null
          order by u.id desc limit 1);
end
$$;

-- Why a change can never be undone; null if it can. Later changes do not count. What is final cannot be taken back, but it
-- can come back: a guest who was removed gets the answers again that went along.
create function app.obstacle(target uuid) returns text
  language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  if app.undone_by((select c.action_id from app.changes c where c.id = target)) is not null then
    return 'the action of which this change is a part was already undone';
  elsif app.undone_by(target) is not null then
    return 'this change was already undone';
  end if;
  return (select case
      when count(*) = 0 and app.count_rows(target) > 0 then 'each change of this action was already undone'
      when count(*) = 0 then 'no row of this change is recorded'
      when bool_or(r.is_erased)
        then 'this change is about a person who was deleted: their data was removed from the history'
      else min(app.lasting(r.table_name)) filter (where r.operation <> 'delete')
    end
    from app.rows_of(target, true) r);
end
$$;

-- What a change did, in words: `changed 1 task, added 1 task status change`.
create function app.summary(target uuid) returns text
  language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    with counts as (
      select min(r.place) as place, r.operation, split_part(r.table_name, '.', 2) as records,
             count(distinct r.key) as number, bool_or(r.is_direct) as is_direct
      from app.rows_of(target, false) r
      where r.table_name <> 'webhooks.events'
      group by r.operation, r.table_name
    ), ranked as (
      select c.*, row_number() over (order by c.is_direct desc, c.place) as rank from counts c
    )
    select concat_ws(', ',
      string_agg(case operation when 'insert' then 'added ' when 'update' then 'changed ' else 'removed ' end
                 || app.counted(number, records), ', ' order by rank) filter (where rank <= 3),
      app.counted(nullif(sum(number) filter (where rank > 3), 0)::bigint, 'more_rows'))
    from ranked);
end
$$;

-- The number of rows of a change.
create function app.count_rows(target uuid) returns integer
  language plpgsql stable security definer set search_path = '' as $$
begin
  return (select count(*)::integer from app.rows_of(target, false) r where r.table_name <> 'webhooks.events');
end
$$;

-- The rows of a change that the caller cannot read, counted: they are known, not shown.
create function app.row_counts(target uuid) returns table (table_name text, operation text, number bigint)
  language sql stable security definer set search_path = ''
begin atomic
  select r.table_name, r.operation, count(*) from app.parts(target) p join app.changed_rows r on r.change_id = p
  where r.table_name <> 'webhooks.events'
  group by r.table_name, r.operation;
end;

-- Whether a change has a row of this kind: the singular name of a table, also after that of its schema (staff_user).
create function app.has_kind(target uuid, kind text) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from app.parts(target) p join app.changed_rows r on r.change_id = p
    where kind in (replace(app.singular(split_part(r.table_name, '.', 2)), ' ', '_'),
                   replace(app.singular(replace(r.table_name, '.', '_')), ' ', '_')));
end
$$;

-- The changes of the row with this id, and of rows that link it to others.
create function app.changes_of(record uuid) returns setof uuid language sql stable security definer set search_path = ''
begin atomic
  select r.change_id from app.changed_rows r where r.key = jsonb_build_object('id', record)::text
  union
  select r.change_id from app.changed_rows r
  where r.key not like '{"id"%' and app.key_values(r.key) @> array[record::text];
end;

-- The position of the only row that a call itself wrote; null if it wrote several, or none.
create function app.only_row(target uuid) returns bigint
  language plpgsql stable security definer set search_path = '' as $$
begin
  return (select case when count(*) = 1 then min(r.position) end
          from (select o.position from app.changed_rows o
                where o.change_id = target and o.is_direct and o.table_name <> 'webhooks.events' limit 2) r);
end
$$;

-- A value in a sentence; null for one that says nothing there: an id, a list, a long text.
create function app.said(value jsonb) returns text
  language sql immutable set search_path = ''
  return case
    when jsonb_typeof(value) = 'null' then 'empty'
    when jsonb_typeof(value) in ('object', 'array') or length(value #>> '{}') > 40
      or value #>> '{}' ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then null
    else value #>> '{}' end;

-- What a change of one record did, with up to two values before and after, if the caller can read its row:
-- `changed guest “Ana”: role vip → speaker`. Null for others. A record without a name is of a kind: “added payment”. Of
-- more than two fields the others are counted.
create function app.detail(target uuid) returns text
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

-- The elements of a list, or the keys of an object, in their order.
create function app.items(list jsonb) returns table (item text, place bigint) language sql immutable set search_path = ''
begin atomic
  select e.item, e.place
  from jsonb_array_elements_text(case jsonb_typeof(list) when 'array' then list end) with ordinality e (item, place)
  union all
  select e.item, e.place
  from jsonb_object_keys(case jsonb_typeof(list) when 'object' then list end) with ordinality e (item, place);
end;

-- What a change takes away that its caller may not have meant: three fields or more that it clears, and items of lists that it
-- replaces. `before` and `after` have the fields that it names.
create function app.losses(before jsonb, after jsonb) returns text[] language sql immutable set search_path = ''
return (
  select array_remove(array_agg(l.said order by l.place, l.field), null)
  from (select 0 as place, null as field,
          format('this cleared %s fields: %s; undo_change takes it back', count(*),
            string_agg(format('%s (%s)', replace(b.key, '_', ' '), app.quoted(b.value)), ', ' order by b.key)) as said
        from jsonb_each_text(before) b
        where b.value <> '' and jsonb_typeof(before -> b.key) not in ('array', 'object')
          and jsonb_typeof(after -> b.key) = 'null'
        having count(*) >= 3
        union all
        select 1, b.key,
          format('%s of %s %s are gone: %s; undo_change takes them back', g.gone, s.before, replace(b.key, '_', ' '), g.first)
        from jsonb_each(before) b, lateral (select after -> b.key as value) a,
          lateral (select (select count(*) from app.items(b.value)), (select count(*) from app.items(a.value))) s (before, after),
          lateral (
            select count(*), string_agg(app.quoted(i.item), ', ' order by i.place) filter (where i.nth <= 3)
            from (select i.item, i.place, row_number() over (order by i.place) as nth
                  from app.items(b.value) i where i.item not in (select o.item from app.items(a.value) o)) i) g (gone, first)
        where g.gone > 0) l);

grant execute on function
  app.permitted, app.permits, app.current_rows, app.current_row, app.last_row, app.may_read_row, app.readable_rows,
  app.readable_columns, app.parts, app.day_before, app.undone_by, app.calls_in_effect, app.lasting, app.removed_lately,
  app.parts_in_effect,
  app.rows_left, app.action_of_undo, app.obstacle, app.summary, app.count_rows, app.row_counts, app.has_kind,
  app.changes_of, app.only_row, app.said, app.detail, app.items, app.losses
  to authenticated;
