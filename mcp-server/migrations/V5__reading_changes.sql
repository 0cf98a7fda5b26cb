-- Reading the history: who sees which rows of a change, and what is said about them.

-- Access -------------------------------------------------------------------------------------------

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

-- Entries are never changed. Owners and global admins read those of their organisation, others their own.
select app.secure('app.changes');
create policy read on app.changes for select to authenticated
  using (organization_id = (select app.caller_org())
    and ((select app.caller_is_admin()) or account_id = (select app.caller_id())));
grant select on app.changes to authenticated;

-- Of the entries that the caller reads, the rows that the caller can read. The function comes last: it costs the most.
select app.secure('app.changed_rows');
create policy read on app.changed_rows for select to authenticated
  using (case when exists (select from app.changes c where c.id = change_id)
              then app.may_read_row(table_name, key, before, after) else false end);
grant select on app.changed_rows to authenticated;

-- Which of these rows the caller can read now: their places in the arrays, counted from 1, and their names. `names` has
-- the column with the name of a table's rows, if that is neither name nor title.
create function app.readable_rows(tables text[], keys text[], names text[])
  returns table (place bigint, label text) language plpgsql stable set search_path = '' as $$
declare
  of record;
begin
  for of in
    select to_regclass(t.name) as records, array_agg(t.place) as places, array_agg(t.key::jsonb) as keys,
           (select string_agg(format('t.%I = k.%1$I', key), ' and ')
            from jsonb_object_keys(min(t.key)::jsonb) key) as same,
           (select format('t.%I::text', a.attname) from pg_catalog.pg_attribute a
            where a.attrelid = to_regclass(t.name) and a.attname in (min(t.label), 'name', 'title')
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
  join pg_catalog.pg_attribute a on a.attrelid = to_regclass(t.name)
  where a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attidentity = ''
    and a.atttypid <> 'xid8'::regtype
    and has_column_privilege(a.attrelid, a.attnum, 'select')
  group by t.name;
end;

-- Listing ------------------------------------------------------------------------------------------

-- The entries that have the rows of a change: itself, and the calls of an action.
create function app.parts(target uuid) returns setof uuid
  language sql stable rows 2 security definer set search_path = ''
begin atomic
  select target
  union all
  select c.id from app.changes a join app.changes c on c.action_id = a.id where a.id = target and a.is_action;
end;

-- The change that undid this one and is still in effect; null without one.
create function app.undone_by(target uuid)
  returns uuid language plpgsql stable security definer set search_path = '' as $$
declare
  undo uuid;
begin
  select c.id into undo from app.changes c where c.undoes = target order by c.created_at desc, c.id desc limit 1;
  return case when undo is not null and app.undone_by(undo) is null then undo end;
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
  end;

-- As app.parts, without the calls of an action that were undone by themselves.
create function app.parts_in_effect(target uuid) returns setof uuid
  language sql stable rows 2 security definer set search_path = ''
begin atomic
  select p from app.parts(target) p where p = target or app.undone_by(p) is null;
end;

-- Why a change can never be undone; null if it can. Later changes do not count.
create function app.obstacle(target uuid) returns text
  language sql stable security definer set search_path = ''
  return (select case
      when app.undone_by(target) is not null then 'this change was already undone'
      when app.undone_by((select c.action_id from app.changes c where c.id = target)) is not null
        then 'the action of which this change is a part was already undone'
      when count(r) = 0 and count(p) > 1 then 'each change of this action was already undone'
      when count(r) = 0 then 'no row of this change is recorded'
      when count(r) filter (where r.before is null and r.after is null) > 0
        then 'this change is about a person who was deleted: their data was removed from the history'
      else min(app.lasting(r.table_name))
    end
    from app.parts_in_effect(target) p left join app.changed_rows r on r.change_id = p);

-- What a change did, in words: `changed 1 task, added 1 task status change`.
create function app.summary(target uuid) returns text
  language sql stable security definer set search_path = ''
begin atomic
  with counts as (
    select min(r.position) as place, r.operation, split_part(r.table_name, '.', 2) as records,
           count(distinct r.key) as number, bool_or(r.is_direct) as is_direct
    from app.parts(target) p join app.changed_rows r on r.change_id = p
    where r.table_name <> 'webhooks.events'
    group by r.operation, r.table_name
  ), ranked as (
    select c.*, row_number() over (order by c.is_direct desc, c.place) as rank from counts c
  )
  select concat_ws(', ',
    string_agg(case operation when 'insert' then 'added ' when 'update' then 'changed ' else 'removed ' end
               || app.counted(number, records), ', ' order by rank) filter (where rank <= 3),
    app.counted(nullif(sum(number) filter (where rank > 3), 0)::bigint, 'more_rows'))
  from ranked;
end;

create function app.count_rows(target uuid) returns integer
  language sql stable security definer set search_path = ''
  return (select count(*)::integer from app.parts(target) p join app.changed_rows r on r.change_id = p
          where r.table_name <> 'webhooks.events');

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
  language sql stable security definer set search_path = ''
  return exists (
    select from app.parts(target) p join app.changed_rows r on r.change_id = p
    where kind in (replace(app.singular(split_part(r.table_name, '.', 2)), ' ', '_'),
                   replace(app.singular(replace(r.table_name, '.', '_')), ' ', '_')));

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
  language sql stable security definer set search_path = ''
  return (select case when count(*) = 1 then min(r.position) end
          from (select o.position from app.changed_rows o
                where o.change_id = target and o.is_direct and o.table_name <> 'webhooks.events' limit 2) r);

-- A value in a sentence; null for one that says nothing there: an id, a list, a long text.
create function app.said(value jsonb) returns text
  language sql immutable set search_path = ''
  return case
    when jsonb_typeof(value) = 'null' then 'empty'
    when jsonb_typeof(value) in ('object', 'array') or length(value #>> '{}') > 40
      or value #>> '{}' ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then null
    else value #>> '{}' end;

-- What a change of one record did, with up to two values before and after, if the caller can read its row:
-- `changed guest “Ana”: role vip → speaker`. Null for others, and without a name.
create function app.detail(target uuid) returns text
  language plpgsql stable set search_path = ''
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
             app.said(of.before -> e.name) || ' → ' || app.said(of.after -> e.name)), ', ' order by e.place) into fields
    from (select name, row_number() over (order by name) as place
          from jsonb_object_keys(of.after) name where name <> 'updated_at') e
    where e.place <= 2;
  end if;
  return case of.operation when 'insert' then 'added ' when 'update' then 'changed ' else 'removed ' end
    || concat_ws(': ', app.singular(split_part(of.table_name, '.', 2)) || ' “' || label || '”', fields);
end
$$;

grant execute on function
  app.permitted, app.permits, app.current_rows, app.current_row, app.last_row, app.may_read_row, app.readable_rows,
  app.readable_columns, app.parts, app.undone_by, app.lasting, app.obstacle, app.summary, app.count_rows,
  app.row_counts, app.has_kind, app.changes_of, app.only_row, app.said, app.detail
  to authenticated;
