-- What a caller's write returned is returned again only to a caller with the same rights; with others the host asks
-- anew what they permit.

create function app.caller_rights() returns text
  language sql stable parallel safe
  return row(app.caller_org(), app.caller_role(), app.caller_level(), app.caller_member())::text;
grant execute on function app.caller_rights() to authenticated;

alter table app.idempotency_keys add column rights text not null default app.caller_rights();
