-- The page behind a link. `state` is open, or the reason why no password can be set. Of two accounts, the first may
-- give the second a new password only from at least its level.
create function auth.password_link(token bytea, at timestamptz)
  returns table (state text, account uuid, email text, organization text)
  language sql stable security definer set search_path = ''
begin atomic
  select case
           when l.used_at is not null then 'used'
           when not auth.can_issue(l.issued_by, a.organization_id, l.issued_at) then 'revoked'
           when l.ended_at is not null
             or coalesce((select p.level from learn.profiles p where p.id = l.issued_by), 0)
               < coalesce((select p.level from learn.profiles p where p.id = l.user_id), 0) then 'ended'
           when l.expires_at <= at then 'expired'
           when not a.is_active then 'closed'
           else 'open'
         end,
         a.id, a.email, auth.organization(a.organization_id)
  from auth.password_links l
  join auth.users a on a.id = l.user_id
  where l.token_hash = token;
end;

-- Sets the password, and ends the account's sign-ins. Returns done, or the state of a link that is not open.
create function auth.use_password_link(token bytea, at timestamptz, password_hash text)
  returns text language plpgsql security definer set search_path = '' as $$
declare
  found_state text;
  found_account uuid;
begin
  -- The account first, as everything else that ends a link.
  perform from auth.users a
  where a.id = (select l.user_id from auth.password_links l where l.token_hash = token) for update;
  perform from auth.password_links l where l.token_hash = token for update;
  select l.state, l.account into found_state, found_account from auth.password_link(token, at) l;
  if found_state is distinct from 'open' then
    return found_state;
  end if;
  update auth.password_links l set used_at = at where l.token_hash = token;
  update auth.users a set password_hash = use_password_link.password_hash where a.id = found_account;
  return 'done';
end
$$;

-- Ends an account's link that was not used.
create function auth.end_password_link() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update auth.password_links l set ended_at = now()
  where l.user_id = case tg_op when 'DELETE' then old.id else new.id end and l.used_at is null and l.ended_at is null;
  return null;
end
$$;
create trigger end_password_link after update of password_hash, is_active on auth.users
  for each row when (new.password_hash is distinct from old.password_hash or new.is_active <> old.is_active)
  execute function auth.end_password_link();
create trigger end_password_link after insert or delete or update of role on staff.users
  for each row execute function auth.end_password_link();
create trigger end_password_link after insert or update of level on learn.profiles
  for each row execute function auth.end_password_link();

grant execute on function auth.password_link, auth.use_password_link to frontdesk_identity;
grant execute on function auth.end_password_link to authenticated, frontdesk_identity;
