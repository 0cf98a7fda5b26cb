-- Searches and counts that grew with rows that they do not concern.

-- Epics --------------------------------------------------------------------------------------------

-- Counts the tasks of an epic by status: equal keys are stored once, so an epic of 2,000 tasks is two pages. Without it
-- PostgreSQL can also choose the index of all tasks that are done.
create index tasks_counted_idx on work.tasks (epic_id, organization_id, status);

-- Profiles -----------------------------------------------------------------------------------------

create index users_search_idx on auth.users using gin (lower(email) extensions.gin_trgm_ops);

-- As before, but each text is looked up by itself: one condition on the texts of three tables uses no index.
create or replace function learn.find_profiles(search text) returns uuid[]
  language plpgsql stable security definer
  set search_path = '' set plan_cache_mode = force_custom_plan set random_page_cost = 1.1 as $$
declare
  pattern constant text := app.search_pattern(search);
begin
  -- A caller who sees no other profile searches none.
  if not (app.caller_is_staff() or app.caller_is_admin()) then
    return array(
      select p.id from learn.profiles p
      left join learn.members m on m.id = p.member_id
      left join auth.users u on u.id = p.id
      where p.id = app.caller_id() and p.organization_id = app.caller_org()
        and (p.name_key like pattern or m.found_by like pattern or lower(u.email) like pattern));
  end if;
  return array(
    select p.id from learn.profiles p
    where p.organization_id = app.caller_org() and p.name_key like pattern
    union
    select p.id from learn.members m join learn.profiles p on p.member_id = m.id and p.organization_id = m.organization_id
    where m.organization_id = app.caller_org() and m.found_by like pattern
    union
    select p.id from auth.users u join learn.profiles p on p.id = u.id
    where p.organization_id = app.caller_org() and lower(u.email) like pattern);
end
$$;

-- People who are removed ---------------------------------------------------------------------------

-- As before, but only the entries of the organisation are searched: no other can name its members. For a call without
-- an organisation, such as a command of the server, it is all entries.
create or replace function app.erase(person uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  own constant text := jsonb_build_object('id', person);
  named constant text := '%' || person || '%';
  organization constant uuid := app.caller_org();
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
  with found as (
    select r.change_id, r.position from app.changed_rows r where r.key = own
    union
    select r.change_id, r.position from app.changes c join app.changed_rows r on r.change_id = c.id
    where (organization is null or c.organization_id = organization)
      and (is_member and (r.key like named or r.before like named or r.after like named)
        or organization is not null and exists (
          select from unnest(texts) t where strpos(lower(r.before), t) > 0 or strpos(lower(r.after), t) > 0))
  ), emptied as (
    update app.changed_rows r set before = null, after = null from found f
    where r.change_id = f.change_id and r.position = f.position
    returning r.change_id
  )
  select array_agg(distinct e.change_id) into erased from emptied e;
  update app.changes c set arguments = null where c.id = any (erased);
  update app.changes c set arguments = null
  where (organization is null or c.organization_id = organization)
    and (is_member and c.arguments like named
      or organization is not null and exists (select from unnest(texts) t where strpos(lower(c.arguments), t) > 0));
  perform set_config('app.erasing', '', true);
  -- A key without a result stays used: its call is not made again.
  update app.idempotency_keys k set result = null
  where (organization is null or k.user_id in (
      select u.id from staff.users u where u.organization_id = organization
      union all select p.id from learn.profiles p where p.organization_id = organization))
    and (k.result like named
      or organization is not null and exists (select from unnest(texts) t where strpos(lower(k.result), t) > 0));
  delete from app.idempotency_keys k where k.user_id = person;
  delete from app.applied_plans a where a.account_id = person;
end
$$;

-- As before, but the guests with an address are looked up event by event: no index of guests begins with the organisation.
create or replace function ops.forget_person(member uuid, guest uuid)
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
    select g.id from events.guests g where g.id = guest and g.organization_id = organization
    union
    select g.id from events.guests g where g.member_id = member and g.organization_id = organization
    union
    select g.id from events.events e join events.guests g on g.event_id = e.id and g.organization_id = e.organization_id
    where e.organization_id = organization and lower(g.email) = any (addresses));
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

-- Guests -------------------------------------------------------------------------------------------

