-- The history of changes: who reads it, how long it is kept, and how a person is removed from it. docs/changes.md
-- explains it.

-- Access -------------------------------------------------------------------------------------------

-- Whether the caller's policies permit a command with a row that is given as JSON. `command` is as in pg_policy: r, a,
-- w or d. `is_new` asks about the row as it is written, otherwise about the row as it is found. Null without a policy.
create function app.permits(of regclass, command "char", given jsonb, is_new boolean) returns boolean
  language plpgsql stable set search_path = ''
as $$
declare
  condition text;
  permitted boolean;
begin
  select string_agg(format('(%s)', rule), ' or ') into condition
  from (select pg_get_expr(case when is_new then coalesce(p.polwithcheck, p.polqual) else p.polqual end, p.polrelid)
        from pg_catalog.pg_policy p
        where p.polrelid = of and p.polpermissive and p.polcmd in (command, '*')
          and 'authenticated'::regrole = any (p.polroles)) r (rule)
  where rule is not null;
  if condition is null then
    return null;
  end if;
  execute format('select %s from jsonb_populate_record(null::%s, $1) %I', condition, of,
                 (select c.relname from pg_catalog.pg_class c where c.oid = of))
    into permitted using given;
  return coalesce(permitted, false);
end
$$;

-- The row with this key, as its owner sees it; with `is_locked`, until the transaction ends.
create function app.current_row(of regclass, key jsonb, is_locked boolean default false) returns jsonb
  language plpgsql security definer set search_path = ''
as $$
declare
  found jsonb;
begin
  execute format('select to_jsonb(t) from %1$s t, jsonb_populate_record(null::%1$s, $1) k where %2$s %3$s', of,
                 (select string_agg(format('t.%1$I = k.%1$I', name), ' and ') from jsonb_object_keys(key) name),
                 case when is_locked then 'for update of t' else '' end)
    into found using key;
  return found;
end
$$;

-- The last recorded state of a row that was deleted.
create function app.last_row(of text, key_text text) returns jsonb
  language sql stable security definer set search_path = ''
  return (select r.before::jsonb from app.changed_rows r
          where r.table_name = of and r.key = key_text and r.operation = 'delete'
          order by r.position desc limit 1);

-- Whether the caller can read the row in the states before and after a change. Of an update only the changed columns
-- are known: the others are those of the row now, or when it was deleted.
create function app.may_read_row(of text, key text, before text, after text) returns boolean
  language plpgsql set search_path = ''
as $$
declare
  records constant regclass := to_regclass(of);
  rest jsonb := '{}';
begin
  if records is null then
    return false;
  end if;
  if before is not null and after is not null then
    rest := coalesce(app.current_row(records, key::jsonb), app.last_row(of, key));
  end if;
  return coalesce((before is null or app.permits(records, 'r', rest || before::jsonb, false))
              and (after is null or app.permits(records, 'r', rest || after::jsonb, false)), false);
end
$$;

-- Of the entries that the caller reads, the rows that the caller can read. The function comes last: it costs the most.
drop policy nobody on app.changed_rows;
create policy read on app.changed_rows for select to authenticated
  using (case when exists (select from app.changes c where c.id = change_id)
              then app.may_read_row(table_name, key, before, after) else false end);
grant select on app.changed_rows to authenticated;

create index changes_undoes_idx on app.changes (undoes) where undoes is not null;
-- Finds the changes of a row by its id, and those of rows that link it to others.
create index changed_rows_key_idx on app.changed_rows (key);
create function app.key_values(key text) returns text[]
  language sql immutable strict parallel safe set search_path = ''
  return array(select value from jsonb_each_text(key::jsonb));
create index changed_rows_links_idx on app.changed_rows using gin (app.key_values(key)) where key not like '{"id"%';

-- Listing ------------------------------------------------------------------------------------------

-- The change that undid this one and is still in effect; null without one.
create function app.undone_by(target uuid) returns uuid
  language plpgsql stable security definer set search_path = ''
as $$
declare
  undo uuid;
begin
  select c.id into undo from app.changes c where c.undoes = target order by c.created_at desc, c.id desc limit 1;
  return case when undo is not null and app.undone_by(undo) is null then undo end;
end
$$;

-- Why the rows of a table are never restored; null for all others.
create function app.lasting(of text) returns text
  language sql immutable set search_path = ''
  return case
    when of in ('financing.journal_entries', 'financing.journal_lines')
      then 'a posted journal entry is reversed, not undone: use reverse_journal_entry'
    when of = 'staff.invitations' then 'an invitation is not undone: use revoke_invitation or invite_staff'
    when of = 'quiz.attempts' then 'an attempt at a quiz counts and cannot be undone'
  end;

