-- An undo needs the right to what it does: who may remove a guest and not add one does not bring a guest back.

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
