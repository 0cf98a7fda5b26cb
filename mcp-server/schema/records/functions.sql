-- What tables have in common: ids, limits of free-form fields, triggers, and what is said about their records.

-- Ids ----------------------------------------------------------------------------------------------

-- The next id that is derived from the setting app.id_seed.
create function app.next_id() returns uuid language plpgsql volatile set search_path = '' as $$
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

-- The id of a new row. With the setting app.id_seed, the same calls get the same ids: a preview shows those of the
-- call.
create function app.new_id() returns uuid language sql volatile set search_path = ''
  return case when coalesce(current_setting('app.id_seed', true), '') = '' then gen_random_uuid() else app.next_id() end;

-- Derives the ids of this transaction from the caller's idempotency key. The day is included, because a key can be used
-- again when it is forgotten, a day after its use.
create function app.seed_ids(idempotency_key text) returns void language plpgsql set search_path = '' as $$
begin
  perform set_config('app.id_seed', format('%s %s %s', app.caller_id(), (now() at time zone 'UTC')::date,
                                           idempotency_key), true);
end
$$;

-- Fields -------------------------------------------------------------------------------------------

-- The size of a free-form field is limited as it is stored: a number such as 1e-300 takes six bytes in a request and
-- three hundred in an answer, and a merge adds to the stored value. The catalogue's test requires this check for
-- every jsonb column.
create function app.is_bounded(value jsonb) returns boolean language sql immutable parallel safe
  return octet_length(value::text) <= 16384;

-- The same with another limit.
create function app.is_bounded(value jsonb, most integer) returns boolean language sql immutable parallel safe
  return octet_length(value::text) <= most;

-- Whether each text is listed once.
create function app.is_distinct(texts text[]) returns boolean language sql immutable parallel safe set search_path = ''
  return cardinality(texts) = (select count(distinct one) from unnest(texts) one);

-- A shallow merge: given keys win, and a null removes its key.
create function app.merged(before jsonb, given jsonb) returns jsonb
  language sql immutable strict parallel safe set search_path = ''
  return coalesce((select jsonb_object_agg(e.key, e.value) from jsonb_each(before || given) e
                   where not (given ? e.key and e.value = 'null'::jsonb)), '{}');

-- Records in words ---------------------------------------------------------------------------------

-- A record of the kind after which a table is named: “1 dispatch” of dispatches.
create function app.singular(records text) returns text
  language sql immutable strict parallel safe set search_path = ''
  return replace(regexp_replace(regexp_replace(regexp_replace(records,
    'ies$', 'y'), '(?:z?([xz])|([cs]h))es$', '\1\2'), '([^s])s$', '\1'), '_', ' ');

-- A number of records in words: 1 guest, 2 status changes.
create function app.counted(number bigint, records text) returns text language sql immutable set search_path = ''
  return number || ' ' || case number when 1 then app.singular(records) else replace(records, '_', ' ') end;

-- A value of a record in a sentence of ours, so that it cannot pass for one: quoted, on one line, without quotation marks of
-- its own, and cut.
create function app.quoted(value text) returns text language sql immutable set search_path = ''
return (select '“' || case when length(v) > 60 then left(v, 59) || '…' else v end || '”'
        from (select translate(regexp_replace(left(value, 500), '[[:cntrl:]\u2028\u2029]+', ' ', 'g'), '“”"', '') as v) t);

-- What a value is the id of, if that is another kind of record than the wanted one. Where two hosts have records of one
-- name, the wanted one has the host's before it: `work_task`.
create function app.wrong_id(field text, wanted text, value uuid) returns text language plpgsql stable set search_path = ''
as $$
declare
  other record;
  is_there boolean;
begin
  wanted := case when wanted in ('user', 'profile', 'staff_user', 'platform_account') then 'account' else replace(wanted, '_', ' ') end;
  for other in
    select c.oid::regclass as records, app.singular(c.relname::text) as kind, c.relnamespace::regnamespace::text as area
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'id' and a.atttypid = 'uuid'::regtype
    where c.relkind = 'r' and has_schema_privilege(c.relnamespace, 'usage') and has_table_privilege(c.oid, 'select')
    order by c.relname, c.oid
  loop
    execute format('select exists (select from %s where id = $1)', other.records) into is_there using value;
    if is_there then
      if other.records in ('learn.profiles'::regclass, 'staff.users'::regclass) then
        other.kind := 'account';
      elsif wanted like '% ' || other.kind then
        other.kind := other.area || ' ' || other.kind;
      end if;
      if other.kind = wanted then
        return null;
      end if;
      return format('%s is the id of another kind of record: %s instead of %s', field, other.kind, wanted)
        || coalesce((select format('; the member of this account is %s', p.member_id)
                     from learn.profiles p where p.id = value and p.member_id is not null and wanted = 'member'), '');
    end if;
  end loop;
  return null;
end
$$;

