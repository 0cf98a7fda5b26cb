-- A value of a record in a sentence of ours, so that it cannot pass for one: quoted, on one line, without quotation marks of
-- its own, and cut.
create function app.quoted(value text) returns text language sql immutable set search_path = ''
return (select '“' || case when length(v) > 60 then left(v, 59) || '…' else v end || '”'
        from (select translate(regexp_replace(left(value, 500), '[[:cntrl:]\u2028\u2029]+', ' ', 'g'), '“”"', '') as v) t);
grant execute on function app.quoted to authenticated;

create or replace function quiz.move_dispatches(from_guest uuid, to_guest uuid) returns integer
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
