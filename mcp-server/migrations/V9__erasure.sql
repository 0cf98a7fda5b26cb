-- People who are removed for good leave no trace beside the records.

-- The ids of people who were erased: a call that ran meanwhile stores no result about them.
create table app.forgotten (
  id uuid not null,
  erased_at timestamptz not null default now()
);
create index forgotten_erased_at_idx on app.forgotten (erased_at);

select app.admit_nobody('app.forgotten');

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
-- or contain one of its texts, of an account and an invitation their own. What an account wrote stays.
create function app.erase(person uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  own constant text := jsonb_build_object('id', person);
  named constant text := '%' || person || '%';
  texts constant text[] := array(
    select jsonb_array_elements_text(nullif(current_setting('app.erased_texts', true), '')::jsonb));
  is_member constant boolean := exists (
    select from app.changed_rows r where r.key = own and r.table_name = 'learn.members');
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
    update app.changed_rows r set before = null, after = null
    where r.key = own or is_member and (r.key like named or r.before like named or r.after like named)
      or exists (select from unnest(texts) t
                 where strpos(lower(r.before), t) > 0 or strpos(lower(r.after), t) > 0)
        and exists (select from app.changes c where c.id = r.change_id and c.organization_id = app.caller_org())
    returning r.change_id
  )
  select array_agg(distinct e.change_id) into erased from emptied e;
  update app.changes c set arguments = null
  where c.id = any (erased) or is_member and c.arguments like named
    or c.organization_id = app.caller_org()
      and exists (select from unnest(texts) t where strpos(lower(c.arguments), t) > 0);
  perform set_config('app.erasing', '', true);
  -- A key without a result stays used: its call is not made again.
  update app.idempotency_keys k set result = null
  where k.result like named
    or exists (select from unnest(texts) t where strpos(lower(k.result), t) > 0)
      and exists (select from app.callers a where a.id = k.user_id and a.organization = app.caller_org());
  delete from app.idempotency_keys k where k.user_id = person;
  delete from app.applied_plans a where a.account_id = person;
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

grant execute on function app.is_forgotten, app.lock_results to authenticated;
