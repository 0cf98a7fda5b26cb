-- The day of an entry's id.
create function app.day_of_change(id uuid) returns date language sql immutable strict parallel safe set search_path = ''
  return (to_timestamp(('x' || lpad(left(replace(id::text, '-', ''), 12), 16, '0'))::bit(64)::bigint / 1000.0)
          at time zone 'UTC')::date;

-- The days with entries, latest first.
create function app.days_of_history() returns setof date language plpgsql stable security definer set search_path = '' as $$
declare
  part record;
  has_entries boolean;
begin
  for part in
    select c.relname as name, to_date(right(c.relname, 8), 'YYYYMMDD') as day
    from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'app.changes'::regclass and c.relname ~ '_[0-9]{8}$'
    order by 2 desc
  loop
    execute format('select exists (select from app.%I)', part.name) into has_entries;
    if has_entries then
      return next part.day;
    end if;
  end loop;
  return query select distinct app.day_of_change(c.id) from app.changes_default c order by 1 desc;
end
$$;

-- Removes the entries of the days before this one, and the partitions of days that passed without one.
create function app.drop_history_before(first_day date) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  part record;
  has_entries boolean;
begin
  perform set_config('app.erasing', 'on', true);
  for part in
    select c.relname as name, to_date(right(c.relname, 8), 'YYYYMMDD') as day
    from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('app.changes'::regclass, 'app.changed_rows'::regclass)
      and c.relname ~ '_[0-9]{8}$'
      and to_date(right(c.relname, 8), 'YYYYMMDD') < greatest(first_day, (now() at time zone 'UTC')::date - 7)
  loop
    if part.day >= first_day then
      execute format('select exists (select from app.%I)', part.name) into has_entries;
      continue when has_entries;
      -- A process with a slow clock can have added an entry since.
      execute format('lock table app.%I in access exclusive mode', part.name);
      execute format('select exists (select from app.%I)', part.name) into has_entries;
      continue when has_entries;
    end if;
    execute format('drop table app.%I', part.name);
  end loop;
  delete from app.changes_default c where app.day_of_change(c.id) < first_day;
  delete from app.changed_rows_default r where app.day_of_change(r.change_id) < first_day;
  perform set_config('app.erasing', '', true);
end
$$;

-- Keeps the entries of at least this many days, and removes those of the oldest day beyond what is kept: at most a day at
-- a time, and nothing while the clock is far from the entries. Creates the partitions of the coming week. Returns the days
-- that are kept, and why nothing was removed.
create function app.cut_history(at_least integer) returns table (kept integer, refusal text)
  language plpgsql security definer set search_path = '' as $$
declare
  days date[];
  today constant date := (now() at time zone 'UTC')::date;
begin
  perform pg_advisory_xact_lock(hashtext('app.keep_changes'));
  insert into app.retention as r (days) values (at_least)
    on conflict (is_only) do update set days = greatest(r.days, excluded.days) returning r.days into kept;
  days := array(select d from app.days_of_history() d order by d desc);
  if days[1] < today - 7 then
    refusal := format('nothing is removed: the latest entry is of %s, and this clock says %s', days[1], today);
  else
    perform app.drop_history_before(case when cardinality(days) > kept then days[cardinality(days)] + 1
                                         else '-infinity' end),
            app.forget_keys();
  end if;
  if kept > 0 then
    perform app.make_change_partitions(7);
  end if;
  return next;
end
$$;

-- What would be removed if this many days were kept: the days, their entries, and the first and last of them.
create function app.history_beyond(days integer)
  returns table (removed bigint, entries bigint, first_day date, last_day date)
  language sql stable security definer set search_path = ''
begin atomic
  select count(distinct app.day_of_change(c.id)), count(*), min(app.day_of_change(c.id)), max(app.day_of_change(c.id))
  from app.changes c
  where app.day_of_change(c.id) in (select d from app.days_of_history() d order by d desc offset days);
end;

-- Keeps the entries of this many days from now on, and removes all others.
create function app.shorten_history(days integer) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  first_kept constant date := (select min(d) from (select d from app.days_of_history() d order by d desc limit shorten_history.days) k);
begin
  perform pg_advisory_xact_lock(hashtext('app.keep_changes'));
  insert into app.retention as r (days) values (shorten_history.days) on conflict (is_only) do update set days = excluded.days;
  perform app.drop_history_before(coalesce(first_kept, 'infinity'));
end
$$;

-- Removes what is no longer kept, at most 10,000 rows of each kind. The clock of a machine can be wrong: what counts is the
-- age beside the latest row of the kind, and that this clock agrees.
create function app.forget_old() returns void language plpgsql security definer set search_path = '' as $$
declare
  kept app.retention;
  until timestamptz;
begin
  select * into kept from app.retention;
  until := (select least(now(), max(e.delivered_at)) from webhooks.events e where e.delivered_at is not null)
    - make_interval(days => kept.webhooks);
  delete from webhooks.events e where e.id in (
    select o.id from webhooks.events o where o.delivered_at < until order by o.delivered_at limit 10000);
  -- Their ids are in the order of their times.
  until := (select least(now(), t.created_at) from auth.refresh_tokens t order by t.id desc limit 1)
    - make_interval(days => kept.tokens);
  delete from auth.refresh_tokens t where t.created_at < until and t.id in (
    select o.id from auth.refresh_tokens o order by o.id limit 10000);
  until := (select least(now(), max(a.applied_at)) from app.applied_plans a) - make_interval(days => kept.plans);
  delete from app.applied_plans a where a.applied_at < until;
  until := (select least(now(), max(d.received_at)) from engineering.deliveries_seen d)
    - make_interval(days => kept.deliveries);
  delete from engineering.deliveries_seen d where d.received_at < until;
end
$$;

grant execute on function app.cut_history, app.forget_old to frontdesk_webhooks;
