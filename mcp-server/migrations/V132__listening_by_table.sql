-- Which listeners a change concerns: those whose resources read a table that it has changed.

-- The tables that this transaction has read, by its locks, as far as their changes are in the history; null if another one
-- was read, too. A table that only triggers write counts as the tables whose changes fire them. The sign-in counts as nothing:
-- a listener ends with it.
create function app.tables_read() returns oid[] language plpgsql volatile set search_path = '' as $$
declare
  tables oid[];
  is_whole boolean;
begin
  select array_agg(distinct f.oid), bool_and(r.name in ('app.callers', 'events.presence', 'auth.sessions') or f.oid is not null)
    into tables, is_whole
  from (
    select c.oid, n.nspname || '.' || c.relname as name
    from pg_catalog.pg_locks l
    join pg_catalog.pg_class c on c.oid = l.relation and c.relkind in ('r', 'p', 'm', 'f')
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace and n.nspname <> 'pg_catalog'
    where l.pid = pg_backend_pid() and l.locktype = 'relation') r
  left join lateral (
    select r.oid where exists (select from pg_catalog.pg_trigger t where t.tgrelid = r.oid and t.tgname = 'a_capture')
    union all
    select to_regclass(w.by) from (values
      ('app.callers', 'staff.users'), ('app.callers', 'learn.profiles'), ('app.callers', 'learn.members'),
      ('events.guests', 'events.movements'),
      ('events.presence', 'events.movements'), ('events.presence', 'events.places'), ('events.presence', 'events.guests')
    ) w (written, by) where w.written = r.name) f on true;
  return case when is_whole then array_remove(tables, null) end;
end
$$;

grant execute on function app.tables_read to authenticated;

-- The tables that changed after `since` in the organisations of these listeners, as app.heard has them: JSON, with the
-- places of the listeners and the tables.
create function app.changed_tables(since bigint, users uuid[]) returns text
  language sql stable security definer set search_path = ''
begin atomic
  with fresh as materialized (
    select distinct r.change_id, r.table_name from app.changed_rows r
    where r.change_id >= app.first_change_id(now() - interval '5 minutes') and r.position > since
  ), changed as (
    select c.organization_id, json_agg(distinct coalesce(to_regclass(f.table_name)::oid, 0)::bigint) as tables
    from fresh f join app.changes c on c.id = f.change_id group by c.organization_id
  ), listening as (
    select k.organization, json_agg(l.place) as places
    from unnest(users) with ordinality l (user_id, place) join app.callers k on k.id = l.user_id
    group by k.organization
  )
  select coalesce(json_agg(json_build_object('places', l.places, 'tables', c.tables)), '[]')::text
  from changed c join listening l on l.organization = c.organization_id;
end;

grant execute on function app.changed_tables to frontdesk_webhooks;
