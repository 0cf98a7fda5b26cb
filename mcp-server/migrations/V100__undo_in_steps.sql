-- An action is undone in steps: others wait for a step, not for all of an import.

-- Of an undo of an action: the calls that it took back.
alter table app.changes add column takes_back uuid[];

-- The change that undid this one and is still in effect; null without one. Of an action, the last, if no call is left.
create or replace function app.undone_by(target uuid) returns uuid
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

-- The entries with the rows that an undo of this change takes back: itself, or the latest calls of an action that were not
-- undone, with about 200 rows.
create or replace function app.parts_in_effect(target uuid) returns setof uuid
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
create or replace function app.rows_of(target uuid, in_effect boolean)
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

create or replace function app.obstacle(target uuid) returns text
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
      else min(app.lasting(r.table_name))
    end
    from app.rows_of(target, true) r);
end
$$;

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

create or replace function app.footprint(target uuid)
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

create or replace function app.take_back_webhooks(target uuid) returns void
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

create or replace function app.record_change(
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
      (id, organization_id, account_id, host, tool, arguments, idempotency_key, client, undoes, action_id, takes_back)
    values (change, app.caller_org(), app.caller_id(), host, tool, arguments, idempotency_key, client, undoes, action,
            case when record_change.undoes is not null and exists (select from app.changes c where c.id = record_change.undoes and c.is_action)
              then array(select app.parts_in_effect(record_change.undoes)) end);
  else
    change := null;
  end if;
  perform app.erase(person::uuid)
  from unnest(string_to_array(nullif(current_setting('app.erased', true), ''), ' ')) person;
  return change;
end
$$;

grant execute on function app.calls_in_effect, app.parts_in_effect, app.rows_left, app.action_of_undo,
  app.delivered_by to authenticated;