-- As before, apart from what the index is for.
create or replace function events.find_guests(
  event uuid, search text, guest_role text, member uuid, page_limit bigint, page_offset bigint
) returns table (id uuid, matched text)
  language plpgsql stable security definer rows 100
  -- The index is small and in memory: with the costs of a disk, PostgreSQL would read the guests of a medium-sized
  -- event one by one.
  set search_path = '' set plan_cache_mode = force_custom_plan set random_page_cost = 1.1
  set enable_bitmapscan = on
as $$
#variable_conflict use_column
declare
  words constant text[] := array(
    select word from unnest(app.search_words(search)) word order by length(word) desc, word);
  patterns constant text[] := array(select app.word_pattern(word) from unnest(words) word);
  starts constant text[] := array(select '% ' || substr(pattern, 2) from unnest(patterns) pattern);
  completes constant text[] := array(select left(start, -1) || ' %' from unnest(starts) start);
  codes constant text[] := events.codes_in(search);
  address constant text := case when search like '%@%' then ltrim(app.word_pattern(lower(btrim(search))), '%') end;
  -- If no word begins another one without `a` and `e`, in which spellings differ, then different words of the name
  -- begin with them.
  are_apart constant boolean := cardinality(words) > 0 and not exists (
    select from unnest(words) with ordinality one (word, place), unnest(words) with ordinality other (word, place)
    where one.place <> other.place and starts_with(translate(one.word, 'ae', ''), translate(other.word, 'ae', '')));
  longest constant text := coalesce(words[1], '');
  pattern constant text := app.word_pattern(longest);
  start constant text := '% ' || substr(pattern, 2);
  complete constant text := left(start, -1) || ' %';
  typo constant text := app.typo_pattern(longest);
  typos text[];
  way text;
  better uuid[] := '{}';
  found uuid[];
  wanted bigint := page_limit;
  skipped bigint := page_offset;
  most constant bigint := (select c.reltuples / 4000 from pg_catalog.pg_class c where c.oid = 'events.guests'::regclass);
begin
  -- The index is over the guests of all events. Reading them for a frequent word takes longer than reading this event's,
  -- if that has fewer than one guest in 4,000.
  if (select count(*) <= most from (select from events.guests g where g.event_id = event limit most + 1) few) then
    perform set_config('enable_bitmapscan', 'off', true);
  end if;
  foreach way in array array['ticket', 'name', 'prefix', 'part', 'similar'] loop
    if way = 'similar' then
      -- Only for a few words: PostgreSQL caches some 30 regular expressions, and would compile others for each guest.
      exit when typo is null or address is not null or cardinality(words) > 8;
      typos := array(select app.typo_pattern(word) from unnest(words) word);
    end if;
    found := array(
      select g.id
      from events.guests g
      where g.event_id = event
        and g.organization_id = (select app.caller_org())
        and ((select app.caller_role()) in ('owner', 'admin', 'staff', 'teacher', 'finance')
          or (select app.caller_role()) = 'fellow' and g.member_id = (select app.caller_member()))
        and case way
          when 'ticket' then
            events.ticket_codes(g.tags) && codes
          when 'name' then
            g.name_words like complete and g.name_words like all (completes)
            -- Most names have additional words; counting them costs less than pairing. Names with umlauts have their
            -- words twice.
            and cardinality(array_remove(string_to_array(g.name_words, ' '), ''))
              = cardinality(words) * case when lower(normalize(g.name, NFC)) ~ '[äöüøå]' then 2 else 1 end
            and app.pairs_words(words, g.name, g.name_words, true)
          when 'prefix' then
            g.name_words like start and g.name_words like all (starts)
              and (are_apart or app.pairs_words(words, g.name, g.name_words, false))
            or lower(g.email) like address
          when 'part' then
            g.name_words like pattern and g.name_words like all (patterns)
          else
            (g.name_words like pattern or g.name_words ~ typo)
            and (select bool_and(g.name_words like as_it_is or coalesce(g.name_words ~ with_typo, false))
                 from unnest(patterns, typos) word (as_it_is, with_typo))
          end
        and g.id <> all (better)
        and (guest_role is null or g.role = guest_role)
        and (member is null or g.member_id = member)
      order by g.name_key, g.id
      limit skipped + wanted);
    return query select one, way from unnest(found[skipped + 1:]) one;
    wanted := wanted - greatest(cardinality(found) - skipped, 0);
    exit when wanted <= 0;
    skipped := greatest(skipped - cardinality(found), 0);
    -- The page is not full, so these are all guests found in this way.
    better := better || found;
  end loop;
end
$$;

-- History ------------------------------------------------------------------------------------------

-- As before, but in a language that keeps its plans: a function of SQL in another's statement is planned at each call, with
-- a partition for each day of the history.

