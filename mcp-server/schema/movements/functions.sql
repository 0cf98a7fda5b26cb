-- The last time before this one at which a place was emptied that is emptied each day at a time of the organisation's zone.
create function events.emptied(empties_at time, before timestamptz) returns timestamptz language sql stable strict set search_path = ''
begin atomic
  select max((d.day + empties_at) at time zone o.time_zone)
  from app.organizations o
  cross join lateral generate_series(-1, 0) n (days)
  cross join lateral (select (before at time zone o.time_zone)::date + n.days) d (day)
  where o.id = app.caller_org() and (d.day + empties_at) at time zone o.time_zone <= before;
end;
grant execute on function events.emptied to authenticated;

-- The passages of a guest at a place, null for the event. Those before the check-in are of one that was undone. Who leaves the
-- event leaves each place that they had entered.
create function events.passages(guest uuid, place uuid)
  returns table (direction text, at timestamptz, created_at timestamptz, gate text, user_id uuid)
  language sql stable set search_path = ''
begin atomic
  select m.direction, m.at, m.created_at, m.gate, m.user_id
  from events.guests g join events.movements m on m.guest_id = g.id and m.event_id = g.event_id
  where g.id = guest and m.verdict = 'passed' and m.at >= g.check_in_at
    and (m.place_id is not distinct from place
      or m.place_id is null and m.direction = 'out' and exists (
        select from events.movements i
        where i.guest_id = g.id and i.event_id = g.event_id and i.place_id = place and i.verdict = 'passed'
          and i.direction = 'in' and i.at between g.check_in_at and m.at));
end;

grant execute on function events.passages to authenticated;

-- Where a guest is follows from the log.
create function events.derive_presence(guest uuid) returns void language sql security definer set search_path = ''
begin atomic
  delete from events.presence p where p.guest_id = guest;
  insert into events.presence (guest_id, place_id, event_id, organization_id, direction, at, gate, user_id)
  select g.id, e.place_id, g.event_id, g.organization_id, p.direction, p.at, p.gate, p.user_id
  from events.guests g
  cross join lateral (select distinct m.place_id from events.movements m
                      where m.guest_id = g.id and m.event_id = g.event_id and m.verdict = 'passed') e
  cross join lateral (select * from events.passages(g.id, e.place_id) p order by p.at desc, p.created_at desc limit 1) p
  where g.id = guest;
end;
revoke execute on function events.derive_presence from public;

-- Desks that follow the guests of an event hear of a passage as of any other change.
create function events.note_passage() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  of constant events.movements := coalesce(new, old);
begin
  if of.verdict = 'passed' then
    perform events.derive_presence(of.guest_id);
    update events.guests g set changed_in = pg_current_xact_id()
    where g.id = of.guest_id and g.changed_in <> pg_current_xact_id();
  end if;
  return null;
end
$$;
create trigger note_passage after insert or delete on events.movements
  for each row execute function events.note_passage();

-- A check-in that is undone, or made at another time, leaves other passages.
create function events.note_arrival() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from events.movements m where m.guest_id = new.id and m.event_id = new.event_id) then
    perform events.derive_presence(new.id);
  end if;
  return null;
end
$$;
create trigger note_arrival after update of check_in_at on events.guests
  for each row when (old.check_in_at is distinct from new.check_in_at)
  execute function events.note_arrival();

-- A place is for the guests of its session: without it, everybody would enter. The places of a deleted event go with it.
create function events.keep_session_of_place() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  places constant text := (
    select string_agg(app.quoted(p.name), ', ' order by p.name_key) from events.places p where p.session_id = old.id);
begin
  if places is not null and exists (select from events.events e where e.id = old.event_id) then
    raise restrict_violation using message = format(
      'this session says who may enter %s: give the place another rule, or delete it first', places);
  end if;
  return old;
end
$$;
create trigger keep_session_of_place before delete on events.sessions
  for each row execute function events.keep_session_of_place();

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
