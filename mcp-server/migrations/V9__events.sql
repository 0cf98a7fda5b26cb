-- The events host (specification, sections 2 and 4.3). docs/access.md lists the rights.
--
-- An index that begins with a reference has the organisation next: the policy compares it, so that PostgreSQL finds
-- no entry for another organisation's record and reads no row, as for a record that does not exist. A unique key
-- with a reference has the organisation too: keys are checked before references, and a conflict would reveal the
-- record.

create schema events authorization frontdesk_owner;
grant usage on schema events to authenticated;

-- Events -------------------------------------------------------------------------------------------

create table events.events (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  strategy_business_unit_id uuid not null,
  name text not null,
  name_key text generated always as (app.search_key(name)) stored,
  description text,
  location text,
  latitude double precision constraint events_latitude_check check (latitude between -90 and 90),
  longitude double precision constraint events_longitude_check check (longitude between -180 and 180),
  start_at timestamptz,
  end_at timestamptz,
  created_at timestamptz not null default now(),
  constraint events_end_at_check check (end_at >= start_at),
  constraint events_strategy_business_unit_id_fkey
    foreign key (strategy_business_unit_id, organization_id)
    references strategy.business_units (id, organization_id),
  unique (id, organization_id)
);
create index events_start_at_idx on events.events (organization_id, start_at desc nulls last, id);
create index events_business_unit_idx on events.events (strategy_business_unit_id, organization_id);

-- Guests -------------------------------------------------------------------------------------------

create table events.guests (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org(),
  event_id uuid not null,
  name text not null,
  name_key text generated always as (app.search_key(name)) stored,
  name_words text generated always as (app.name_words(name)) stored,
  email text,
  phone_number text,
  role text,
  member_id uuid,
  chat_id text,
  check_in_at timestamptz,
  tags jsonb not null default '{}'
    constraint guests_tags_size_check check (app.is_bounded(tags)),
  created_at timestamptz not null default now(),
  constraint guests_event_id_fkey foreign key (event_id, organization_id)
    references events.events (id, organization_id) on delete cascade,
  constraint guests_member_id_fkey foreign key (member_id, organization_id)
    references learn.members (id, organization_id),
  unique (id, event_id)
);
-- The order of the list, with the columns that the policy and the list's conditions read: guests before a page are
-- skipped in the index, without reading their rows.
create index guests_listed_idx on events.guests (event_id, organization_id, name_key, id) include (member_id, role);
-- Counts checked-in guests without reading their rows.
create index guests_checked_in_idx on events.guests (event_id, organization_id, check_in_at);
-- Serves the last arrivals of an event.
create index guests_arrivals_idx on events.guests (event_id, check_in_at desc, id)
  where check_in_at is not null;
create index guests_member_id_idx on events.guests (member_id, organization_id, event_id);
create unique index guests_member_id_key on events.guests (event_id, organization_id, member_id);
create index guests_words_idx on events.guests using gin (name_words extensions.gin_trgm_ops);
create index guests_email_idx on events.guests (event_id, organization_id, lower(email) text_pattern_ops);
-- An event belongs to one organisation: a condition on both is no rarer than one on the event. Without these
-- statistics PostgreSQL takes them for independent, expects a single guest of the largest event, and chooses the
-- wrong index.
create statistics events.guests_of_an_event (dependencies) on event_id, organization_id from events.guests;

-- Sessions -----------------------------------------------------------------------------------------

create table events.sessions (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org(),
  event_id uuid not null,
  title text not null,
  title_key text generated always as (app.search_key(title)) stored,
  description text,
  location text,
  start_time timestamptz,
  end_time timestamptz,
  "order" double precision not null default 0,
  created_at timestamptz not null default now(),
  constraint sessions_end_time_check check (end_time >= start_time),
  constraint sessions_event_id_fkey foreign key (event_id, organization_id)
    references events.events (id, organization_id) on delete cascade,
  unique (id, event_id)
);
create index sessions_event_id_idx on events.sessions (event_id, organization_id, "order", id);

-- The guests of a session; both references require the same event.
create table events.session_guests (
  session_id uuid not null,
  guest_id uuid not null,
  event_id uuid not null,
  organization_id uuid not null default app.caller_org(),
  primary key (session_id, event_id, guest_id),
  constraint session_guests_session_id_fkey foreign key (session_id, event_id)
    references events.sessions (id, event_id) on delete cascade,
  constraint session_guests_guest_ids_fkey foreign key (guest_id, event_id)
    references events.guests (id, event_id) on delete cascade
);
create index session_guests_guest_id_idx on events.session_guests (guest_id, event_id);