create or replace function app.parts(target uuid) returns setof uuid
  language plpgsql stable rows 2 security definer set search_path = '' as $$
begin
  return next target;
  if exists (select from app.changes a where a.id = target and a.is_action) then
    return query select c.id from app.changes c where c.action_id = target;
  end if;
end
$$;

-- The lowest id of an entry of the day before this one: entries that refer to it are not older, whatever the clock of
-- the process that made them.
create function app.day_before(entry uuid) returns uuid language sql immutable strict parallel safe set search_path = ''
  return (lpad(to_hex(greatest(('x' || left(replace(entry::text, '-', ''), 12))::bit(48)::bigint - 86400000, 0)), 12, '0')
          || repeat('0', 20))::uuid;
grant execute on function app.day_before to authenticated;

-- Reads the days since the change only.
create or replace function app.undone_by(target uuid)
  returns uuid language plpgsql stable security definer set search_path = '' as $$
declare
  undo uuid;
  since constant uuid := app.day_before(target);
begin
  select c.id into undo from app.changes c where c.undoes = target and c.id >= since
  order by c.created_at desc, c.id desc limit 1;
  return case when undo is not null and app.undone_by(undo) is null then undo end;
end
$$;

create or replace function app.obstacle(target uuid) returns text
  language plpgsql stable security definer set search_path = '' as $$
begin
  return (select case
      when app.undone_by(target) is not null then 'this change was already undone'
      when app.undone_by((select c.action_id from app.changes c where c.id = target)) is not null
        then 'the action of which this change is a part was already undone'
      when count(r) = 0 and count(p) > 1 then 'each change of this action was already undone'
      when count(r) = 0 then 'no row of this change is recorded'
      when count(r) filter (where r.before is null and r.after is null) > 0
        then 'this change is about a person who was deleted: their data was removed from the history'
      else min(app.lasting(r.table_name))
    end
    from app.parts_in_effect(target) p left join app.changed_rows r on r.change_id = p);
end
$$;

create or replace function app.summary(target uuid) returns text
  language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    with counts as (
      select min(r.position) as place, r.operation, split_part(r.table_name, '.', 2) as records,
             count(distinct r.key) as number, bool_or(r.is_direct) as is_direct
      from app.parts(target) p join app.changed_rows r on r.change_id = p
      where r.table_name <> 'webhooks.events'
      group by r.operation, r.table_name
    ), ranked as (
      select c.*, row_number() over (order by c.is_direct desc, c.place) as rank from counts c
    )
    select concat_ws(', ',
      string_agg(case operation when 'insert' then 'added ' when 'update' then 'changed ' else 'removed ' end
                 || app.counted(number, records), ', ' order by rank) filter (where rank <= 3),
      app.counted(nullif(sum(number) filter (where rank > 3), 0)::bigint, 'more_rows'))
    from ranked);
end
$$;

create or replace function app.count_rows(target uuid) returns integer
  language plpgsql stable security definer set search_path = '' as $$
begin
  return (select count(*)::integer from app.parts(target) p join app.changed_rows r on r.change_id = p
          where r.table_name <> 'webhooks.events');
end
$$;

create or replace function app.has_kind(target uuid, kind text) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from app.parts(target) p join app.changed_rows r on r.change_id = p
    where kind in (replace(app.singular(split_part(r.table_name, '.', 2)), ' ', '_'),
                   replace(app.singular(replace(r.table_name, '.', '_')), ' ', '_')));
end
$$;

create or replace function app.only_row(target uuid) returns bigint
  language plpgsql stable security definer set search_path = '' as $$
begin
  return (select case when count(*) = 1 then min(r.position) end
          from (select o.position from app.changed_rows o
                where o.change_id = target and o.is_direct and o.table_name <> 'webhooks.events' limit 2) r);
end
$$;

-- Indexes that nobody uses -------------------------------------------------------------------------

-- The titles of meetings are searched under row-level security, which uses no trigram index: LIKE is not leakproof. The
-- others are the beginnings of larger indexes of their tables.
drop index work.meetings_search_idx, learn.members_organization_id_idx, learn.profiles_organization_id_idx,
  work.meeting_participants_meeting_id_idx, work.meeting_participants_occurrence_id_idx;

-- Vacuum -------------------------------------------------------------------------------------------

-- Each check-in leaves a dead row in the table and in its 11 indexes: by default PostgreSQL would wait until a fifth of all
-- guests are dead.
alter table events.guests set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table work.tasks set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
