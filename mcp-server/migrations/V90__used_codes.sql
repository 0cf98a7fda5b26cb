-- A code that is used twice ends the sign-in that it began (RFC 6749, section 4.1.2): used codes stay with their
-- sign-in.

alter table auth.sign_in_codes
  add column used_at timestamptz,
  add column session_id uuid references auth.sessions (id) on delete cascade;
create index sign_in_codes_session_id_idx on auth.sign_in_codes (session_id);
grant update on auth.sign_in_codes to frontdesk_identity;