-- Tasks, expenses, photos --------------------------------------------------------------------------

create table events.tasks (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org(),
  event_id uuid not null,
  title text not null,
  title_key text generated always as (app.search_key(title)) stored,
  description text,
  assignee_id uuid,
  status text not null default 'todo'
    constraint tasks_status_check check (status in ('todo', 'in_progress', 'done')),
  start_date date,
  due_date date,
  created_at timestamptz not null default now(),
  constraint tasks_due_date_check check (due_date >= start_date),
  constraint tasks_event_id_fkey foreign key (event_id, organization_id)
    references events.events (id, organization_id) on delete cascade,
  constraint tasks_assignee_id_fkey foreign key (assignee_id, organization_id)
    references learn.members (id, organization_id)
);
create index tasks_event_id_idx on events.tasks (event_id, organization_id, due_date, id);
create index tasks_assignee_id_idx on events.tasks (assignee_id, organization_id);

create table events.expenses (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org(),
  event_id uuid not null,
  vendor_name text,
  vendor_key text generated always as (app.search_key(vendor_name)) stored,
  vendor_category text,
  vendor_email text,
  vendor_phone text,
  amount_estimated numeric(14, 2)
    constraint expenses_amount_estimated_check check (amount_estimated >= 0),
  amount_paid numeric(14, 2) constraint expenses_amount_paid_check check (amount_paid >= 0),
  note text,
  created_at timestamptz not null default now(),
  constraint expenses_event_id_fkey foreign key (event_id, organization_id)
    references events.events (id, organization_id) on delete cascade
);
create index expenses_event_id_idx on events.expenses (event_id, organization_id, vendor_key, id);

create table events.photos (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org(),
  event_id uuid not null,
  url text not null,
  caption text,
  sort_order double precision not null default 0,
  created_at timestamptz not null default now(),
  constraint photos_event_id_fkey foreign key (event_id, organization_id)
    references events.events (id, organization_id) on delete cascade,
  unique (id, organization_id)
);
create index photos_event_id_idx on events.photos (event_id, organization_id, sort_order, id);

-- The members tagged in a photo.
create table events.photo_members (
  photo_id uuid not null,
  member_id uuid not null,
  organization_id uuid not null default app.caller_org(),
  primary key (photo_id, organization_id, member_id),
  constraint photo_members_photo_id_fkey foreign key (photo_id, organization_id)
    references events.photos (id, organization_id) on delete cascade,
  constraint photo_members_member_ids_fkey foreign key (member_id, organization_id)
    references learn.members (id, organization_id)
);
create index photo_members_member_id_idx on events.photo_members (member_id, organization_id);

-- Access -------------------------------------------------------------------------------------------

do $$
declare
  t text;
  desk constant text := $r$ organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff') $r$;
begin
  foreach t in array array['events', 'guests', 'sessions', 'session_guests', 'tasks', 'expenses',
                           'photos', 'photo_members'] loop
    execute format('alter table events.%I enable row level security', t);
    execute format('alter table events.%I force row level security', t);
    execute format('grant select, insert, update on events.%I to authenticated', t);
    -- Owners, admins and staff write everything; the policies below add other writers.
    execute format('create policy desk_insert on events.%I for insert to authenticated with check (%s)', t, desk);
  end loop;
  -- Only associations can be deleted.
  foreach t in array array['session_guests', 'photo_members'] loop
    execute format('grant delete on events.%I to authenticated', t);
    execute format('create policy desk_delete on events.%I for delete to authenticated using (%s)', t, desk);
  end loop;
end
$$;

