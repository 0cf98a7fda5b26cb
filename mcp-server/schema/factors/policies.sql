do $$
declare
  t text;
begin
  foreach t in array array['factors', 'recovery_codes'] loop
    perform app.secure(('auth.' || t)::regclass);
    execute format('create policy identity on auth.%I to frontdesk_identity using (true) with check (true)', t);
    execute format('grant select, delete on auth.%I to frontdesk_identity', t);
  end loop;
end
$$;
grant update (last_step, misses, missed_at) on auth.factors to frontdesk_identity;
