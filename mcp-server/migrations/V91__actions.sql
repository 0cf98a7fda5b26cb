-- An action: several calls that are one row of the history, and are undone together. It has an entry of its own without
-- rows, and the entries of its calls name it.
alter table app.changes add column action_id uuid;
alter table app.changes add column is_action boolean not null default false;
create index changes_action_id_idx on app.changes (action_id) where action_id is not null;

-- Writing ------------------------------------------------------------------------------------------

-- Writes the entry of this transaction if it has changed a row, and returns its id. Without a host nothing is kept: the
-- rows were captured only to compare them with a preview.
drop function app.record_change(text, text, text, text, text, uuid);
create function app.record_change(
  host text, tool text, arguments text, idempotency_key text, client text, undoes uuid, action uuid
) returns uuid
  language plpgsql security definer set search_path = ''
as $$
declare
  change uuid := current_setting('app.change_id');
begin
  if host is null then
    perform set_config('app.erasing', 'on', true);
    delete from app.changed_rows r where r.change_id = change;
    perform set_config('app.erasing', '', true);
    change := null;
  elsif exists (select from app.changed_rows r where r.change_id = change) then
    if action is not null then
      perform app.begin_action(action, host, tool, client);
    end if;
    insert into app.changes
      (id, organization_id, account_id, host, tool, arguments, idempotency_key, client, undoes, action_id)
    values (change, app.caller_org(), app.caller_id(), host, tool, arguments, idempotency_key, client, undoes, action);
  else
    change := null;
  end if;
  perform app.erase(person::uuid)
  from unnest(string_to_array(nullif(current_setting('app.erased', true), ''), ' ')) person;
  return change;
end
$$;
grant execute on function app.record_change(text, text, text, text, text, uuid, uuid) to authenticated;

-- Writes the entry of an action with its first call. An action is its caller's own, and its id has the time.
create function app.begin_action(action uuid, host text, tool text, client text) returns void
  language plpgsql set search_path = ''
as $$
begin
  if action not between app.first_change_id(now() - interval '1 day') and app.first_change_id(now() + interval '1 day') then
    raise check_violation using
      column = '_meta.frontdesk/action', message = 'must be `new`, or the id in the result of a call of the last day';
  end if;
  insert into app.changes (id, organization_id, account_id, host, tool, client, is_action)
  values (action, app.caller_org(), app.caller_id(), host, tool, client, true)
  on conflict do nothing;
  if not found and not exists (
    select from app.changes c
    where c.id = action and c.is_action and c.account_id = app.caller_id() and c.organization_id = app.caller_org()) then
    raise check_violation using
      column = '_meta.frontdesk/action', message = 'is the id of another change: choose a new one';
  end if;
end
$$;

-- Reading ------------------------------------------------------------------------------------------

-- The entries that have the rows of a change: itself, and the calls of an action.
create function app.parts(target uuid) returns setof uuid
  language sql stable rows 2 security definer set search_path = ''
begin atomic
  select target
  union all
  select c.id from app.changes a join app.changes c on c.action_id = a.id where a.id = target and a.is_action;
end;

-- As app.parts, without the calls of an action that were undone by themselves.
create function app.parts_in_effect(target uuid) returns setof uuid
  language sql stable rows 2 security definer set search_path = ''
begin atomic
  select p from app.parts(target) p where p = target or app.undone_by(p) is null;
end;

-- Why a change can never be undone; null if it can. Later changes do not count.
create or replace function app.obstacle(target uuid) returns text
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
create or replace function app.summary(target uuid) returns text
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

create or replace function app.count_rows(target uuid) returns integer
  language sql stable security definer set search_path = ''
  return (select count(*)::integer from app.parts(target) p join app.changed_rows r on r.change_id = p
          where r.table_name <> 'webhooks.events');

create or replace function app.row_counts(target uuid) returns table (table_name text, operation text, number bigint)
  language sql stable security definer set search_path = ''
begin atomic
  select r.table_name, r.operation, count(*) from app.parts(target) p join app.changed_rows r on r.change_id = p
  where r.table_name <> 'webhooks.events'
  group by r.table_name, r.operation;
end;

create or replace function app.has_kind(target uuid, kind text) returns boolean
  language sql stable security definer set search_path = ''
  return exists (
    select from app.parts(target) p join app.changed_rows r on r.change_id = p
    where kind in (replace(app.singular(split_part(r.table_name, '.', 2)), ' ', '_'),
                   replace(app.singular(replace(r.table_name, '.', '_')), ' ', '_')));

create or replace function app.webhooks_of(target uuid) returns table (type text, number bigint, delivered bigint)
  language sql stable security definer set search_path = ''
