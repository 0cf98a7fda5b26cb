-- Places of an event, and the log of movements at its entrances.

create table events.places (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org(),
  event_id uuid not null,
  name text not null,
  name_key text generated always as (app.search_key(name)) stored,
  session_id uuid,
  roles text[] not null default '{}',
  tag text,
  opens_at timestamptz,
  closes_at timestamptz,
  once boolean not null default false,
  capacity integer check (capacity between 1 and 1000000),
  created_at timestamptz not null default now(),
  -- In the organisation's zone.
  empties_at time,
  constraint places_closes_at_check check (closes_at > opens_at),
  constraint places_event_id_fkey foreign key (event_id, organization_id)
    references events.events (id, organization_id) on delete cascade,
  constraint places_session_id_fkey foreign key (session_id, event_id)
    references events.sessions (id, event_id) on delete set null (session_id),
  unique (id, event_id)
);
create index places_event_id_idx on events.places (event_id, organization_id, name_key, id);
create index places_session_id_idx on events.places (session_id, event_id);

-- Rows are added only; an undo takes back one that was a mistake.
create table events.movements (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org(),
  event_id uuid not null,
  guest_id uuid not null,
  -- Null for the event itself.
  place_id uuid,
  direction text not null check (direction in ('in', 'out')),
  verdict text not null,
  despite text,
  reason text,
  gate text,
  desk text,
  source text check (source in ('scan', 'name')),
  at timestamptz not null,
  user_id uuid default app.caller_id(),
  created_at timestamptz not null default now(),
  constraint movements_guest_id_fkey foreign key (guest_id, event_id)
    references events.guests (id, event_id) on delete cascade,
  constraint movements_place_id_fkey foreign key (place_id, event_id)
    references events.places (id, event_id) on delete cascade
);
create index movements_event_id_idx on events.movements (event_id, organization_id, at desc, created_at desc, id);
create index movements_guest_id_idx on events.movements (guest_id, event_id, at);
create index movements_place_id_idx on events.movements (place_id, event_id, at);

-- The last passage of each guest at each place, made from the log.
create table events.presence (
  guest_id uuid not null references events.guests (id) on delete cascade,
  place_id uuid references events.places (id) on delete cascade,
  event_id uuid not null references events.events (id) on delete cascade,
  organization_id uuid not null,
  direction text not null,
  at timestamptz not null,
  gate text,
  user_id uuid,
  unique nulls not distinct (guest_id, place_id)
);
-- The key can be null: a publication names a deleted row by all its columns.
alter table events.presence replica identity full;
create index presence_inside_idx on events.presence (place_id) where direction = 'in';
create index presence_event_id_idx on events.presence (event_id, direction);
