-- Gives the one organisation of this database so many others beside it, each a copy of all its rows:
--
--     psql -v organizations=1000 -f tests/costs/others.sql DATABASE
--
-- The copies are whole, because every id is made from the original's in the same way. Names are the same in all of them:
-- a search finds as much in each organisation, which is the worst case for an index over all. The history is spread over
-- 30 days. Triggers, foreign keys and, during the copy, indexes are not asked.
\set ON_ERROR_STOP on
\timing on
select set_config('seed.organizations', :'organizations', false);
set session_replication_role = replica;
set synchronous_commit = off;
set maintenance_work_mem = '2GB';

-- The guests of two events, with names of people.
update events.guests g set
  event_id = (array(select e.id from events.events e order by e.created_at desc, e.id limit 2))[1 + n.number % 2],
  name = (array['Ana', 'Bruno', 'Carla', 'Diego', 'Elisa', 'Fábio', 'Gabriela', 'Heitor', 'Inês', 'João', 'Kátia', 'Luís',
                'Maria', 'Nuno', 'Olga', 'Paulo', 'Rita', 'Sofia', 'Tiago', 'Vera'])[1 + n.number % 20]
    || ' ' || (array['Almeida', 'Barros', 'Costa', 'Duarte', 'Esteves', 'Ferreira', 'Gomes', 'Henriques', 'Jardim',
                     'Lopes', 'Martins', 'Neves', 'Oliveira', 'Pereira', 'Ramos', 'Silva', 'Teixeira', 'Vieira',
                     'Xavier'])[1 + n.number / 20 % 19] || ' ' || left(md5(n.number::text), 5),
  email = 'guest' || n.number || '@example.org', member_id = null, check_in_at = case when n.number % 3 = 0 then now() end
from (select id, row_number() over (order by id) as number from events.guests) n
where n.id = g.id and n.number > 10;

-- An id's counterpart in the k-th organisation.
create function pg_temp.id_in(id uuid, k integer) returns uuid language sql immutable parallel safe
  return md5(k || ' ' || id)::uuid;
-- An entry's: of a day of the last 30.
create function pg_temp.entry_in(id uuid, k integer) returns uuid language sql stable parallel safe
  return (lpad(to_hex((extract(epoch from now())::bigint - abs(hashtext(id::text || k)) % 2592000) * 1000), 12, '0')
          || substr(md5(k || ' ' || id), 13))::uuid;

-- The history: a partition for each day, and 5,000 entries of a check-in.
do $$
declare
  day date;
begin
  for day in select now()::date - d from generate_series(1, 31) d loop
    execute format('create table app.changes_%1$s partition of app.changes for values from (%2$L) to (%3$L);
                    create table app.changed_rows_%1$s partition of app.changed_rows for values from (%2$L) to (%3$L)',
                   to_char(day, 'YYYYMMDD'), app.first_change_id(day::timestamp at time zone 'UTC'),
                   app.first_change_id((day + 1)::timestamp at time zone 'UTC'));
    perform app.admit_nobody(('app.changes_' || to_char(day, 'YYYYMMDD'))::regclass),
            app.admit_nobody(('app.changed_rows_' || to_char(day, 'YYYYMMDD'))::regclass);
  end loop;
end
$$;
create temp table generated as select attrelid, attnum from pg_attribute where attgenerated = 's';
create temp table one_row as
  select c.id as change_id, g.id as guest_id, c.organization_id, c.account_id, c.created_at, c.client
  from (select *, row_number() over (order by id) as number from app.changes_default) c
  join (select id, row_number() over (order by id) as number from events.guests) g using (number);
analyze one_row;

do $$
declare
  organizations constant integer := current_setting('seed.organizations');
  kind record;
  names text;
  texts text;
  copied bigint;