begin atomic
  select e.type, count(*), count(e.delivered_at)
  from app.parts(target) p
  join app.changed_rows r on r.change_id = p
  join webhooks.events e on e.id::text = r.key::jsonb ->> 'id' and e.organization_id = app.caller_org()
  where r.table_name = 'webhooks.events'
  group by e.type;
end;

grant execute on function app.parts(uuid) to authenticated;

-- Rows ---------------------------------------------------------------------------------------------

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

create or replace function app.permits(of regclass, command "char", given jsonb, is_new boolean) returns boolean
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

create or replace function app.current_row(of regclass, key jsonb, is_locked boolean default false) returns jsonb
  language sql security definer set search_path = ''
  return (select r.found from app.current_rows(of, array[key], is_locked) r);

grant execute on function
  app.permitted(regclass, "char", jsonb[], boolean), app.current_rows(regclass, jsonb[], boolean)
  to authenticated;

-- Undo ---------------------------------------------------------------------------------------------

-- The rows of a change that the caller sees in the history: each with its state before and after, of an update the
-- changed columns, or null if it did not exist. `is_direct` is false for rows that triggers and cascades wrote.
drop function app.footprint(uuid);
create function app.footprint(target uuid)
  returns table (records text, key jsonb, key_text text, first_position bigint, last_position bigint, was jsonb,
                 is_left jsonb, is_direct boolean)
  language plpgsql stable security definer set search_path = ''
as $$
begin
  if not exists (
    select from app.changes c
    where c.id = target and c.organization_id = app.caller_org()
      and (c.account_id = app.caller_id() or app.caller_is_admin())) then
    return;
  end if;
  return query
    with direct as materialized (
      select distinct o.table_name, o.key
      from app.parts(target) part, app.parts(app.origin(part)) p join app.changed_rows o on o.change_id = p
      where o.is_direct
    )
    select r.table_name, r.key::jsonb, r.key, min(r.position), max(r.position),
           case when (array_agg(r.operation order by r.position))[1] <> 'insert'
             then app.overlaid(array_agg(r.before::jsonb order by r.position desc)) end,
           case when (array_agg(r.operation order by r.position desc))[1] <> 'delete'
             then app.overlaid(array_agg(r.after::jsonb order by r.position)) end,
           count(d.key) > 0
    from app.parts_in_effect(target) p
    join app.changed_rows r on r.change_id = p
    left join direct d on d.table_name = r.table_name and d.key = r.key
    where r.table_name <> 'webhooks.events'
    group by r.table_name, r.key order by min(r.position);
end
$$;

-- The rows of a change that are not as it left them, with what differs: their state then (`is_left`) and now (`is_now`),
-- null for a row that did not or does not exist. Locks the rows. A row that a later change in effect has touched
-- differs, also in columns that this change left alone; of an action, a row that another change touched meanwhile.
create or replace function app.differences(target uuid)
  returns table (records text, key jsonb, is_left jsonb, is_now jsonb)
  language plpgsql security definer set search_path = ''
as $$
declare
  of record;
  one record;
  own constant uuid[] := array(select app.parts_in_effect(target));
  -- No change with a later position began earlier.
  since constant uuid := (select app.first_change_id(c.created_at - interval '1 day')
                          from app.changes c where c.id = target);
begin
  for of in
    select f.records, array_agg(f.key) as keys, array_agg(f.key_text) as key_texts, array_agg(f.is_left) as states,
           array_agg(f.first_position) as positions
    from app.footprint(target) f group by f.records order by min(f.first_position)
  loop
    for one in
      with rows as materialized (
        select * from unnest(of.keys, of.key_texts, of.states, of.positions)
          with ordinality r (key, key_text, is_left, first_position, place)
      ), current as materialized (
        select * from app.current_rows(of.records::regclass, of.keys, true)
      ), others as (
        select w.place, app.overlaid(array_agg(r.before::jsonb order by r.position desc)) as before,
               app.overlaid(array_agg(r.after::jsonb order by r.position)) as after
        from rows w
        join app.changed_rows r on r.key = w.key_text and r.table_name = of.records and r.position > w.first_position
          and r.change_id >= since and r.change_id <> all (own)
        join app.changes c on c.id = r.change_id
        where c.undoes is null and app.undone_by(c.id) is null and app.undone_by(c.action_id) is null
        group by w.place
      )
      select w.key, w.is_left, c.found, o.before, o.after
      from rows w left join current c using (place) left join others o using (place) order by w.place
    loop
      key := one.key;
      is_left := one.is_left;
      is_now := one.found;
      if is_left is not null and is_now is not null then
        is_left := app.as_stored(of.records::regclass, is_left);
        is_now := is_now - array(select name from jsonb_object_keys(is_now) name where not is_left ? name);
        is_left := coalesce(one.before, '{}') || is_left;
        is_now := coalesce(one.after, '{}') || is_now;
        one.is_left := app.difference(is_left, is_now);
        is_now := app.difference(is_now, is_left);
        is_left := one.is_left;
        continue when is_left = '{}' and is_now = '{}';
      end if;
      continue when is_left is null and is_now is null;
      records := of.records;
      return next;
    end loop;
  end loop;
