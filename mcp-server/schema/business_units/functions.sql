-- Refuses other roles before anything is read: the specification asks for 403, not for an empty list.
create function strategy.require_business_units() returns void language plpgsql stable set search_path = '' as $$
begin
  if app.caller_role() not in ('owner', 'admin', 'finance') then
    raise insufficient_privilege
      using constraint = 'role', message = 'business units need the finance, admin or owner role';
  end if;
end
$$;

grant execute on function strategy.require_business_units to authenticated;
