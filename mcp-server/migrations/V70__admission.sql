-- Hosts that refuse by role do it in the flight of the call instead of one before it.

create function app.admit(roles text[]) returns void
  language plpgsql stable set search_path = ''
as $$
begin
  if coalesce(app.caller_role() <> all (roles), true) then
    raise insufficient_privilege;
  end if;
end
$$;
grant execute on function app.admit(text[]) to authenticated;
