do $$
declare
  t text;
begin
  foreach t in array array['users', 'sessions', 'refresh_tokens', 'sign_in_codes', 'provider_links'] loop
    perform app.secure(('auth.' || t)::regclass);
    execute format('create policy identity on auth.%I to frontdesk_identity using (true) with check (true)', t);
    execute format('grant select, insert, update on auth.%I to frontdesk_identity', t);
  end loop;
end
$$;
-- When an account signs in again, its ended sign-ins are deleted with their refresh tokens.
grant delete on auth.sessions, auth.refresh_tokens, auth.sign_in_codes to frontdesk_identity;