-- Why a caller finds no record of this kind with this id: it is the id of another kind, or of no record that they see.
create function app.explain_id(field text, wanted text, value uuid)
  returns text language sql stable set search_path = ''
return coalesce(app.wrong_id(field, wanted, value), format('no %s that you can see has this %s', wanted, field));

-- What is wrong with an id as the value of a field: null if the field refers to nothing, or to a record that the caller
-- sees.
create function app.explain_reference(records regclass, field text, value uuid)
  returns text language plpgsql stable set search_path = '' as $$
declare
  target regclass;
  wanted text;
  is_there boolean;
begin
  select f.confrelid::regclass, app.singular(c.relname::text) into target, wanted
  from pg_constraint f
  join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
  join pg_class c on c.oid = f.confrelid
  where f.conrelid = records and f.contype = 'f' and a.attname = field and has_table_privilege(f.confrelid, 'select')
  limit 1;
  if target is null then
    return null;
  end if;
  execute format('select exists (select from %s where id = $1)', target) into is_there using value;
  return case when not is_there then app.explain_id(field, wanted, value) end;
end
$$;

-- The records of the caller's organisation with these values. Capitals matter except in addresses: “NEW” is another
-- title than “New”. Runs as the owner, because lower() keeps the caller's policy from an index; the caller reads what
-- it finds.
create function app.find_same(records regclass, fields jsonb)
  returns setof uuid language plpgsql stable security definer rows 1 set search_path = '' as $$
declare
  conditions text;
begin
  select string_agg(format(case when a.attname like '%email' then 'lower(t.%I) = lower(%L)' else 't.%I = %L' end,
                           a.attname, fields ->> a.attname), ' and ' order by a.attnum)
    into conditions
  from pg_catalog.pg_attribute a
  where a.attrelid = records and a.attnum > 0 and not a.attisdropped and fields ? a.attname
    and a.atttypid in ('text'::regtype, 'uuid'::regtype, 'date'::regtype, 'timestamptz'::regtype, 'integer'::regtype)
  having count(*) = (select count(*) from jsonb_object_keys(fields));
  if conditions is null then
    raise check_violation using column = '_meta.frontdesk/unique', message = 'has a field that cannot be compared';
  end if;
  return query execute format('select t.id from %s t where t.organization_id = app.caller_org() and %s', records, conditions);
end
$$;

-- Sets the time of an update that changes something. Generated columns follow from others, and are computed later.
create function app.touch() returns trigger language plpgsql set search_path = '' as $$
declare
  generated constant text[] := array(select a.attname::text from pg_catalog.pg_attribute a
                                     where a.attrelid = tg_relid and a.attgenerated <> '' and not a.attisdropped);
begin
  if to_jsonb(new) - generated is distinct from to_jsonb(old) - generated then
    new.updated_at := now();
  end if;
  return new;
end
$$;

-- Refuses to delete a row that others refer to, and lists those that the caller sees. PostgreSQL refuses the rest.
create function app.refuse_while_in_use() returns trigger language plpgsql set search_path = '' as $$
declare
  reference record;
  many bigint;
  names text;
  found text[] := '{}';
begin
  for reference in
    select f.conrelid::regclass as records, c.relname::text as kind, a.attname as field,
           (select l.attname from pg_attribute l
            where l.attrelid = f.conrelid and l.attname in ('name', 'title') order by l.attname limit 1) as label
    from pg_constraint f
    join pg_class c on c.oid = f.conrelid
    join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
    where f.confrelid = tg_relid and f.contype = 'f' and f.confdeltype in ('a', 'r')
      and has_table_privilege(f.conrelid, 'select')
    order by c.relname, a.attname
  loop
    execute format(
      'select count(*), string_agg(app.quoted(label), '', '' order by place) filter (where place <= 5)
       from (select label, row_number() over (order by label) as place
             from (select %s as label from %s where %I = $1) referring) numbered',
      coalesce(quote_ident(reference.label), 'null::text'), reference.records, reference.field)
      into many, names using old.id;
    if many > 0 then
      found := found || concat(many, ' ',
        case when many = 1 then app.singular(reference.kind) else replace(reference.kind, '_', ' ') end,
        ' (' || names || case when many > 5 then format(' and %s more', many - 5) else '' end || ')');
    end if;
  end loop;
  if found <> '{}' then
    raise restrict_violation using message = format('this %s still has %s', app.singular(tg_table_name),
      concat_ws(' and ', nullif(array_to_string(trim_array(found, 1), ', '), ''), found[cardinality(found)]));
  end if;
  return old;
end
$$;

grant execute on function app.next_id, app.new_id to authenticated, frontdesk_identity, frontdesk_webhooks;
grant execute on function
  app.seed_ids, app.is_bounded(jsonb), app.is_bounded(jsonb, integer), app.is_distinct, app.merged, app.singular,
  app.counted, app.quoted, app.wrong_id, app.explain_id, app.explain_reference, app.find_same, app.touch,
  app.refuse_while_in_use
  to authenticated;
