-- Partitions ---------------------------------------------------------------------------------------

-- The lowest id of an entry at a time.
create function app.first_change_id(at timestamptz) returns uuid
  language sql immutable strict parallel safe set search_path = ''
  return rpad(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0'), 32, '0')::uuid;

-- Creates the partitions of the next days. Entries of a day without one are in the default partition: a server that was
-- off does not lose them.
create function app.make_change_partitions(days integer)
  returns void language plpgsql security definer set search_path = '' as $$
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
      perform app.admit_nobody(('app.' || part)::regclass);
    end loop;
  end loop;
end
$$;

-- Only the removal of old entries and of people changes entries; everybody else is refused, the owner included.
create function app.append_only() returns trigger language plpgsql set search_path = '' as $$
begin
  raise insufficient_privilege using constraint = 'append_only', message = 'the history of changes is append-only';
end
$$;
create trigger append_only before update or delete on app.changes
  for each row when (current_setting('app.erasing', true) is distinct from 'on') execute function app.append_only();
create trigger append_only before update or delete on app.changed_rows
  for each row when (current_setting('app.erasing', true) is distinct from 'on') execute function app.append_only();

-- Capture ------------------------------------------------------------------------------------------

-- Writes a row's change. The trigger's arguments are the columns of the key, and those that are generated or secret.
create function app.capture_change() returns trigger language plpgsql security definer set search_path = '' as $$
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
create function app.capture_changes(of regclass, secret text[] default '{}')
  returns void language plpgsql set search_path = '' as $$
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

-- The rows that this transaction has changed, in order.
create function app.captured_rows()
  returns table (table_name text, operation text, key text, before text, after text)
  language sql stable security definer set search_path = ''
begin atomic
  select r.table_name, r.operation, r.key, r.before, r.after from app.changed_rows r
  where r.change_id = current_setting('app.change_id')::uuid order by r.position;
end;

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

-- Writes the entry of this transaction if it has changed a row, and returns its id. Then erases the people that it
-- removed. Without a host nothing is kept: the rows were captured only to compare them with a preview. The setting
-- app.made_by names the account for which the caller delivers the call.
create function app.record_change(
  host text, tool text, arguments text, idempotency_key text, client text, undoes uuid, action uuid
) returns uuid
  language plpgsql security definer set search_path = ''
as $$
declare
  change uuid := current_setting('app.change_id');
  maker constant uuid := nullif(current_setting('app.made_by', true), '');
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
      (id, organization_id, account_id, host, tool, arguments, idempotency_key, client, undoes, action_id, takes_back, made_by)
    values (change, app.caller_org(), app.caller_id(), host, tool, arguments, idempotency_key, client, undoes, action,
            case when record_change.undoes is not null and exists (select from app.changes c where c.id = record_change.undoes and c.is_action)
              then array(select app.parts_in_effect(record_change.undoes)) end,
            case when maker is not null and ops.is_account(maker) then maker end);
  else
    change := null;
  end if;
  perform app.erase(person::uuid)
  from unnest(string_to_array(nullif(current_setting('app.erased', true), ''), ' ')) person;
  return change;
end
$$;

-- The table with this name, unless it is the identity provider's: no caller can name one of those.
create function app.named_table(name text) returns regclass language sql stable set search_path = ''
  return case when name not like 'auth.%' then to_regclass(name) end;

-- The columns of these tables that differ between two calls that do the same: values drawn from a sequence, and numbers
-- of transactions.
create function app.drawn_columns(tables text[]) returns table (table_name text, columns text[])
  language sql stable set search_path = ''
begin atomic
  select t.name, array_agg(a.attname::text)
  from unnest(tables) t (name)
  join pg_catalog.pg_attribute a on a.attrelid = app.named_table(t.name)
  where a.attidentity <> '' or a.atttypid = 'xid8'::regtype
  group by t.name;
end;

grant execute on function
  app.first_change_id, app.capture_change, app.captured_rows, app.record_change, app.named_table, app.drawn_columns
  to authenticated;
