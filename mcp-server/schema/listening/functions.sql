-- What a process asks once a second while it has listeners.

-- `since` is a place in the history up to which the process has heard; the listeners are given as parallel arrays, with the
-- session of those that have one. Returns: the place of the last change that can be seen; the oldest transaction that runs, and
-- the next one, as numbers of transactions (a change before `last` can still be committed by one between them); the listeners,
-- counted from 1, whose organisation has changes after `since`; those whose rights have ended; and the subscriptions of the
-- sessions.
--
-- The ids of changes begin with the time, by the clocks of the processes: those of the last minutes are looked at.
create function app.heard(since bigint, users uuid[], sign_ins uuid[], issued timestamptz[], sessions text[])
  returns table (last bigint, oldest text, next text, touched integer[], ended integer[], subscribed text)
  language sql stable security definer set search_path = ''
begin atomic
  with listeners as (
    select l.place::integer as place, l.user_id, l.session, k.organization,
           k.organization is null or k.is_inactive or k.is_removed
             or l.sign_in is not null and (x.id is null or x.revoked_at is not null)
             or coalesce(k.rights_taken_at > l.issued_at, false) as is_over
    from unnest(users, sign_ins, issued, sessions) with ordinality l (user_id, sign_in, issued_at, session, place)
    left join app.callers k on k.id = l.user_id
    left join auth.sessions x on x.id = l.sign_in and x.user_id = l.user_id
  ), fresh as materialized (
    select r.change_id, r.position from app.changed_rows r
    where r.change_id >= app.first_change_id(now() - interval '5 minutes') and r.position > since
  ), touched as (
    select distinct c.organization_id from app.changes c where c.id in (select f.change_id from fresh f)
  )
  select coalesce((select max(f.position) from fresh f), since),
         pg_snapshot_xmin(pg_current_snapshot())::text, pg_snapshot_xmax(pg_current_snapshot())::text,
         array(select l.place from listeners l where l.organization in (select t.organization_id from touched t)),
         array(select l.place from listeners l where l.is_over),
         (select coalesce(json_agg(json_build_object('place', l.place, 'uri', convert_from(k.arguments, 'UTF8'), 'seen', k.result)),
                          '[]')::text
          from listeners l
          join app.idempotency_keys k on k.user_id = l.user_id and k.tool = 'resources/subscribe'
            and starts_with(k.key, l.session || '/')
          where l.session <> '');
end;

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

-- The subscriptions of the sessions of listeners, as far as they differ from what their process knows. The listeners are
-- given as app.heard has them; `known` is the digest of each at the last answer, empty at first. JSON: the places of the
-- listeners counted from 1, the new digests, and what was last seen of each address.
create function app.subscribed(users uuid[], sessions text[], known text[]) returns text
  language sql stable security definer set search_path = ''
begin atomic
  select coalesce(json_agg(json_build_object('place', l.place, 'digest', d.digest, 'seen', s.seen)), '[]')::text
  from unnest(users, sessions, known) with ordinality l (user_id, session, known, place)
  cross join lateral (
    select coalesce(md5(string_agg(k.key, ' ' order by k.key)), '') as digest
    from app.idempotency_keys k
    where k.user_id = l.user_id and k.tool = 'resources/subscribe' and starts_with(k.key, l.session || '/')) d
  cross join lateral (
    select coalesce(json_object_agg(convert_from(k.arguments, 'UTF8'), k.result), '{}') as seen
    from app.idempotency_keys k
    where k.user_id = l.user_id and k.tool = 'resources/subscribe' and starts_with(k.key, l.session || '/')) s
  where l.session <> '' and d.digest <> l.known;
end;

-- Whether a caller can subscribe to one more resource in a session: the most of a session, and of all its sessions.
create function app.has_room_to_subscribe(subscription text, most integer, most_of_all integer) returns boolean
  language sql stable set search_path = ''
begin atomic
  select count(*) < most_of_all
     and count(*) filter (where starts_with(k.key, split_part(subscription, '/', 1) || '/')) < most
  from app.idempotency_keys k
  where k.user_id = app.caller_id() and k.tool = 'resources/subscribe' and k.key <> subscription;
end;

grant execute on function app.heard, app.changed_tables, app.subscribed to frontdesk_webhooks;
grant execute on function app.tables_read, app.has_room_to_subscribe to authenticated;
