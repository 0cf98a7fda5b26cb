-- A person is forgotten: what identifies them goes everywhere, and what the law keeps is named.

alter table learn.members
  -- When the person was forgotten. The row stays for the records that count it.
  add column forgotten_at timestamptz;
select app.capture_changes('learn.members');

-- The ids of people who were erased: a call that ran meanwhile stores no result about them.
create table app.forgotten (id uuid not null, erased_at timestamptz not null default now());
create index forgotten_erased_at_idx on app.forgotten (erased_at);
alter table app.forgotten enable row level security;
alter table app.forgotten force row level security;
create policy nobody on app.forgotten using (false);

-- Whether a result is about somebody who was erased while its call ran.
create function app.is_forgotten(result text) returns boolean
  language sql stable security definer set search_path = ''
  return exists (
    select from app.forgotten f
    where f.erased_at > now() - interval '1 day' and strpos(result, f.id::text) > 0);
-- Calls that store a result and the erasure of a person take turns.
create function app.lock_results() returns void
  language sql set search_path = ''
  return pg_advisory_xact_lock_shared(hashtextextended(coalesce(app.caller_org()::text, ''), 95));
grant execute on function app.is_forgotten(text), app.lock_results() to authenticated;

-- Adds texts to erase with the people of this transaction, such as their addresses.
create function app.erase_texts(texts text[]) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  perform set_config('app.erased_texts', (
    coalesce(nullif(current_setting('app.erased_texts', true), ''), '[]')::jsonb
      || coalesce(to_jsonb(array(select lower(t) from unnest(texts) t where length(t) > 4)), '[]'))::text, true);
end
$$;

create or replace function app.erase(person uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
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

create or replace function learn.forget_member() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform app.erase_texts(array[old.personal_email, old.corporate_email]);
  perform app.erase_with_entry(old.id);
  return null;
end
$$;

-- Forgets a member with its guests, or a guest with those of the same address. Returns what became of the records.
create function ops.forget_person(member uuid, guest uuid)
  returns table (kind text, number bigint, outcome text, reason text)
  language plpgsql security definer set search_path = ''
as $$
declare
  organization constant uuid := app.caller_org();
  nobody constant text := 'Forgotten person';
  person learn.members;
  account uuid;
  addresses text[];
  guests uuid[];
  one uuid;
begin
  if coalesce(app.caller_role() <> 'owner', true) then
    raise insufficient_privilege;
  end if;
  if member is not null then
    select * into person from learn.members m
    where m.id = member and m.organization_id = organization and m.forgotten_at is null for update;
    if not found then
      return;
    end if;
    select p.id into account from learn.profiles p where p.member_id = member;
    if exists (select from staff.users u where u.id = account) then
      raise check_violation using column = 'member_id',
        message = 'has an account on the staff: remove the account first, with remove_account';
    end if;
    addresses := array_remove(array[lower(person.personal_email), lower(person.corporate_email)], null);
  else
    select array_remove(array[lower(g.email)], null) into addresses from events.guests g
    where g.id = guest and g.organization_id = organization;
    if not found then
      return;
    end if;
  end if;
  guests := array(
    select g.id from events.guests g
    where g.organization_id = organization
      and (g.id = guest or g.member_id = member or lower(g.email) = any (addresses)));
  perform app.erase_texts(addresses || array(
    select x from events.guests g, unnest(array[g.phone_number, g.chat_id]) x where g.id = any (guests) and x is not null)
    || array_remove(array[person.phone], null));

  if account is not null then
    perform auth.remove_account(account);
    update learn.profiles p set name = nobody || ' (former)' where p.id = account;
    return query values ('account', 1::bigint, 'erased', null::text);
  end if;
  if member is not null then
    delete from work.member_label_aliases a where a.member_id = member;
    delete from work.placements p where p.member_id = member;
    delete from learn.tutor_profiles t where t.member_id = member;
    update work.meeting_participants p set label = nobody || ' ' || left(p.id::text, 8), member_id = null
    where p.member_id = member;
    update work.transcript_segments s set speaker = nobody, member_id = null where s.member_id = member;
    delete from staff.invitations i where i.member_id = member and i.accepted_at is null;
    update learn.members m
    set name = nobody, personal_email = null, corporate_email = null, phone = null, city = null, state = null,
        tags = '{}', is_active = false, forgotten_at = now()
    where m.id = member;
    return query values ('member', 1::bigint, 'anonymous', 'other records count this person');
  end if;
  return query
    with gone as (delete from quiz.dispatches d where d.guest_id = any (guests) returning d.id)
    select 'dispatch', count(*), 'erased', null::text from gone having count(*) > 0;
  update events.guests g
  set name = nobody, email = null, phone_number = null, chat_id = null, tags = '{}', member_id = null
  where g.id = any (guests);
  return query
    select 'guest', cardinality(guests)::bigint, 'anonymous', 'events count their guests' where cardinality(guests) > 0;
  return query
    with drafts as (
      update staff.invoices i set billed_to = nobody, email = null, member_id = null
      where i.organization_id = organization and (i.member_id = member or lower(i.email) = any (addresses))
        and i.status = 'draft' returning i.id)
    select 'invoice', count(*), 'anonymous', 'drafts'::text from drafts having count(*) > 0;
  return query
    select 'invoice', count(*), 'kept', 'a sent invoice is a record that the law keeps, with name and address'
    from staff.invoices i
    where i.organization_id = organization and (i.member_id = member or lower(i.email) = any (addresses))
    having count(*) > 0;
  return query
    select 'fellow payment', count(*), 'kept', 'payments are records that the law keeps; they name nobody now'
    from payments.fellow_payments p where p.member_id = member having count(*) > 0;
  foreach one in array array_remove(guests || member, null) loop
    perform app.erase_with_entry(one);
  end loop;
end
$$;
grant execute on function ops.forget_person(uuid, uuid) to authenticated;