-- Events: everybody in the organisation except machines reads them.
create policy read on events.events for select to authenticated
  using (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff', 'teacher', 'finance', 'fellow'));
create policy write on events.events for update to authenticated
  using (organization_id = (select app.caller_org()))
  with check (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff'));

-- Guests: fellows see their own entry. Teachers check guests in and change nothing else; policies do not see single
-- columns, so a trigger below enforces that.
create policy read on events.guests for select to authenticated
  using (organization_id = (select app.caller_org())
    and ((select app.caller_role()) in ('owner', 'admin', 'staff', 'teacher', 'finance')
      or (select app.caller_role()) = 'fellow' and member_id = (select app.caller_member())));
create policy write on events.guests for update to authenticated
  using (organization_id = (select app.caller_org()))
  with check (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff', 'teacher'));

-- Sessions: like events. Of the guests of a session, fellows see their own entry.
create policy read on events.sessions for select to authenticated
  using (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff', 'teacher', 'finance', 'fellow'));
create policy write on events.sessions for update to authenticated
  using (organization_id = (select app.caller_org()))
  with check (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff'));
create policy read on events.session_guests for select to authenticated
  using (organization_id = (select app.caller_org())
    and ((select app.caller_role()) in ('owner', 'admin', 'staff', 'teacher', 'finance')
      or exists (select from events.guests g where g.id = guest_id)));

-- Tasks: the staff except teachers read all, fellows their own.
create policy read on events.tasks for select to authenticated
  using (organization_id = (select app.caller_org())
    and ((select app.caller_role()) in ('owner', 'admin', 'staff', 'finance')
      or (select app.caller_role()) = 'fellow' and assignee_id = (select app.caller_member())));
create policy write on events.tasks for update to authenticated
  using (organization_id = (select app.caller_org()))
  with check (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff'));

-- Expenses: finance reads and writes them, too.
create policy read on events.expenses for select to authenticated
  using (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff', 'finance'));
create policy finance_insert on events.expenses for insert to authenticated
  with check (organization_id = (select app.caller_org())
    and (select app.caller_role()) = 'finance');
create policy write on events.expenses for update to authenticated
  using (organization_id = (select app.caller_org()))
  with check (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff', 'finance'));

-- Photos and tagged members: the staff except teachers read them, and fellows.
create policy read on events.photos for select to authenticated
  using (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff', 'finance', 'fellow'));
create policy write on events.photos for update to authenticated
  using (organization_id = (select app.caller_org()))
  with check (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff'));
create policy read on events.photo_members for select to authenticated
  using (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff', 'finance', 'fellow'));

-- Functions and triggers ---------------------------------------------------------------------------

-- A check-in leaves the keys that are made from the name as they are; PostgreSQL makes them after this trigger.
create function events.teachers_only_check_in() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  free constant text[] := array['check_in_at', 'name_key', 'name_words'];
begin
  if app.caller_role() = 'teacher' and to_jsonb(new) - free is distinct from to_jsonb(old) - free then
    raise insufficient_privilege using
      message = 'teachers can only change a guest''s check-in',
      constraint = 'guests_teachers_only_check_in';
  end if;
  return new;
end
$$;
create trigger teachers_only_check_in before update on events.guests
  for each row execute function events.teachers_only_check_in();

-- One page of an event's guests that a search finds, best first, and by name among those found in the same way:
-- `name` if its words are the name's words, `prefix` if they begin words of the name or if the search begins the
-- e-mail address, `part` if the name contains them, `similar` if a letter of them is wrong.
--
-- A finder (see V3__search.sql). The conditions on the caller make the page as full as the policy will leave it.
--
-- Each way is a statement of its own, which ends as soon as the page is full: PostgreSQL plans it for this search,
-- reads frequent words in the list's order, and asks the index for the longest of rare ones. The index takes regular
-- expressions, too. Similarity of trigrams would miss most words of five letters with two in the wrong order: they
-- have a third of their trigrams in common.
create function events.find_guests(
  event uuid, search text, guest_role text, member uuid, page_limit bigint, page_offset bigint
) returns table (id uuid, matched text)
  language plpgsql stable security definer rows 100
  -- The index is small and in memory: with the costs of a disk, PostgreSQL would read the guests of a medium-sized
  -- event one by one.
  set search_path = '' set plan_cache_mode = force_custom_plan set random_page_cost = 1.1
as $$
#variable_conflict use_column
declare
  words constant text[] := array(
    select word from unnest(app.search_words(search)) word order by length(word) desc, word);
  patterns constant text[] := array(select app.word_pattern(word) from unnest(words) word);
  starts constant text[] := array(select '% ' || substr(pattern, 2) from unnest(patterns) pattern);
  completes constant text[] := array(select left(start, -1) || ' %' from unnest(starts) start);
  address constant text := case when search like '%@%'
    then ltrim(app.word_pattern(lower(btrim(search))), '%') end;
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
begin
  foreach way in array array['name', 'prefix', 'part', 'similar'] loop
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

-- The chat id for messages to a guest or a member, as far as the caller sees it: the guest's own, or else that of the
-- member's profile.
create function events.chat_of(guest uuid, member uuid) returns table (source text, chat_id text)
  language sql stable
begin atomic
  select case when g.chat_id is not null then 'guest'
              when p.chat_user_id is not null then 'profile' else 'none' end,
         coalesce(g.chat_id, p.chat_user_id)
  from (values (1)) one
  left join events.guests g on g.id = guest
  left join learn.profiles p on p.member_id = coalesce(member, g.member_id);
end;

grant execute on function
  events.find_guests(uuid, text, text, uuid, bigint, bigint), events.chat_of(uuid, uuid)
  to authenticated;
