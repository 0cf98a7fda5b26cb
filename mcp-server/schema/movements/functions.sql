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