end
$$;

-- The tables of a change in which the caller could not write its rows. Rows that triggers wrote follow those that the
-- call wrote itself, and rows that were added or deleted with the one that they belong to follow that.
create or replace function app.forbidden(target uuid) returns setof text
  language plpgsql set search_path = ''
as $$
declare
  of record;
  found jsonb[];
  may_add boolean[];
  may_remove boolean[];
  may_write boolean[];
begin
  for of in
    with rows as materialized (
      select f.*, f.records::regclass as relation, coalesce(f.was, f.is_left) as state from app.footprint(target) f
    ), links as materialized (
      select c.oid, c.conrelid, c.confrelid,
        array(select a.attname::text from unnest(c.conkey) with ordinality k (number, place)
              join pg_catalog.pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number order by k.place) as own,
        array(select a.attname::text from unnest(c.confkey) with ordinality k (number, place)
              join pg_catalog.pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.number order by k.place) as other
      from pg_catalog.pg_constraint c
      where c.contype = 'f' and c.confdeltype in ('c', 'n')
        and c.conrelid in (select r.relation from rows r) and c.confrelid in (select r.relation from rows r)
    ), owners as (
      select l.oid, array(select r.state ->> name from unnest(l.other) name) as named
      from links l join rows r on r.relation = l.confrelid
      where r.was is null or r.is_left is null
    ), followers as (
      select r.relation, r.key_text
      from links l join rows r on r.relation = l.conrelid
      where (l.oid, array(select r.state ->> name from unnest(l.own) name)) in (select o.oid, o.named from owners o)
    )
    select r.records, r.relation, r.was is null or r.is_left is null as is_whole, array_agg(r.key) as keys,
           array_agg(r.was) as were
    from rows r
    where r.is_direct
      and (r.relation, r.key_text) not in (select f.relation, f.key_text from followers f)
    group by 1, 2, 3
  loop
    found := array(
      select coalesce(c.found, w.was) from unnest(of.were) with ordinality w (was, place)
      left join app.current_rows(of.relation, of.keys) c using (place) order by w.place);
    if of.is_whole then
      -- Without a policy only functions write such rows: their rules hold while rows are restored, too.
      may_add := app.permitted(of.relation, 'a', array(
        select coalesce(w.was, w.now) from unnest(of.were, found) with ordinality w (was, now, place) order by place), true);
      may_remove := app.permitted(of.relation, 'd', array(
        select coalesce(w.was, w.now) from unnest(of.were, found) with ordinality w (was, now, place) order by place), false);
      may_write := array(
        select coalesce(may_add[n], may_remove[n], true) or coalesce(may_remove[n], false)
        from generate_subscripts(of.keys, 1) n order by n);
    else
      may_remove := app.permitted(of.relation, 'w', found, false);
      may_add := app.permitted(of.relation, 'w', array(
        select w.now || w.was from unnest(of.were, found) with ordinality w (was, now, place) order by place), true);
      may_write := array(
        select may_remove[n] and may_add[n] from generate_subscripts(of.keys, 1) n order by n);
    end if;
    may_add := app.permitted(of.relation, 'r', found, false);
    if exists (select from generate_subscripts(of.keys, 1) n where not coalesce(may_add[n] and may_write[n], false)) then
      return next of.records;
    end if;
  end loop;
end
$$;

