-- Undo: restores the rows of one change, if they are still as the change left them. docs/changes.md explains it.
--
-- The policies of the caller decide (app.forbidden), and the owner writes: a column that the database sets, and a row
-- that no tool deletes, are restored too. Triggers that set columns, write other rows or refuse changes do not run
-- while rows are restored (the setting app.restoring is on); rules that more than one row has to keep have triggers of
-- their own, which run only then.

-- Rows ---------------------------------------------------------------------------------------------

-- The calls that an undo, or the undo of an undo, is about in the end; of another change, itself.
create function app.origins(target uuid) returns setof uuid
  language plpgsql stable rows 2 security definer set search_path = '' as $$
begin
  return query
    with recursive steps (entry) as (
      select target
      union
      select p from steps s join app.changes c on c.id = s.entry and c.undoes is not null,
        unnest(coalesce(c.takes_back, array(select app.parts(c.undoes)))) p
    )
    select s.entry from steps s join app.changes c on c.id = s.entry where c.undoes is null;
end
$$;

-- The rows of a change that the caller sees in the history: each with its state before and after, of an update the
-- changed columns, or null if it did not exist. `is_direct` is false for rows that triggers and cascades wrote.
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
      from app.parts_in_effect(target) part, app.origins(part) p join app.changed_rows o on o.change_id = p
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

-- The columns of all states; a later state wins.
create function app.overlaid(states jsonb[]) returns jsonb language plpgsql immutable set search_path = '' as $$
declare
  state jsonb;
  all_columns jsonb := '{}';
begin
  foreach state in array coalesce(states, '{}') loop
    all_columns := all_columns || coalesce(state, '{}');
  end loop;
  return all_columns;
end
$$;

-- The columns of a state in which another one differs.
create function app.difference(state jsonb, other jsonb) returns jsonb language sql immutable set search_path = ''
  return (select coalesce(jsonb_object_agg(e.key, e.value), '{}') from jsonb_each(state) e
          where other -> e.key is distinct from e.value);

-- The rows of a change that are not as it left them, with what differs: their state then (`is_left`) and now (`is_now`),
-- null for a row that did not or does not exist. Locks the rows. A row that a later change in effect has touched
-- differs, also in columns that this change left alone; of an action, a row that another change touched meanwhile.
create function app.differences(target uuid)
  returns table (records text, key jsonb, is_left jsonb, is_now jsonb)
  language plpgsql security definer set search_path = '' set jit = off
as $$
declare
  of record;
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
    return query
      with rows as materialized (
        select * from unnest(of.keys, of.key_texts, of.states, of.positions)
          with ordinality r (key, key_text, is_left, first_position, place)
      ), current as materialized (
        select * from app.current_rows(of.records::regclass, of.keys, true)
      ), others as materialized (
        select w.place, app.overlaid(array_agg(r.before::jsonb order by r.position desc)) as before,
               app.overlaid(array_agg(r.after::jsonb order by r.position)) as after
        from rows w
        join app.changed_rows r on r.key = w.key_text and r.table_name = of.records and r.position > w.first_position
          and r.change_id >= since and r.change_id <> all (own)
        join app.changes c on c.id = r.change_id
        where c.undoes is null and app.undone_by(c.id) is null and app.undone_by(c.action_id) is null
        group by w.place
      ), changed as materialized (
        select w.place, w.key, w.is_left, c.found as is_now, s.stored,
               coalesce(o.before, '{}') as before, coalesce(o.after, '{}') as after
        from rows w left join current c using (place) left join app.as_stored(of.records::regclass, of.states) s using (place)
        left join others o using (place)
        where (w.is_left is null) <> (c.found is null) or c.found || s.stored <> c.found or o.place is not null
      ), both_states as (
        select c.place, c.before || c.stored as is_left,
               c.after || (select coalesce(jsonb_object_agg(e.key, e.value), '{}') from jsonb_each(c.is_now) e
                           where c.stored ? e.key) as is_now
        from changed c where c.is_left is not null and c.is_now is not null
      )
      select of.records, c.key, case when b is null then c.is_left else app.difference(b.is_left, b.is_now) end,
             case when b is null then c.is_now else app.difference(b.is_now, b.is_left) end
      from changed c left join both_states b using (place)
      where b is null and (c.is_left is null) <> (c.is_now is null) or b.is_left <> b.is_now order by c.place;
  end loop;
end
$$;

-- The tables of a change in which the caller could not write its rows: an undo needs the right to what it does. Who may
-- remove a guest and not add one does not bring a guest back. Rows that triggers wrote follow those that the call wrote
-- itself, and rows that were added or deleted with the one that they belong to follow that.
create function app.forbidden(target uuid) returns setof text
  language plpgsql set search_path = ''
