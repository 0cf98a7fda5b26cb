-- The history: every call that changes rows leaves an entry with these rows, in its own transaction. A preview captures
-- them in the same way and rolls back. The setting app.change_id turns the capture on; it is the id of the entry.

-- Tables -------------------------------------------------------------------------------------------

-- Ids are UUIDs of version 7, which begin with the time. Both tables are partitioned by id, a partition for each day, so
-- that a day is removed by dropping it. Without foreign keys and checks, which every write would pay for.
create table app.changes (
  id uuid primary key,
  organization_id uuid,
  account_id uuid not null,
  created_at timestamptz not null default now(),
  host text not null,
  tool text not null,
  -- JSON, with long texts cut.
  arguments text not null,
  idempotency_key text,
  -- The name and version of the calling program.
  client text,
  -- The entry that this one reverses.
  undoes uuid
) partition by range (id);
create index changes_organization_id_idx on app.changes (organization_id, id);
create table app.changes_default partition of app.changes default;

create sequence app.changed_rows_position;

create table app.changed_rows (
  change_id uuid not null,
  -- Counts across entries; the rows of an entry are in the order in which they were changed.
  position bigint not null default nextval('app.changed_rows_position'),
  -- With its schema.
  table_name text not null,
  -- insert, update or delete.
  operation text not null,
  -- JSON objects: text, because it is written faster than jsonb and read rarely. An update has only the changed columns.
  key text not null,
  before text,
  after text,
  -- Whether a call wrote the row itself; otherwise a trigger or a cascade did.
  is_direct boolean not null default true,
  primary key (change_id, position)
) partition by range (change_id);
create table app.changed_rows_default partition of app.changed_rows default;

