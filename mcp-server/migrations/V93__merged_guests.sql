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
grant execute on function quiz.move_dispatches(uuid, uuid) to authenticated;