-- Restores the rows of a change, as the caller is permitted to (app.forbidden). Refuses unless exactly these rows change,
-- and each is what it was.
--
-- The steps are taken back in the reverse order. A cascade records a row before those that it deletes with it, so a step
-- can have to wait for others: in the next round, in the other direction.
create or replace function app.restore(target uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  steps app.changed_rows[];
  step app.changed_rows;
  -- The next step with the same row, which is taken back first.
  next_step integer[];
  is_done boolean[];
  direction integer := -1;
  is_stuck boolean;
  is_last_try boolean := false;
  remaining integer;
  at integer;
  referring text;
  this constant text := nullif(current_setting('app.change_id', true), '');
begin
  if this is null then
    raise unique_violation using column = 'change_id', message = 'changes are not recorded here, so none can be undone';
  end if;
  if not exists (select from app.footprint(target)) or app.obstacle(target) is not null
    or exists (select from app.differences(target)) then
    raise unique_violation using column = 'change_id', message = 'this change cannot be undone';
  end if;
  perform set_config('app.restoring', 'on', true);
  select array_agg(n.r order by n.number), array_agg(n.next_number order by n.number)
    into steps, next_step
  from (select r, r.number, lead(r.number) over (partition by (r.r).table_name, (r.r).key order by r.number) as next_number
        from (select c as r, row_number() over (order by c.position)::integer as number
              from app.parts_in_effect(target) p join app.changed_rows c on c.change_id = p
              where c.table_name <> 'webhooks.events') r) n;
  remaining := coalesce(cardinality(steps), 0);
  is_done := array_fill(false, array[remaining]);
  while remaining > 0 loop
    is_stuck := true;
    for nth in 1 .. cardinality(steps) loop
      at := case direction when -1 then cardinality(steps) + 1 - nth else nth end;
      continue when is_done[at] or next_step[at] is not null and not is_done[next_step[at]];
      step := steps[at];
      begin
        perform app.restore_row(step.table_name::regclass, step.operation, step.key::jsonb, step.before::jsonb);
        is_done[at] := true;
        remaining := remaining - 1;
        is_stuck := false;
      exception
        when foreign_key_violation or restrict_violation then
          get stacked diagnostics referring = table_name;
          if is_last_try then
            raise unique_violation using column = 'change_id', message = case step.operation
              when 'insert' then format('%s refer to a %s that this change added',
                replace(referring, '_', ' '), app.singular(split_part(step.table_name, '.', 2)))
              else format('a record to which a %s referred does not exist any more',
                app.singular(split_part(step.table_name, '.', 2))) end;
          end if;
        when unique_violation or check_violation then
          if is_last_try then
            raise;
          end if;
      end;
    end loop;
    is_last_try := is_stuck;
    direction := -direction;
  end loop;
  set constraints all immediate;
  perform set_config('app.restoring', '', true);
  perform app.take_back_webhooks(target);
  perform app.check_restored(target, this::uuid);
end
$$;

-- Raises unless exactly the rows of the undone change were changed, and each is what it was.
create or replace function app.check_restored(target uuid, by_change uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  others text;
  of record;
begin
  -- Rows that a trigger adds are allowed: milestones that were completed meanwhile.
  with own as materialized (
    select distinct r.table_name, r.key from app.parts_in_effect(target) p join app.changed_rows r on r.change_id = p
  )
  select string_agg(app.counted(number, records), ', ') into others
  from (select split_part(r.table_name, '.', 2) as records, count(distinct r.key) as number
        from app.changed_rows r
        where r.change_id = by_change and r.operation <> 'insert' and r.table_name <> 'webhooks.events'
          and (r.table_name, r.key) not in (select o.table_name, o.key from own o)
        group by 1) o;
  if others is not null then
    raise unique_violation using column = 'change_id',
      message = format('others depend on it since then and would change, too: %s', others);
  end if;
  for of in
    select f.records, f.records::regclass as relation, array_agg(f.key) as keys, array_agg(f.was) as were
    from app.footprint(target) f group by f.records
  loop
    if exists (
      select from unnest(of.were) with ordinality w (was, place)
      left join app.current_rows(of.relation, of.keys) c using (place)
      where (c.found is null) <> (w.was is null)
        or app.difference(app.as_stored(of.relation, w.was), c.found) <> '{}') then
      raise unique_violation using column = 'change_id',
        message = format('a %s cannot get its former state again', app.singular(split_part(of.records, '.', 2)));
    end if;
  end loop;
end
$$;

-- Withdraws the webhooks of a change that were not sent, before an undo; those that the undone change withdrew are due
-- again.
create or replace function app.take_back_webhooks(target uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  withdrawn constant text := 'withdrawn: the change was undone';
  events constant uuid[] := array(
    select (r.key::jsonb ->> 'id')::uuid
    from app.parts_in_effect(target) part, app.parts(app.origin(part)) p join app.changed_rows r on r.change_id = p
    where r.table_name = 'webhooks.events');
begin
  update webhooks.events e
  set given_up_at = case when e.given_up_at is null then now() end,
      last_error = case when e.given_up_at is null then withdrawn end, due_at = now()
  where e.id = any (events) and e.delivered_at is null and e.lease is null
    and (e.given_up_at is null or e.last_error = withdrawn);
end
$$;

grant execute on function app.footprint(uuid) to authenticated;

-- In the list -----------------------------------------------------------------------------------------

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

-- The record of a change of one row, and up to two of its values before and after, if the caller can read the row:
-- `“Ana”: role vip → speaker`.
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
  return concat_ws(': ', '“' || label || '”', fields);
end
$$;
grant execute on function app.only_row(uuid), app.said(jsonb), app.detail(uuid) to authenticated;
