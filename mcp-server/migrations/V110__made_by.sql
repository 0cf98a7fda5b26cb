-- A call that its caller delivers for another account of the organisation, such as a check-in that waited at a desk.

-- The account that made it; null if that is the caller, or no account of the organisation.
alter table app.changes add column made_by uuid;

create or replace function app.record_change(
  host text, tool text, arguments text, idempotency_key text, client text, undoes uuid, action uuid
) returns uuid
  language plpgsql security definer set search_path = ''
as $$
declare
  change uuid := current_setting('app.change_id');
  maker constant uuid := nullif(current_setting('app.made_by', true), '');
begin
  if host is null then
    perform set_config('app.erasing', 'on', true);
    delete from app.changed_rows r where r.change_id = change;
    perform set_config('app.erasing', '', true);
    change := null;
  elsif exists (select from app.changed_rows r where r.change_id = change) then
    if action is not null then
      perform app.begin_action(action, host, tool, client);
    end if;
    insert into app.changes
      (id, organization_id, account_id, host, tool, arguments, idempotency_key, client, undoes, action_id, takes_back, made_by)
    values (change, app.caller_org(), app.caller_id(), host, tool, arguments, idempotency_key, client, undoes, action,
            case when record_change.undoes is not null and exists (select from app.changes c where c.id = record_change.undoes and c.is_action)
              then array(select app.parts_in_effect(record_change.undoes)) end,
            case when maker is not null and ops.is_account(maker) then maker end);
  else
    change := null;
  end if;
  perform app.erase(person::uuid)
  from unnest(string_to_array(nullif(current_setting('app.erased', true), ''), ' ')) person;
  return change;
end
$$;