-- Why a change can never be undone; null if it can. Later changes do not count.
create function app.obstacle(target uuid) returns text
  language sql stable security definer set search_path = ''
  return (select case
      when count(*) = 0 then 'no row of this change is recorded'
      when app.undone_by(target) is not null then 'this change was already undone'
      when count(*) filter (where r.before is null and r.after is null) > 0
        then 'this change is about a person who was deleted: their data was removed from the history'
      else min(app.lasting(r.table_name))
    end from app.changed_rows r where r.change_id = target);

-- A record of the kind after which a table is named: also a quiz, a sandbox and a lesson's progress.
create or replace function app.singular(records text) returns text
  language sql immutable strict parallel safe set search_path = ''
  return replace(regexp_replace(regexp_replace(regexp_replace(records,
    'ies$', 'y'), 'z?([xz])es$', '\1'), '([^s])s$', '\1'), '_', ' ');

-- A number of records in words: 1 guest, 2 status changes.
create function app.counted(number bigint, records text) returns text
  language sql immutable set search_path = ''
  return number || ' ' || case number when 1 then app.singular(records) else replace(records, '_', ' ') end;

-- What a change did, in words: `changed 1 task, added 1 task status change`.
create function app.summary(target uuid) returns text
  language sql stable security definer set search_path = ''
begin atomic
  with counts as (
    select min(r.position) as place, r.operation, split_part(r.table_name, '.', 2) as records,
           count(distinct r.key) as number, bool_or(r.is_direct) as is_direct
    from app.changed_rows r where r.change_id = target and r.table_name <> 'webhooks.events'
    group by r.operation, r.table_name
  ), ranked as (
    select c.*, row_number() over (order by c.is_direct desc, c.place) as rank from counts c
  )
  select concat_ws(', ',
    string_agg(case operation when 'insert' then 'added ' when 'update' then 'changed ' else 'removed ' end
               || app.counted(number, records), ', ' order by rank) filter (where rank <= 3),
    app.counted(nullif(sum(number) filter (where rank > 3), 0)::bigint, 'more_rows'))
  from ranked;
end;

create function app.count_rows(target uuid) returns integer
  language sql stable security definer set search_path = ''
  return (select count(*)::integer from app.changed_rows r
          where r.change_id = target and r.table_name <> 'webhooks.events');

-- The rows of a change that the caller cannot read, counted: they are known, not shown.
create function app.row_counts(target uuid) returns table (table_name text, operation text, number bigint)
  language sql stable security definer set search_path = ''
begin atomic
  select r.table_name, r.operation, count(*) from app.changed_rows r
  where r.change_id = target and r.table_name <> 'webhooks.events'
  group by r.table_name, r.operation;
end;

-- Whether a change has a row of this kind: the singular name of a table, also after that of its schema (staff_user).
create function app.has_kind(target uuid, kind text) returns boolean
  language sql stable security definer set search_path = ''
  return exists (
    select from app.changed_rows r
    where r.change_id = target
      and kind in (replace(app.singular(split_part(r.table_name, '.', 2)), ' ', '_'),
                   replace(app.singular(replace(r.table_name, '.', '_')), ' ', '_')));

-- The changes of the row with this id, and of rows that link it to others.
create function app.changes_of(record uuid) returns setof uuid
  language sql stable security definer set search_path = ''
begin atomic
  select r.change_id from app.changed_rows r where r.key = jsonb_build_object('id', record)::text
  union
  select r.change_id from app.changed_rows r
  where r.key not like '{"id"%' and app.key_values(r.key) @> array[record::text];
end;

-- The webhooks that a change caused, by type, and how many were delivered.
create function app.webhooks_of(target uuid) returns table (type text, number bigint, delivered bigint)
  language sql stable security definer set search_path = ''
begin atomic
  select e.type, count(*), count(e.delivered_at)
  from app.changed_rows r
  join webhooks.events e on e.id::text = r.key::jsonb ->> 'id' and e.organization_id = app.caller_org()
  where r.change_id = target and r.table_name = 'webhooks.events'
  group by e.type;
end;

grant execute on function
  app.permits(regclass, "char", jsonb, boolean), app.current_row(regclass, jsonb, boolean), app.last_row(text, text),
  app.may_read_row(text, text, text, text), app.undone_by(uuid), app.obstacle(uuid), app.summary(uuid),
  app.count_rows(uuid), app.row_counts(uuid), app.has_kind(uuid, text), app.changes_of(uuid), app.counted(bigint, text), app.webhooks_of(uuid)
  to authenticated;