as $$
declare
  of record;
  found jsonb[];
  may_add boolean[];
  may_remove boolean[];
  may_write boolean[];
  is_own constant boolean := app.caller_role() = 'owner'
    or exists (select from app.changes c where c.id = target and c.account_id = app.caller_id());
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
    may_add := null;
    may_remove := null;
    if of.is_whole then
      -- A row that the change added is deleted, and one that it deleted is added: who may do only the opposite of that
      -- may not. Without a policy or privilege for it only functions do it, as they permit the caller: who was permitted
      -- takes it back, and the owner.
      if has_any_column_privilege(of.relation, 'insert') then
        may_add := app.permitted(of.relation, 'a', array(
          select coalesce(w.was, w.now) from unnest(of.were, found) with ordinality w (was, now, place) order by place), true);
      end if;
      if has_table_privilege(of.relation, 'delete') then
        may_remove := app.permitted(of.relation, 'd', array(
          select coalesce(w.was, w.now) from unnest(of.were, found) with ordinality w (was, now, place) order by place), false);
      end if;
      may_write := array(
        select case when w.was is null then coalesce(may_remove[n], coalesce(may_add[n], false) or is_own)
                    else coalesce(may_add[n], coalesce(may_remove[n], false) or is_own) end
        from unnest(of.were) with ordinality w (was, n) order by n);
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

-- Restoring ----------------------------------------------------------------------------------------

-- Restores the rows of a change, as the caller is permitted to (app.forbidden). Refuses unless exactly these rows change,
-- and each is what it was.
--
-- Rows are added after those to which they refer, then rows are changed, then rows are deleted before those to which they
-- refer. PostgreSQL checks the references within a table at the end of a statement.
create function app.restore(target uuid) returns void
  language plpgsql security definer set search_path = '' set jit = off
as $$
declare
  this constant text := nullif(current_setting('app.change_id', true), '');
  of record;
begin
  if this is null then
    raise unique_violation using column = 'change_id', message = 'changes are not recorded here, so none can be undone';
  end if;
  if not exists (select from app.footprint(target)) or app.obstacle(target) is not null
    or exists (select from app.differences(target)) then
    raise unique_violation using column = 'change_id', message = 'this change cannot be undone';
  end if;
  perform set_config('app.restoring', 'on', true);
  begin
    for of in
      with rows as materialized (
        select f.records::regclass as records, f.key, f.was, f.first_position,
               case when f.was is null then 'delete' when f.is_left is null then 'insert' else 'update' end as operation,
               array(select name from jsonb_object_keys(f.was) name order by name) as columns
        from app.footprint(target) f where f.was is not null or f.is_left is not null
      ), ranks as (
        select * from app.in_order_of_references((select array_agg(distinct r.records) from rows r))
      )
      select r.records, r.operation, array_agg(r.key order by r.first_position) as keys,
             array_agg(r.was order by r.first_position) as states
      from rows r join ranks k using (records)
      group by r.records, r.operation, r.columns, k.rank
      order by array_position(array['insert', 'update', 'delete'], r.operation),
               case r.operation when 'delete' then - k.rank else k.rank end, min(r.first_position)
    loop
      perform app.restore_rows(of.records, of.operation, of.keys, of.states);
    end loop;
  exception
    when unique_violation or check_violation or foreign_key_violation or restrict_violation then
      perform app.restore_by_steps(target);
  end;
  set constraints all immediate;
  perform set_config('app.restoring', '', true);
  perform app.take_back_webhooks(target);
  perform app.check_restored(target, this::uuid);
end
$$;

-- Raises unless exactly the rows of the undone change were changed, and each is what it was.
create function app.check_restored(target uuid, by_change uuid) returns void
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
      left join app.as_stored(of.relation, of.were) s using (place)
      where (c.found is null) <> (w.was is null) or c.found || s.stored <> c.found) then
      raise unique_violation using column = 'change_id',
        message = format('a %s cannot get its former state again', app.singular(split_part(of.records, '.', 2)));
    end if;
  end loop;
end
$$;

-- The webhooks that the next undo of a change finds delivered, by event.
create function app.delivered_by(target uuid) returns table (type text, number bigint)
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select e.type, count(*)
    from app.parts_in_effect(target) p
    join app.changed_rows r on r.change_id = p
    join webhooks.events e on e.id::text = r.key::jsonb ->> 'id' and e.organization_id = app.caller_org()
    where r.table_name = 'webhooks.events' and e.delivered_at is not null
    group by e.type;
end
$$;

