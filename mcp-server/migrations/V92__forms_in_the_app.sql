-- A guest with an account is sent a form without a chat id, too: it waits in the app, and no webhook leaves.
alter table quiz.dispatches alter column chat_id drop not null;

create function quiz.has_account(guest uuid) returns boolean
  language sql stable security definer set search_path = ''
  return exists (
    select from events.guests g join learn.profiles p on p.member_id = g.member_id
    where g.id = guest and g.organization_id = app.caller_org() and p.is_active and p.removed_at is null);
grant execute on function quiz.has_account(uuid) to authenticated;

create or replace function quiz.resolve() returns trigger language plpgsql set search_path = '' as $$
begin
  new.chat_id := (select c.chat_id from events.chat_of(new.guest_id, null) c);
  if new.chat_id is null and not quiz.has_account(new.guest_id) then
    raise check_violation using
      column = 'guest_id', message = 'the guest has neither a chat id nor an account: add one first';
  end if;
  return new;
end
$$;
create or replace trigger webhook after insert on quiz.dispatches
  for each row when (new.chat_id is not null and current_setting('app.restoring', true) is distinct from 'on')
  execute function webhooks.tell('dispatch.created');

-- What a dispatch of this form to the event's guests would do with each: `send`, `already`, `no_chat_id`.
create or replace function quiz.planned(form uuid, event uuid, guest_role text)
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