begin
  for kind in
    select c.oid::regclass as name, c.oid as id from pg_class c
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace::regnamespace::text not in
      ('pg_catalog', 'information_schema', 'webhooks', 'pg_toast')
      and c.oid::regclass::text not in ('app.migrations', 'app.secrets', 'app.idempotency_keys', 'app.applied_plans',
        'app.forgotten', 'app.changes', 'app.changed_rows', 'auth.sessions', 'auth.refresh_tokens',
        'auth.sign_in_codes', 'auth.password_links', 'learn.content_types')
      and exists (select from pg_attribute a where a.attrelid = c.oid and a.atttypid = 'uuid'::regtype)
      and c.relpersistence = 'p'
  loop
    select string_agg(quote_ident(a.attname), ', ' order by attnum), string_agg(case
        when a.atttypid = 'uuid'::regtype then format('pg_temp.id_in(t.%I, k)', a.attname)
        when a.atttypid = 'uuid[]'::regtype
          then format('case when t.%1$I is not null then array(select pg_temp.id_in(i, k) from unnest(t.%1$I) i) end', a.attname)
        when a.atttypid = 'text'::regtype and is_key and a.attgenerated = '' then format('t.%I || ''-'' || k', a.attname)
        when a.atttypid = 'bytea'::regtype and is_key then format('sha256(t.%I || k::text::bytea)', a.attname)
        else format('t.%I', a.attname) end, ', ' order by attnum)
      into names, texts
    from pg_attribute a cross join lateral (
      select exists (
        select from pg_index i where i.indrelid = kind.id and i.indisunique and (a.attnum = any (i.indkey) or exists (
          select from pg_depend d where d.objid = i.indexrelid and d.refobjid = i.indrelid and d.refobjsubid = a.attnum))
        -- Unique among all organisations: no id is a part of it.
        and not exists (
          select from pg_attribute u where u.attrelid = kind.id and u.attnum = any (i.indkey) and u.atttypid = 'uuid'::regtype)
      ) as is_key) of_key
    where a.attrelid = kind.id and a.attnum > 0 and not a.attisdropped and a.attidentity <> 'a';
    -- As a plain column, a generated one is copied. It is the same text.
    update pg_attribute set attgenerated = '' where attrelid = kind.id and attgenerated = 's';
    update pg_index set indisready = false, indisvalid = false where indrelid = kind.id;
    begin
      execute format('insert into %1$s (%2$s) select %3$s from generate_series(1, %4$s) k, %1$s t', kind.name, names, texts,
                     organizations - 1);
    exception when others then
      raise exception '% of %: %', sqlerrm, kind.name, texts;
    end;
    get diagnostics copied = row_count;
    if copied > 100000 then
      raise notice '% %: % rows', clock_timestamp(), kind.name, copied;
    end if;
    update pg_attribute a set attgenerated = 's' from pg_temp.generated g
    where (a.attrelid, a.attnum) = (g.attrelid, g.attnum) and a.attrelid = kind.id;
    execute format('reindex table %s', kind.name);
  end loop;
end
$$;

do $$
declare
  organizations constant integer := current_setting('seed.organizations');
  parts constant regclass[] := array(
    select i.inhrelid from pg_inherits i where i.inhparent in ('app.changes'::regclass, 'app.changed_rows'::regclass));
  part regclass;
begin
  update pg_index set indisready = false, indisvalid = false where indrelid = any (parts);
  insert into app.changes (id, organization_id, account_id, created_at, host, tool, arguments, client)
  select pg_temp.entry_in(r.change_id, k), pg_temp.id_in(r.organization_id, k), pg_temp.id_in(r.account_id, k), r.created_at,
         'events', 'check_in_guest', '{"id": "' || pg_temp.id_in(r.guest_id, k) || '"}', r.client
  from generate_series(1, organizations - 1) k, one_row r;
  insert into app.changed_rows (change_id, table_name, operation, key, before, after, is_direct)
  select pg_temp.entry_in(r.change_id, k), 'events.guests', 'update', '{"id": "' || pg_temp.id_in(r.guest_id, k) || '"}',
         '{"check_in_at": null, "checked_in_by": null}', '{"check_in_at": "2026-11-20T12:00:00+00:00", "checked_in_by": "'
         || pg_temp.id_in(r.account_id, k) || '"}', true
  from generate_series(1, organizations - 1) k, one_row r;
  foreach part in array parts loop
    execute format('reindex table %s', part);
  end loop;
end
$$;
reset session_replication_role;
vacuum (analyze);
select pg_size_pretty(pg_database_size(current_database()));