-- Retention ----------------------------------------------------------------------------------------

-- Nobody changes an entry, also not the owner, except for the two functions below.
create function app.append_only() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  raise insufficient_privilege
    using constraint = 'append_only', message = 'the history of changes is append-only';
end
$$;
create trigger append_only before update or delete on app.changes
  for each row when (current_setting('app.erasing', true) is distinct from 'on') execute function app.append_only();
create trigger append_only before update or delete on app.changed_rows
  for each row when (current_setting('app.erasing', true) is distinct from 'on') execute function app.append_only();

-- Keeps the entries of the last days, 0 for none: creates the partitions of the coming week, and drops older ones.
create function app.keep_changes(days integer) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  first_day constant date := case when days = 0 then 'infinity' else (now() at time zone 'UTC')::date - days end;
  part record;
begin
  perform pg_advisory_xact_lock(hashtext('app.keep_changes')), set_config('app.erasing', 'on', true);
  for part in
    select c.relname as name
    from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('app.changes'::regclass, 'app.changed_rows'::regclass)
      and c.relname ~ '_[0-9]{8}$' and to_date(right(c.relname, 8), 'YYYYMMDD') < first_day
  loop
    execute format('drop table app.%I', part.name);
  end loop;
  delete from app.changes_default c where days = 0 or c.id < app.first_change_id(first_day::timestamp at time zone 'UTC');
  delete from app.changed_rows_default r
  where days = 0 or r.change_id < app.first_change_id(first_day::timestamp at time zone 'UTC');
  if days > 0 then
    perform app.make_change_partitions(7);
  end if;
  perform set_config('app.erasing', '', true);
end
$$;
grant usage on schema app to frontdesk_webhooks;
grant execute on function app.keep_changes(integer) to frontdesk_webhooks;

alter table app.changes alter column arguments drop not null;

-- Removes a deleted person from the history, and the arguments of the changes concerned, which cannot be undone any more:
-- of a member all rows that name it, of an account its own rows. What an account wrote stays.
create function app.erase(person uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  is_account constant boolean := exists (select from learn.profiles p where p.id = person and p.removed_at is not null);
  named constant text := case when is_account then null else '%' || person || '%' end;
  erased uuid[];
begin
  if exists (select from learn.members m where m.id = person)
    or exists (select from learn.profiles p where p.id = person and p.removed_at is null) then
    raise insufficient_privilege;
  end if;
  perform set_config('app.erasing', 'on', true);
  with emptied as (
    update app.changed_rows r set before = null, after = null
    where r.key::jsonb ->> 'id' = person::text or r.key like named or r.before like named or r.after like named
    returning r.change_id
  )
  select array_agg(distinct e.change_id) into erased from emptied e;
  update app.changes c set arguments = null where c.id = any (erased) or c.arguments like named;
  perform set_config('app.erasing', '', true);
end
$$;

-- Erases this person when the entry of the transaction is written, after its changes were compared with a preview; at
-- once without an entry.
create function app.erase_with_entry(person uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  if coalesce(current_setting('app.change_id', true), '') = '' then
    perform app.erase(person);
  else
    perform set_config('app.erased', concat_ws(' ', nullif(current_setting('app.erased', true), ''), person), true);
  end if;
end
$$;

-- A member is deleted for good. The undo of adding one is no such deletion: it can be undone itself.
create function learn.forget_member() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform app.erase_with_entry(old.id);
  return null;
end
$$;
create trigger forget_member after delete on learn.members
  for each row when (current_setting('app.restoring', true) is distinct from 'on')
  execute function learn.forget_member();

create or replace function auth.remove_account(account uuid) returns void
  language plpgsql set search_path = ''
as $$
begin
  insert into learn.profiles (id, organization_id, name)
  select a.id, a.organization_id, split_part(a.email, '@', 1) from auth.users a
  where a.id = account and a.organization_id is not null
  on conflict do nothing;
  update learn.profiles p
  set name = p.name || ' (former)', avatar_url = null, member_id = null, chat_user_id = null, code_host_login = null,
      fellow_slug = null, level = 0, removed_at = now()
  where p.id = account and p.removed_at is null;
  delete from staff.users u where u.id = account;
  delete from auth.users a where a.id = account;
  perform app.erase_with_entry(account);
end
$$;
