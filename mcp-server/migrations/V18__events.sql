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
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  strategy_business_unit_id uuid not null,
  name text not null,
  name_key text generated always as (app.search_key(name)) stored,
  description text,
  location text,
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  start_at timestamptz,
  end_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint events_end_at_check check (end_at >= start_at),
  constraint events_strategy_business_unit_id_fkey foreign key (strategy_business_unit_id, organization_id)
    references strategy.business_units (id, organization_id),
  unique (id, organization_id)
);
create index events_start_at_idx on events.events (organization_id, start_at desc nulls last, id);
create index events_business_unit_idx on events.events (strategy_business_unit_id, organization_id);

create function events.business_unit_name(unit uuid) returns text
  language sql stable security definer set search_path = ''
  return (
    select u.name from strategy.business_units u
    where u.id = unit and u.organization_id = app.caller_org()
  );

-- Guests -------------------------------------------------------------------------------------------

create function events.ticket_codes(tags jsonb) returns text[]
  language sql immutable strict parallel safe set search_path = ''
  return (select coalesce(array_agg(lower(btrim(code #>> '{}'))), '{}')
          from jsonb_array_elements(case jsonb_typeof(tags -> 'ticket_code')
            when 'array' then tags -> 'ticket_code'
            when 'string' then jsonb_build_array(tags -> 'ticket_code')
            when 'number' then jsonb_build_array(tags -> 'ticket_code')
            else '[]' end) code
          where jsonb_typeof(code) in ('string', 'number')
            -- An index takes no long texts.
            and length(code #>> '{}') between 1 and 500);

create table events.guests (
  id uuid primary key default app.new_id(),
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
  tags jsonb not null default '{}' constraint guests_tags_size_check check (app.is_bounded(tags)),
  created_at timestamptz not null default now(),
  -- When a guest who was in was last checked in again, which changes nothing else. It makes an entry in the history, so
  -- that the check-in before it cannot be undone as if nobody relied on it.
  checked_in_again_at timestamptz,
  checked_in_by uuid,
  constraint guests_event_id_fkey foreign key (event_id, organization_id)
    references events.events (id, organization_id) on delete cascade,
  constraint guests_member_id_fkey foreign key (member_id, organization_id)
    references learn.members (id, organization_id),
  unique (id, event_id)
);
-- The order of the list, with the columns that the policy and the list's conditions read: guests before a page are
-- skipped in the index, without reading their rows.
create index guests_listed_idx on events.guests (event_id, organization_id, name_key, id) include (member_id, role);
create index guests_checked_in_idx on events.guests (event_id, organization_id, check_in_at) include (member_id);
-- Serves the last arrivals of an event.
create index guests_arrivals_idx on events.guests (event_id, check_in_at desc, id) where check_in_at is not null;
create index guests_member_id_idx on events.guests (member_id, organization_id, event_id);
create unique index guests_member_id_key on events.guests (event_id, organization_id, member_id);
create index guests_words_idx on events.guests using gin (name_words extensions.gin_trgm_ops);
create index guests_email_idx on events.guests (event_id, organization_id, lower(email) text_pattern_ops);
create index guests_tickets_idx on events.guests using gin (events.ticket_codes(tags));
-- An event belongs to one organisation: a condition on both is no rarer than one on the event. Without these
-- statistics PostgreSQL takes them for independent, expects a single guest of the largest event, and chooses the
-- wrong index.
create statistics events.guests_of_an_event (dependencies) on event_id, organization_id from events.guests;

-- Sessions -----------------------------------------------------------------------------------------

create table events.sessions (
  id uuid primary key default app.new_id(),
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
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org(),
  event_id uuid not null,
  title text not null,
  title_key text generated always as (app.search_key(title)) stored,
  description text,
  assignee_id uuid,
  status text not null default 'todo' check (status in ('todo', 'in_progress', 'done')),
  start_date date,
  due_date date,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint tasks_due_date_check check (due_date >= start_date),
  constraint tasks_event_id_fkey foreign key (event_id, organization_id)
    references events.events (id, organization_id) on delete cascade,
  constraint tasks_assignee_id_fkey foreign key (assignee_id, organization_id)
    references learn.members (id, organization_id)
);
create index tasks_event_id_idx on events.tasks (event_id, organization_id, due_date, id);
create index tasks_assignee_id_idx on events.tasks (assignee_id, organization_id);

create table events.expenses (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org(),
  event_id uuid not null,
  vendor_name text,
  vendor_key text generated always as (app.search_key(vendor_name)) stored,
  vendor_category text,
  vendor_email text,
  vendor_phone text,
  amount_estimated numeric(14, 2) check (amount_estimated >= 0),
  amount_paid numeric(14, 2) check (amount_paid >= 0),
  note text,
  created_at timestamptz not null default now(),
  constraint expenses_event_id_fkey foreign key (event_id, organization_id)
    references events.events (id, organization_id) on delete cascade
);
create index expenses_event_id_idx on events.expenses (event_id, organization_id, vendor_key, id);

create table events.photos (
  id uuid primary key default app.new_id(),
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
    perform app.secure(('events.' || t)::regclass), app.capture_changes(('events.' || t)::regclass);
    execute format('grant select, insert, update on events.%I to authenticated', t);
    -- Owners, admins and staff write everything; the policies below add other writers.
    execute format('create policy desk_insert on events.%I for insert to authenticated with check (%s)', t, desk);
  end loop;
  foreach t in array array['session_guests', 'photo_members'] loop
    execute format('create policy desk_delete on events.%I for delete to authenticated using (%s)', t, desk);
  end loop;
end
$$;
-- Only associations and guests can be deleted.
grant delete on events.session_guests, events.photo_members, events.guests to authenticated;

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
create policy remove on events.guests for delete to authenticated
  using (organization_id = (select app.caller_org()));

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
  with check (organization_id = (select app.caller_org()) and (select app.caller_role()) = 'finance');
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

-- Triggers -----------------------------------------------------------------------------------------

create trigger touch before update on events.events
  for each row when (current_setting('app.restoring', true) is distinct from 'on') execute function app.touch();
create trigger touch before update on events.tasks
  for each row when (current_setting('app.restoring', true) is distinct from 'on') execute function app.touch();

-- A check-in leaves the keys that are made from the name as they are; PostgreSQL makes them after this trigger.
create function events.teachers_only_check_in() returns trigger language plpgsql set search_path = '' as $$
declare
  free constant text[] := array['check_in_at', 'checked_in_again_at', 'checked_in_by', 'name_key', 'name_words'];
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

-- A guest who is in can be checked in again: somebody relies on the check-in, so that the one before is not undone as
-- if nobody did. Only the same report of the same account is no confirmation.
create function events.note_check_in() returns trigger language plpgsql set search_path = '' as $$
begin
  new.checked_in_again_at := case when old.check_in_at is not null and new.check_in_at is not null then now() end;
  if new.check_in_at is null or old.check_in_at is null then
    new.checked_in_by := case when new.check_in_at is not null then app.caller_id() end;
  end if;
  return new;
end
$$;
create trigger note_check_in before update of check_in_at on events.guests
  for each row when (current_setting('app.restoring', true) is distinct from 'on')
  execute function events.note_check_in();

-- The policy would hide the guest from other roles; this refuses them, also in an undo.
create function events.check_removal() returns trigger language plpgsql set search_path = '' as $$
begin
  if coalesce(app.caller_role() not in ('owner', 'admin', 'staff'), true) then
    raise insufficient_privilege;
  end if;
  return old;
end
$$;
-- An undo asks for the rights of what it does: a guest is taken away by who may remove guests.
create trigger check_removal before delete on events.guests
  for each row when (current_user = 'authenticated' or current_setting('app.restoring', true) is not distinct from 'on')
  execute function events.check_removal();

grant execute on function events.business_unit_name, events.ticket_codes, events.check_removal to authenticated;
