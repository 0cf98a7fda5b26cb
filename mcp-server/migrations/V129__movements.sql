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
  constraint places_closes_at_check check (closes_at >= opens_at),
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
create index presence_inside_idx on events.presence (place_id) where direction = 'in';
create index presence_event_id_idx on events.presence (event_id, direction);

do $$
declare
  t text;
  readers constant text := $r$ organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff', 'teacher', 'finance') $r$;
  desk constant text := $r$ organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff') $r$;
begin
  foreach t in array array['places', 'movements', 'presence'] loop
    perform app.secure(('events.' || t)::regclass);
    execute format('create policy read on events.%I for select to authenticated using (%s)', t, readers);
    execute format('grant select on events.%I to authenticated', t);
  end loop;
  execute format('create policy desk_insert on events.places for insert to authenticated with check (%s)', desk);
  execute format('create policy write on events.places for update to authenticated
                  using (organization_id = (select app.caller_org())) with check (%s)', desk);
  execute format('create policy remove on events.places for delete to authenticated using (%s)', desk);
end
$$;
grant insert, update, delete on events.places to authenticated;
select app.capture_changes('events.places'), app.capture_changes('events.movements');

-- Who checks guests in records movements as their own; a teacher lets nobody pass whom the rules keep out. Taking one back
-- is for those who made it, and for the desk.
create policy door_insert on events.movements for insert to authenticated
  with check (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff', 'teacher')
    and (reason is null or (select app.caller_role()) <> 'teacher'));
create policy remove on events.movements for delete to authenticated
  using (organization_id = (select app.caller_org())
    and ((select app.caller_role()) in ('owner', 'admin', 'staff')
      or (select app.caller_role()) = 'teacher' and user_id = (select app.caller_id())));
grant insert, delete on events.movements to authenticated;

-- Desks that follow the guests of an event hear of a passage as of any other change.
create function events.note_passage() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  of constant events.movements := coalesce(new, old);
begin
  if of.verdict <> 'passed' then
    return null;
  end if;
  delete from events.presence p
  where p.guest_id = of.guest_id and p.place_id is not distinct from of.place_id;
  insert into events.presence (guest_id, place_id, event_id, organization_id, direction, at, gate, user_id)
  select m.guest_id, m.place_id, m.event_id, m.organization_id, m.direction, m.at, m.gate, m.user_id
  from events.movements m
  where m.guest_id = of.guest_id and m.event_id = of.event_id and m.place_id is not distinct from of.place_id
    and m.verdict = 'passed'
  order by m.at desc, m.created_at desc limit 1;
  update events.guests g set changed_in = pg_current_xact_id() where g.id = of.guest_id and g.changed_in <> pg_current_xact_id();
  return null;
end
$$;
create trigger note_passage after insert or delete on events.movements
  for each row execute function events.note_passage();

-- A forgotten guest's movements are counted, and say nothing in words.
create function events.forget_reasons() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  organization constant uuid := (
    select m.organization_id from events.movements m where m.guest_id = new.id and m.reason is not null limit 1);
  named constant text := '%' || new.id || '%';
begin
  if organization is null then
    return null;
  end if;
  update events.movements m set reason = null where m.guest_id = new.id and m.reason is not null;
  perform set_config('app.erasing', 'on', true);
  update app.changed_rows r set before = null, after = null
  where r.change_id = nullif(current_setting('app.change_id', true), '')::uuid and r.table_name = 'events.movements';
  update app.changed_rows r set before = null, after = null from app.changes c
  where c.id = r.change_id and c.organization_id = organization and r.table_name = 'events.movements'
    and (r.before like named or r.after like named);
  update app.changes c set arguments = null
  where c.organization_id = organization and c.tool = 'record_movement' and c.arguments like named;
  perform set_config('app.erasing', '', true);
  update app.idempotency_keys k set result = null where k.tool = 'record_movement' and k.result like named;
  return null;
end
$$;
create trigger forget_reasons after insert on app.forgotten for each row execute function events.forget_reasons();
