-- Writes the entry of this transaction if it has changed a row, and returns its id.
drop function app.record_change(text, text, text, text, text, uuid);
create function app.record_change(
  host text, tool text, arguments text, idempotency_key text, client text, undoes uuid
) returns uuid
  language plpgsql security definer set search_path = ''
as $$
declare
  change uuid := current_setting('app.change_id');
begin
  if exists (select from app.changed_rows r where r.change_id = change) then
    insert into app.changes (id, organization_id, account_id, host, tool, arguments, idempotency_key, client, undoes)
    values (change, app.caller_org(), app.caller_id(), host, tool, arguments, idempotency_key, client, undoes);
  else
    change := null;
  end if;
  perform app.erase(person::uuid)
  from unnest(string_to_array(nullif(current_setting('app.erased', true), ''), ' ')) person;
  return change;
end
$$;
grant execute on function app.record_change(text, text, text, text, text, uuid) to authenticated;
