-- The events host (specification, sections 2 and 4.3). Who may what is in docs/access.md; each rule
-- stands once, in a policy.
--
-- An UPDATE policy's USING is what the caller sees and its WITH CHECK what the caller may write: a
-- row that is visible but not writable is refused (42501), an invisible one is not found.

create schema events authorization frontdesk_owner;
grant usage on schema events to authenticated;

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
create index events_business_unit_idx on events.events (strategy_business_unit_id);

create table events.guests (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org(),
  event_id uuid not null,
  name text not null,
  name_key text generated always as (app.search_key(name)) stored,
  email text,
  phone_number text,
  role text,
  member_id uuid,
  chat_id text,
  check_in_at timestamptz,
  tags jsonb not null default '{}',
  created_at timestamptz not null default now(),
  constraint guests_event_id_fkey foreign key (event_id, organization_id)
    references events.events (id, organization_id) on delete cascade,
  constraint guests_member_id_fkey foreign key (member_id, organization_id)
    references learn.members (id, organization_id),
  unique (id, event_id)
);
-- The order of the list; checked_in counts need no look at the rows.
create index guests_event_id_idx on events.guests (event_id, name_key, id);
create index guests_checked_in_idx on events.guests (event_id, check_in_at);
create index guests_member_id_idx on events.guests (member_id, event_id);
create unique index guests_member_id_key on events.guests (event_id, member_id);
create index guests_search_idx on events.guests using gin (name_key extensions.gin_trgm_ops);

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
create index sessions_event_id_idx on events.sessions (event_id, "order", id);

-- Which guests take part in a session: guests of the same event, by the two references.
create table events.session_guests (
  session_id uuid not null,
  guest_id uuid not null,
  event_id uuid not null,
  organization_id uuid not null default app.caller_org(),
  primary key (session_id, guest_id),
  constraint session_guests_session_id_fkey foreign key (session_id, event_id)
    references events.sessions (id, event_id) on delete cascade,
  constraint session_guests_guest_ids_fkey foreign key (guest_id, event_id)
    references events.guests (id, event_id) on delete cascade
);
create index session_guests_guest_id_idx on events.session_guests (guest_id);

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
create index tasks_event_id_idx on events.tasks (event_id, due_date, id);
create index tasks_assignee_id_idx on events.tasks (assignee_id);

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
create index expenses_event_id_idx on events.expenses (event_id, vendor_key, id);

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
create index photos_event_id_idx on events.photos (event_id, sort_order, id);

-- The members tagged in a photo.
create table events.photo_members (
  photo_id uuid not null,
  member_id uuid not null,
  organization_id uuid not null default app.caller_org(),
  primary key (photo_id, member_id),
  constraint photo_members_photo_id_fkey foreign key (photo_id, organization_id)
    references events.photos (id, organization_id) on delete cascade,
  constraint photo_members_member_ids_fkey foreign key (member_id, organization_id)
    references learn.members (id, organization_id)
);
create index photo_members_member_id_idx on events.photo_members (member_id);

-- Access ----------------------------------------------------------------------------------------

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
    -- Owner, admin and staff write everything; further writers have policies of their own below.
    execute format('create policy desk_insert on events.%I for insert to authenticated with check (%s)', t, desk);
  end loop;
  -- Only associations are ever deleted.
  foreach t in array array['session_guests', 'photo_members'] loop
    execute format('grant delete on events.%I to authenticated', t);
    execute format('create policy desk_delete on events.%I for delete to authenticated using (%s)', t, desk);
  end loop;
end
$$;

-- Events: read by everyone of the organisation but machines.
create policy read on events.events for select to authenticated
  using (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff', 'teacher', 'finance', 'fellow'));
create policy write on events.events for update to authenticated
  using (organization_id = (select app.caller_org()))
  with check (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff'));

-- Guests: a fellow sees the own; a teacher checks guests in and changes nothing else (the trigger
-- below: policies do not see single columns).
create policy read on events.guests for select to authenticated
  using (organization_id = (select app.caller_org())
    and ((select app.caller_role()) in ('owner', 'admin', 'staff', 'teacher', 'finance')
      or (select app.caller_role()) = 'fellow' and member_id = (select app.caller_member())));
create policy write on events.guests for update to authenticated
  using (organization_id = (select app.caller_org()))
  with check (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff', 'teacher'));

create function events.teachers_only_check_in() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  -- The search key is made from the name, and only after this trigger.
  if app.caller_role() = 'teacher'
    and to_jsonb(new) - array['check_in_at', 'name_key']
      is distinct from to_jsonb(old) - array['check_in_at', 'name_key'] then
    raise insufficient_privilege using message = 'a teacher changes nothing of a guest but the check-in';
  end if;
  return new;
end
$$;
create trigger teachers_only_check_in before update on events.guests
  for each row execute function events.teachers_only_check_in();

-- Sessions: as events. Of who takes part, a fellow sees the own.
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

-- Tasks: the office reads all, a fellow the own.
create policy read on events.tasks for select to authenticated
  using (organization_id = (select app.caller_org())
    and ((select app.caller_role()) in ('owner', 'admin', 'staff', 'finance')
      or (select app.caller_role()) = 'fellow' and assignee_id = (select app.caller_member())));
create policy write on events.tasks for update to authenticated
  using (organization_id = (select app.caller_org()))
  with check (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff'));

-- Expenses: the office reads and writes.
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

-- Photos and who is tagged in them: read by the office and by fellows.
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

-- Search ----------------------------------------------------------------------------------------

-- The ids of one page of an event's guests whose name matches, in the list's order.
--
-- LIKE is not leakproof, so that under row-level security PostgreSQL would test it on every guest of
-- the event only after the policy; here, as the owner, it can use the trigram index. This is a
-- look-up and grants nothing: the caller reads the guests themselves through the policy. The
-- conditions on the caller make the page as full as the policy will leave it.
create function events.find_guests(
  event uuid, pattern text, guest_role text, member uuid, page_limit bigint, page_offset bigint
) returns setof uuid
  language plpgsql stable security definer rows 100
  set search_path = '' set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    select g.id
    from events.guests g
    where g.event_id = event
      and g.organization_id = app.caller_org()
      and (app.caller_role() in ('owner', 'admin', 'staff', 'teacher', 'finance')
        or app.caller_role() = 'fellow' and g.member_id = app.caller_member())
      and g.name_key like pattern
      and (guest_role is null or g.role = guest_role)
      and (member is null or g.member_id = member)
    order by g.name_key, g.id
    limit page_limit offset page_offset;
end
$$;
grant execute on function events.find_guests(uuid, text, text, uuid, bigint, bigint) to authenticated;
