-- Whether a result is about somebody who was erased while its call ran.
create function app.is_forgotten(result text) returns boolean language sql stable security definer set search_path = ''
  return exists (
    select from app.forgotten f
    where f.erased_at > now() - interval '1 day' and strpos(result, f.id::text) > 0);

-- Calls that store a result and the erasure of a person take turns.
create function app.lock_results() returns void language sql set search_path = ''
  return pg_advisory_xact_lock_shared(hashtextextended(coalesce(app.caller_org()::text, ''), 95));

-- Adds texts to erase with the people of this transaction, such as their addresses.
create function app.erase_texts(texts text[]) returns void language plpgsql security definer set search_path = '' as $$
begin
  perform set_config('app.erased_texts', (
    coalesce(nullif(current_setting('app.erased_texts', true), ''), '[]')::jsonb
      || coalesce(to_jsonb(array(select lower(t) from unnest(texts) t where length(t) > 4)), '[]'))::text, true);
end
$$;

-- Removes a deleted person from everything that is kept beside the records: the history with the arguments of the
-- changes concerned, which cannot be undone any more, and stored results. Of a member these are all rows that name it
-- or have one of its texts as a value, of an account and an invitation their own. A text that somebody else has, too, is
-- left alone, and so is what an account wrote. Only the entries of the organisation are searched: no other can name its
-- members. For a call without an organisation, such as a command of the server, it is all entries.
create function app.erase(person uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  named constant text := '%' || person || '%';
  organization constant uuid := app.caller_org();
  given constant text[] := array(
    select t from jsonb_array_elements_text(nullif(current_setting('app.erased_texts', true), '')::jsonb) t where app.is_address(t));
  texts constant text[] := app.texts_of_nobody(given);
  -- Of a removed account, which its organisation or the operator removes, no call keeps the address; the member's rows do.
  removed_from constant uuid := (select p.organization_id from learn.profiles p where p.id = person and p.removed_at is not null);
  is_member constant boolean := exists (
    select from app.changed_rows r where r.key = jsonb_build_object('id', person)::text and r.table_name = 'learn.members');
  erased uuid[];
begin
  if exists (select from learn.members m where m.id = person and m.forgotten_at is null)
    or exists (select from learn.profiles p where p.id = person and p.removed_at is null)
    or exists (select from staff.invitations i where i.id = person) then
    raise insufficient_privilege;
  end if;
  insert into app.forgotten (id) values (person);
  delete from app.forgotten f where f.erased_at < now() - interval '2 days';
  perform pg_advisory_xact_lock(hashtextextended(coalesce(app.caller_org()::text, ''), 95));
  perform set_config('app.erasing', 'on', true);
  with emptied as (
    update app.changed_rows r set before = null, after = null from app.rows_about(person, texts) f
    where r.change_id = f.change_id and r.position = f.position
    returning r.change_id
  )
  select array_agg(distinct e.change_id) into erased from emptied e;
  update app.changes c set arguments = null where c.id = any (erased);
  update app.changes c set arguments = null
  where (organization is null or c.organization_id = organization)
    and (is_member and c.arguments like named or organization is not null and app.has_value(c.arguments, texts));
  if removed_from is not null then
    update app.changes c set arguments = null where c.organization_id = removed_from and app.has_value(c.arguments, given);
  end if;
  perform set_config('app.erasing', '', true);
  -- A key without a result stays used: its call is not made again.
  update app.idempotency_keys k set result = null
  where (organization is null or k.user_id in (
      select u.id from staff.users u where u.organization_id = organization
      union all select p.id from learn.profiles p where p.organization_id = organization))
    and (k.result like named or organization is not null and app.has_value(k.result, texts));
  delete from app.idempotency_keys k where k.user_id = person;
  delete from app.applied_plans a where a.account_id = person;
  delete from app.made_calls m where m.account_id = person;
end
$$;

-- Erases this person when the entry of the transaction is written, after its changes were compared with a preview; at
-- once without an entry.
create function app.erase_with_entry(person uuid)
  returns void language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(current_setting('app.change_id', true), '') = '' then
    perform app.erase(person);
  else
    perform set_config('app.erased', concat_ws(' ', nullif(current_setting('app.erased', true), ''), person), true);
  end if;
end
$$;

-- Gives rows the values in `given`, and their defaults to all other columns but these: a new column is personal unless it
-- is named among those that stay.
create function app.make_anonymous(of regclass, ids uuid[], stays text[], given jsonb) returns void
  language plpgsql set search_path = '' as $$
begin
  execute format('update %s t set %s where t.id = any ($1)', of, (
    select string_agg(format('%I = %s', a.attname, case when given ? a.attname then format('%L', given ->> a.attname)
                                                   else 'default' end), ', ' order by a.attnum)
    from pg_catalog.pg_attribute a
    where a.attrelid = of and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attname <> all (stays)))
    using ids;
end
$$;

-- The columns and arguments that have the address, telephone number or login of a person, or a search for one.
create function app.address_fields() returns text[] language sql immutable parallel safe set search_path = ''
  return array['author_login', 'chat_id', 'chat_user_id', 'code_host_login', 'confirmed_login', 'corporate_email', 'email',
    'login', 'personal_email', 'phone', 'phone_number', 'search', 'vendor_email', 'vendor_phone'];

-- Whether a text identifies a person: an e-mail address, or a number as long as a telephone number. A word such as
-- "confirmed" that somebody gave as an address does not.
create function app.is_address(value text) returns boolean language sql immutable parallel safe set search_path = ''
  return value ~ '[^@]@[^@]' or length(regexp_replace(value, '[^0-9]', '', 'g')) >= 7;

-- Whether a state or arguments, which are JSON, have one of the texts, in lower case, as a whole value in a field of
-- addresses.
create function app.has_value(state text, texts text[]) returns boolean
  language sql immutable parallel safe set search_path = ''
  return exists (select from unnest(texts) t where strpos(lower(state), to_json(t)::text) > 0)
    and exists (
      select from jsonb_path_query(lower(state)::jsonb, 'strict $.** ? (@.type() == "object").keyvalue()') f
      where f ->> 'key' = any (app.address_fields())
        and (f ->> 'value' = any (texts) or jsonb_typeof(f -> 'value') = 'array' and f -> 'value' ?| texts));

-- The rows of the history about a deleted person: of a member all that name it or have one of the texts as a value, of an
-- account and an invitation their own. For a call without an organisation, such as a command of the server, of all entries.
create function app.rows_about(person uuid, texts text[]) returns table (change_id uuid, "position" bigint)
  language plpgsql stable security definer
  -- Entry by entry: PostgreSQL does not know how many rows a pattern finds, and would read the whole history.
  set search_path = '' set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  own constant text := jsonb_build_object('id', person);
  named constant text := '%' || person || '%';
  organization constant uuid := app.caller_org();
  is_member constant boolean := exists (
    select from app.changed_rows r where r.key = own and r.table_name = 'learn.members');
begin
  return query
    select r.change_id, r.position from app.changed_rows r where r.key = own
    union
    select r.change_id, r.position from app.changes c join app.changed_rows r on r.change_id = c.id
    where (organization is null or c.organization_id = organization)
      and (is_member and (r.key like named or r.before like named or r.after like named)
        or organization is not null and (app.has_value(r.before, texts) or app.has_value(r.after, texts)));
end
$$;

grant execute on function app.is_forgotten, app.lock_results to authenticated;
