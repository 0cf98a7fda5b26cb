-- The quiz host's dispatches: forms are sent to the guests of an event, who respond to them.

-- Tables -------------------------------------------------------------------------------------------

create table quiz.dispatches (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org(),
  form_id uuid not null,
  event_id uuid not null,
  guest_id uuid not null,
  -- Resolved at the time of the dispatch; null for a guest with an account, who responds in the app.
  chat_id text,
  dispatched_by uuid default app.caller_id(),
  created_at timestamptz not null default now(),
  -- A guest gets a form once.
  constraint dispatches_guest_id_key unique (form_id, organization_id, guest_id),
  constraint dispatches_form_id_fkey foreign key (form_id, organization_id) references quiz.forms (id, organization_id),
  constraint dispatches_event_id_fkey foreign key (event_id, organization_id)
    references events.events (id, organization_id) on delete cascade,
  constraint dispatches_guest_id_fkey foreign key (guest_id, event_id)
    references events.guests (id, event_id) on delete cascade,
  unique (id, organization_id)
);
create index dispatches_listed_idx on quiz.dispatches (organization_id, created_at desc, id);
create index dispatches_event_id_idx on quiz.dispatches (event_id, organization_id);
create index dispatches_guest_id_idx on quiz.dispatches (guest_id, event_id);

create table quiz.responses (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org(),
  dispatch_id uuid not null,
  -- An answer for each field of the form, in order; empty for a field without an answer.
  answers text[] not null,
  submitted_by uuid default app.caller_id(),
  created_at timestamptz not null default now(),
  constraint responses_dispatch_id_key unique (dispatch_id, organization_id),
  constraint responses_dispatch_id_fkey foreign key (dispatch_id, organization_id)
    references quiz.dispatches (id, organization_id) on delete cascade
);
create index responses_listed_idx on quiz.responses (organization_id, created_at desc, id);

-- Access -------------------------------------------------------------------------------------------

-- A fellow who was a guest sees what they were sent and what they answered. The machine that sends forms returns the
-- answers of guests without an account.
select app.protect_by('quiz.dispatches',
  '(select app.caller_role()) in (''owner'', ''admin'', ''staff'', ''automation'')
   or (select app.caller_role()) = ''fellow'' and exists (
     select from events.guests g where g.id = guest_id and g.member_id = (select app.caller_member()))',
  '(select app.caller_role()) = any (''{owner,admin,staff}'')');
select app.protect_by('quiz.forms',
  '(select app.caller_role()) in (''owner'', ''admin'', ''staff'', ''teacher'', ''automation'')
   or (select app.caller_role()) = ''fellow'' and exists (select from quiz.dispatches d where d.form_id = forms.id)',
  '(select app.caller_role()) = any (''{owner,admin,staff,teacher}'')');
select app.protect_by('quiz.responses',
  '(select app.caller_role()) in (''owner'', ''admin'', ''staff'')
   or (select app.caller_role()) in (''fellow'', ''automation'') and submitted_by = (select app.caller_id())',
  '(select app.caller_role()) in (''fellow'', ''automation'')
   and exists (select from quiz.dispatches d where d.id = dispatch_id)');
-- No tool changes or deletes these; a response is submitted once.
revoke update, delete on quiz.forms, quiz.dispatches from authenticated;
revoke insert, update, delete on quiz.responses from authenticated;
grant insert (dispatch_id, answers) on quiz.responses to authenticated;

-- Functions and triggers ---------------------------------------------------------------------------

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
create trigger webhook after insert on quiz.dispatches
  for each row when (new.chat_id is not null and current_setting('app.restoring', true) is distinct from 'on')
  execute function webhooks.tell('dispatch.created');

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
          message = format('is required: “%s”', field ->> 'label');
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
    raise unique_violation using column = 'remove_id', message = format('both have answered the form “%s”', answered);
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
