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

-- Guests -------------------------------------------------------------------------------------------

-- The codes in all tags of a guest, each behind the name of its tag: the organisation's choice of tags is not a part of
-- the index, and counts at once.
create function events.ticket_codes(tags jsonb) returns text[]
  language sql immutable strict parallel safe set search_path = ''
  return (select coalesce(array_agg(tag.key || E'\t' || lower(btrim(code #>> '{}'))), '{}')
          from jsonb_each(case jsonb_typeof(tags) when 'object' then tags else '{}' end) tag,
          jsonb_array_elements(case when jsonb_typeof(tag.value) = 'array' then tag.value
                                    else jsonb_build_array(tag.value) end) code
          where jsonb_typeof(code) in ('string', 'number')
            -- An index takes no long texts.
            and length(code #>> '{}') between 1 and 500 and length(tag.key) <= 60);

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
  -- The transaction that last wrote the guest. A reader has all changes of the transactions before the oldest one that
  -- was running, which a time does not say.
  changed_in xid8 not null default pg_current_xact_id(),
  constraint guests_event_id_fkey foreign key (event_id, organization_id)
    references events.events (id, organization_id) on delete cascade,
  constraint guests_member_id_fkey foreign key (member_id, organization_id)
    references learn.members (id, organization_id),
  unique (id, event_id)
  -- Each check-in leaves a dead row in the table and in its 11 indexes: by default PostgreSQL would wait until a fifth of
  -- all guests are dead.
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
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
create index guests_changed_idx on events.guests (event_id, organization_id, changed_in, id);
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
-- What the agenda finds by day.
create index sessions_start_time_idx on events.sessions (organization_id, start_time, id) where start_time is not null;

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

create trigger touch before update on events.events
  for each row when (current_setting('app.restoring', true) is distinct from 'on') execute function app.touch();
create trigger touch before update on events.tasks
  for each row when (current_setting('app.restoring', true) is distinct from 'on') execute function app.touch();

grant execute on function events.ticket_codes to authenticated;