-- The lowest id of an entry at a time.
create function app.first_change_id(at timestamptz) returns uuid
  language sql immutable strict parallel safe set search_path = ''
  return rpad(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0'), 32, '0')::uuid;

-- Creates the partitions of the next days. Entries of a day without one are in the default partition: a server that was
-- off does not lose them.
create function app.make_change_partitions(days integer) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  day date;
  parent text;
  part text;
  key text;
  is_taken boolean;
begin
  for day in select d from generate_series((now() at time zone 'UTC')::date, (now() at time zone 'UTC')::date + days, '1 day') d loop
    foreach parent in array array['changes', 'changed_rows'] loop
      part := parent || to_char(day, '_YYYYMMDD');
      key := case parent when 'changes' then 'id' else 'change_id' end;
      execute format('select exists (select from app.%I where %I >= $1 and %2$I < $2)', parent || '_default', key)
        into is_taken using app.first_change_id(day::timestamp at time zone 'UTC'),
                            app.first_change_id((day + 1)::timestamp at time zone 'UTC');
      continue when is_taken or to_regclass('app.' || part) is not null;
      execute format('create table app.%I partition of app.%I for values from (%L) to (%L)', part, parent,
                     app.first_change_id(day::timestamp at time zone 'UTC'),
                     app.first_change_id((day + 1)::timestamp at time zone 'UTC'));
      perform app.close_partition(('app.' || part)::regclass);
    end loop;
  end loop;
end
$$;

-- A partition is reached through its parent only.
create function app.close_partition(of regclass) returns void
  language plpgsql set search_path = ''
as $$
begin
  execute format('alter table %s enable row level security', of);
  execute format('alter table %s force row level security', of);
  execute format('create policy nobody on %s using (false)', of);
end
$$;
select app.close_partition('app.changes_default'), app.close_partition('app.changed_rows_default');

-- Access -------------------------------------------------------------------------------------------

-- Entries are never changed. Owners and global admins read those of their organisation, others their own.
alter table app.changes enable row level security;
alter table app.changes force row level security;
create policy read on app.changes for select to authenticated
  using (organization_id = (select app.caller_org())
    and ((select app.caller_is_admin()) or account_id = (select app.caller_id())));
grant select on app.changes to authenticated;

-- Rows are read through functions, which leave out those that the caller cannot read in their tables.
alter table app.changed_rows enable row level security;
alter table app.changed_rows force row level security;
create policy nobody on app.changed_rows using (false);

-- Capture ------------------------------------------------------------------------------------------

-- As app.enter, for a transaction whose changes are captured.
create function app.enter(caller uuid, change uuid) returns void
  language plpgsql set search_path = ''
as $$
begin
  perform app.enter(caller);
  perform set_config('app.change_id', change::text, true);
end
$$;

create function app.capture_change() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  keys constant text[] := tg_argv[0];
  -- Columns that are generated, or secret.
  omitted text[] := tg_argv[1];
  key jsonb;
  before jsonb;
  after jsonb;
begin
  if tg_op <> 'INSERT' then
    before := to_jsonb(old);
  end if;
  if tg_op <> 'DELETE' then
    after := to_jsonb(new);
  end if;
  key := (select jsonb_object_agg(k, coalesce(before, after) -> k) from unnest(keys) k);
  if tg_op = 'UPDATE' then
    -- As text, in which 1.0 and 1.00 differ.
    omitted := array(select k from jsonb_object_keys(after) k
                     where after ->> k is not distinct from before ->> k) || omitted;
  end if;
  before := before - omitted;
  after := after - omitted;
  if tg_op <> 'UPDATE' or after <> '{}' then
    insert into app.changed_rows (change_id, table_name, operation, key, before, after, is_direct)
    values (current_setting('app.change_id')::uuid, tg_table_schema || '.' || tg_table_name, lower(tg_op), key::text,
            before::text, after::text, pg_trigger_depth() = 1);
  end if;
  return null;
end
$$;

-- Captures the changes of a table, without these columns and the generated ones. Repeat it for a table that gets a
-- generated column.
--
-- The trigger's name sorts it before the other triggers of a table: a row is captured before those that other triggers
-- and cascades write because of it.
create function app.capture_changes(of regclass, secret text[] default '{}') returns void
  language plpgsql set search_path = ''
as $$
declare
  keys text[];
  omitted text[];
begin
  select array_agg(a.attname order by array_position(i.indkey::int2[], a.attnum)) into strict keys
  from pg_catalog.pg_index i
  join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey::int2[])
  where i.indrelid = of and i.indisprimary;
  omitted := secret || array(select a.attname::text from pg_catalog.pg_attribute a
                             where a.attrelid = of and a.attgenerated <> '' and not a.attisdropped order by a.attnum);
  execute format('create or replace trigger a_capture after insert or update or delete on %s for each row
                  when (current_setting(''app.change_id'', true) <> '''') execute function app.capture_change(%L, %L)',
                 of, keys, omitted);
end
$$;

-- What callers can read is captured, except for the records of calls themselves. Webhooks are captured as they are added.
do $$
declare
  target regclass;
begin
  for target in
    select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and not c.relispartition and n.nspowner = 'frontdesk_owner'::regrole
      and c.oid <> 'app.idempotency_keys'::regclass
      and has_any_column_privilege('authenticated', c.oid, 'select')
  loop
    perform app.capture_changes(target);
  end loop;
end
$$;
select app.capture_changes('staff.invitations', secret => '{token_hash}');
create trigger a_capture after insert on webhooks.events for each row
  when (current_setting('app.change_id', true) <> '')
  execute function app.capture_change('{id}',
    '{attempts,attempted_at,due_at,lease,delivered_at,given_up_at,last_error}');

-- The rows that this transaction has changed, in order.
create function app.captured_rows()
  returns table (table_name text, operation text, key text, before text, after text)
  language sql stable security definer set search_path = ''
begin atomic
  select r.table_name, r.operation, r.key, r.before, r.after from app.changed_rows r
  where r.change_id = current_setting('app.change_id')::uuid order by r.position;
end;

-- Writes the entry of this transaction if it has changed a row. Then erases the people that it removed.
create function app.record_change(
  host text, tool text, arguments text, idempotency_key text, client text, undoes uuid
) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  change constant uuid := current_setting('app.change_id');
begin
  if exists (select from app.changed_rows r where r.change_id = change) then
    insert into app.changes (id, organization_id, account_id, host, tool, arguments, idempotency_key, client, undoes)
    values (change, app.caller_org(), app.caller_id(), host, tool, arguments, idempotency_key, client, undoes);
  end if;
  perform app.erase(person::uuid)
  from unnest(string_to_array(nullif(current_setting('app.erased', true), ''), ' ')) person;
end
$$;

-- Which of these rows the caller can read now: their places in the arrays, counted from 1, and their names. `names` has
-- the column with the name of a table's rows, if that is neither name nor title.
create function app.readable_rows(tables text[], keys text[], names text[])
  returns table (place bigint, label text)
  language plpgsql stable set search_path = ''
as $$
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

-- Ids ----------------------------------------------------------------------------------------------

-- The next id that is derived from the setting app.id_seed.
create function app.next_id() returns uuid
  language plpgsql volatile set search_path = ''
as $$
declare
  number constant bigint := coalesce(nullif(current_setting('app.id_number', true), ''), '0')::bigint + 1;
  bytes bytea := substring(sha256(convert_to(current_setting('app.id_seed') || ' ' || number, 'UTF8')) for 16);
begin
  perform set_config('app.id_number', number::text, true);
  bytes := set_byte(bytes, 6, get_byte(bytes, 6) & 15 | 64);
  bytes := set_byte(bytes, 8, get_byte(bytes, 8) & 63 | 128);
  return encode(bytes, 'hex')::uuid;
end
$$;

-- The id of a new row. With the setting app.id_seed, the same calls get the same ids: a preview shows those of the call.
create function app.new_id() returns uuid
  language sql volatile set search_path = ''
  return case when coalesce(current_setting('app.id_seed', true), '') = '' then gen_random_uuid() else app.next_id() end;

-- Derives the ids of this transaction from the caller's idempotency key. The day is included, because a key can be used
-- again when it is forgotten, a day after its use.
create function app.seed_ids(idempotency_key text) returns void
  language plpgsql set search_path = ''
as $$
begin
  perform set_config('app.id_seed', format('%s %s %s', app.caller_id(), (now() at time zone 'UTC')::date,
                                           idempotency_key), true);
end
$$;

grant execute on function app.new_id(), app.next_id() to authenticated, frontdesk_identity, frontdesk_webhooks;
grant execute on function
  app.seed_ids(text), app.enter(uuid, uuid), app.capture_change(), app.captured_rows(),
  app.record_change(text, text, text, text, text, uuid), app.readable_rows(text[], text[], text[]),
  app.readable_columns(text[]), app.first_change_id(timestamptz)
  to authenticated;

do $$
declare
  one record;
begin
  for one in
    select a.attrelid::regclass as records, a.attname as field
    from pg_attrdef d
    join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
    join pg_class c on c.oid = a.attrelid
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspowner = 'frontdesk_owner'::regrole and n.nspname not in ('auth', 'webhooks')
      and pg_get_expr(d.adbin, d.adrelid) = 'gen_random_uuid()'
  loop
    execute format('alter table %s alter column %I set default app.new_id()', one.records, one.field);
  end loop;
end
$$;
