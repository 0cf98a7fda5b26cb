-- Lets an owner without BYPASSRLS see every row, as the SECURITY DEFINER functions expect. Does nothing for an owner with
-- BYPASSRLS. Runs whenever tables can have been created.
do $$
declare
  target regclass;
begin
  if (select rolbypassrls from pg_roles where rolname = 'frontdesk_owner') then
    return;
  end if;
  for target in
    select c.oid from pg_class c
     where c.relkind in ('r', 'p') and c.relowner = 'frontdesk_owner'::regrole
       and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'owner')
  loop
    execute format('create policy owner on %s to frontdesk_owner using (true) with check (true)', target);
  end loop;
end
$$;