-- Withdraws the webhooks of a change that were not sent, before an undo; those that the undone change withdrew are due
-- again.
create function app.take_back_webhooks(target uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  withdrawn constant text := 'withdrawn: the change was undone';
  events constant uuid[] := array(
    select (r.key::jsonb ->> 'id')::uuid
    from app.parts_in_effect(target) part, app.origins(part) p join app.changed_rows r on r.change_id = p
    where r.table_name = 'webhooks.events');
begin
  update webhooks.events e
  set given_up_at = case when e.given_up_at is null then now() end,
      last_error = case when e.given_up_at is null then withdrawn end, due_at = now()
  where e.id = any (events) and e.delivered_at is null and e.lease is null
    and (e.given_up_at is null or e.last_error = withdrawn);
end
$$;

-- Recorded states as the table would have them: only its own columns that are not generated, each in the form of a row.
create function app.as_stored(of regclass, states jsonb[]) returns table (place bigint, stored jsonb)
  language plpgsql stable set search_path = '' as $$
begin
  return query execute format(
    'select s.place, (select coalesce(jsonb_object_agg(e.key, e.value), ''{}'') from jsonb_each(to_jsonb(n)) e
                      where s.state ? e.key and e.key <> all ($2))
     from unnest($1) with ordinality s (state, place), jsonb_populate_record(null::%s, s.state) n
     where s.state is not null', of)
    using states, array(select a.attname::text from pg_catalog.pg_attribute a
                        where a.attrelid = of and a.attnum > 0 and a.attgenerated <> '');
end
$$;

-- These tables after those to which they refer.
create function app.in_order_of_references(tables regclass[]) returns table (records regclass, rank bigint)
  language sql stable set search_path = ''
begin atomic
  with recursive links as materialized (
    select c.conrelid, c.confrelid from pg_catalog.pg_constraint c
    where c.contype = 'f' and c.conrelid = any (tables) and c.confrelid = any (tables) and c.conrelid <> c.confrelid
  ), ranked (records, depth) as (
    select t, 0 from unnest(tables) t
    union
    select l.conrelid, r.depth + 1 from ranked r join links l on l.confrelid = r.records where r.depth < cardinality(tables)
  )
  select r.records, max(r.depth) from ranked r group by r.records;
end;

-- Gives rows of a table their states before a change, all of the same columns: adds (insert), changes (update) or deletes
-- them.
create function app.restore_rows(records regclass, operation text, keys jsonb[], states jsonb[])
  returns void language plpgsql security definer set search_path = '' as $$
declare
  same text;
  columns text;
  chosen text;
  assigned text;
begin
  select string_agg(format('t.%1$I = k.%1$I', name), ' and ') into same from jsonb_object_keys(keys[1]) name;
  select string_agg(format('%I', a.attname), ', ' order by a.attnum),
         string_agg(format('n.%I', a.attname), ', ' order by a.attnum),
         string_agg(format('%1$I = n.%1$I', a.attname), ', ' order by a.attnum)
    into columns, chosen, assigned
  from pg_catalog.pg_attribute a
  where a.attrelid = records and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and states[1] ? a.attname;
  if operation = 'delete' then
    execute format('delete from %1$s t using unnest($1) g (key), jsonb_populate_record(null::%1$s, g.key) k where %2$s',
                   records, same)
      using keys;
  elsif operation = 'update' and assigned is not null then
    execute format('update %1$s t set %3$s from unnest($1, $2) g (key, state), jsonb_populate_record(null::%1$s, g.key) k,
                    jsonb_populate_record(null::%1$s, g.state) n where %2$s', records, same, assigned)
      using keys, states;
  elsif operation = 'insert' then
    -- A trigger can have written a row already.
    execute format('insert into %1$s (%2$s) overriding system value
                    select %5$s from unnest($1) g (state), jsonb_populate_record(null::%1$s, g.state) n
                    on conflict (%3$s) do update set %4$s', records, columns,
                   (select string_agg(format('%I', name), ', ') from jsonb_object_keys(keys[1]) name),
                   replace(assigned, ' = n.', ' = excluded.'), chosen)
      using states;
  end if;
end
$$;

-- Takes back a change step by step, in the reverse order: for rows that need values of each other, such as swapped
-- positions. A cascade records a row before those that it deletes with it, so a step can have to wait for others: in the
-- next round, in the other direction.
create function app.restore_by_steps(target uuid) returns void
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
begin
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
        perform app.restore_rows(step.table_name::regclass,
          case step.operation when 'insert' then 'delete' when 'delete' then 'insert' else 'update' end,
          array[step.key::jsonb], array[step.before::jsonb]);
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
end
$$;

grant execute on function app.footprint, app.differences, app.forbidden, app.restore, app.delivered_by to authenticated;
