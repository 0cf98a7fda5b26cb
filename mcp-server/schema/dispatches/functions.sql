-- Whether a guest can respond in the app.
create function quiz.has_account(guest uuid) returns boolean
  language sql stable security definer set search_path = ''
  return exists (
    select from events.guests g join learn.profiles p on p.member_id = g.member_id
    where g.id = guest and g.organization_id = app.caller_org() and p.is_active and p.removed_at is null);

-- The chat id is always the one that resolves.
create function quiz.resolve() returns trigger language plpgsql set search_path = '' as $$
begin
  new.chat_id := (select c.chat_id from events.chat_of(new.guest_id, null) c);
  if new.chat_id is null and not quiz.has_account(new.guest_id) then
    raise check_violation using
      column = 'guest_id', message = 'the guest has neither a chat id nor an account: add one first';
  end if;
  return new;
end
$$;
create trigger resolve before insert on quiz.dispatches
  for each row when (current_setting('app.restoring', true) is distinct from 'on') execute function quiz.resolve();

-- What a dispatch of this form to the event's guests would do with each: `send`, `already`, `no_chat_id`.
create function quiz.planned(form uuid, event uuid, guest_role text)
  returns table (guest_id uuid, name text, name_key text, outcome text)
  language plpgsql stable set search_path = ''
as $$
begin
  if coalesce(app.caller_role() not in ('owner', 'admin', 'staff'), true) then
    raise insufficient_privilege;
  end if;
  perform from quiz.forms f where f.id = form;
  if not found then
    raise foreign_key_violation using table = 'dispatches', constraint = 'dispatches_form_id_fkey';
  end if;
  perform from events.events e where e.id = event;
  if not found then
    raise foreign_key_violation using table = 'dispatches', constraint = 'dispatches_event_id_fkey';
  end if;
  return query
    select g.id, g.name, g.name_key,
           case when d.id is not null then 'already'
                when c.chat_id is null and not quiz.has_account(g.id) then 'no_chat_id' else 'send' end
    from events.guests g
    left join quiz.dispatches d on d.form_id = form and d.guest_id = g.id
    cross join lateral events.chat_of(g.id, null) c
    where g.event_id = event and (guest_role is null or g.role = guest_role);
end
$$;

-- An answer fits its field.
create function quiz.check_response() returns trigger language plpgsql set search_path = '' as $$
declare
  fields jsonb;
  field jsonb;
  answer text;
  is_right boolean;
begin
  select f.fields into fields
  from quiz.dispatches d join quiz.forms f on f.id = d.form_id
  where d.id = new.dispatch_id and d.organization_id = new.organization_id;
  if not found then
    raise foreign_key_violation using table = 'responses', constraint = 'responses_dispatch_id_fkey';
  end if;
  if cardinality(new.answers) <> jsonb_array_length(fields) then
    raise check_violation using
      column = 'answers', message = format('must be %s, one for each field', jsonb_array_length(fields));
  end if;
  for at in 0 .. jsonb_array_length(fields) - 1 loop
    field := fields -> at;
    answer := btrim(new.answers[at + 1]);
    if answer = '' then
      if (field ->> 'is_required')::boolean then
        raise check_violation using column = format('answers[%s]', at),
          message = 'is required: ' || app.quoted(field ->> 'label');
      end if;
      continue;
    end if;
    case field ->> 'kind'
      when 'choice' then
        if not field -> 'options' ? answer then
          raise check_violation using column = format('answers[%s]', at), message = format('must be one of: %s',
            (select string_agg(o.name, ', ' order by o.place)
             from jsonb_array_elements_text(field -> 'options') with ordinality o (name, place)));
        end if;
      when 'number' then
        if answer !~ '^[+-]?[0-9]{1,15}([.][0-9]{1,15})?$' then
          raise check_violation using column = format('answers[%s]', at), message = 'must be a number such as 12.5';
        end if;
      when 'day' then
        is_right := answer ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$';
        begin
          is_right := is_right and answer::date is not null;
        exception when datetime_field_overflow or invalid_datetime_format then
          is_right := false;
        end;
        if not is_right then
          raise check_violation using column = format('answers[%s]', at), message = 'must be a day such as 2026-03-05';
        end if;
      when 'line' then
        if answer ~ '[\n\r]' then
          raise check_violation using column = format('answers[%s]', at), message = 'must be one line';
        end if;
      else
        null;
    end case;
  end loop;
  return new;
end
$$;
create trigger check_response before insert on quiz.responses for each row execute function quiz.check_response();

-- Gives the forms of a guest, with the responses, to another one of the same event who is the same person. Of a form that
-- both got, the answered one stays. Returns the number of forms.
create function quiz.move_dispatches(from_guest uuid, to_guest uuid) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  moved integer;
  answered text;
begin
  if coalesce(app.caller_role() not in ('owner', 'admin', 'staff'), true) then
    raise insufficient_privilege;
  end if;
  select f.title into answered
  from quiz.dispatches d
  join quiz.dispatches k on k.form_id = d.form_id and k.guest_id = to_guest
  join quiz.forms f on f.id = d.form_id
  where d.guest_id = from_guest and exists (select from quiz.responses r where r.dispatch_id = d.id)
    and exists (select from quiz.responses r where r.dispatch_id = k.id) limit 1;
  if found then
    raise unique_violation using column = 'remove_id', message = 'both have answered the form ' || app.quoted(answered);
  end if;
  delete from quiz.dispatches k using quiz.dispatches d
  where d.guest_id = from_guest and k.guest_id = to_guest and k.form_id = d.form_id
    and d.organization_id = app.caller_org()
    and exists (select from quiz.responses r where r.dispatch_id = d.id);
  update quiz.dispatches d set guest_id = to_guest
  where d.guest_id = from_guest and d.organization_id = app.caller_org()
    and not exists (select from quiz.dispatches o where o.form_id = d.form_id and o.guest_id = to_guest);
  get diagnostics moved = row_count;
  return moved;
end
$$;

grant execute on function quiz.has_account, quiz.planned, quiz.check_response, quiz.move_dispatches to authenticated;
