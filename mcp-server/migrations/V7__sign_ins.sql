-- Sign-ins that are over go when their account signs in again, with their refresh tokens.

grant delete on auth.sessions, auth.refresh_tokens to frontdesk_identity;
-- Of the tokens of a sign-in that goes, the parent may be the first.
alter table auth.refresh_tokens
  drop constraint refresh_tokens_parent_id_fkey,
  add constraint refresh_tokens_parent_id_fkey
    foreign key (parent_id) references auth.refresh_tokens (id) on delete set null;
