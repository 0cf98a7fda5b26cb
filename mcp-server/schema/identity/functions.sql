-- Organisations ------------------------------------------------------------------------------------

-- An account belongs to the organisation of its staff row or profile, whichever is written first.
create function auth.follow_organization() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update auth.users a set organization_id = new.organization_id
  where a.id = new.id and a.organization_id is distinct from new.organization_id;
  return null;
end
$$;
create trigger account_follows after insert or update of organization_id on staff.users
  for each row execute function auth.follow_organization();
create trigger account_follows after insert or update of organization_id on learn.profiles
  for each row execute function auth.follow_organization();

create function auth.find_organization() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  new.organization_id := coalesce(
    (select u.organization_id from staff.users u where u.id = new.id),
    (select p.organization_id from learn.profiles p where p.id = new.id));
  return new;
end
$$;
create trigger find_organization before insert on auth.users
  for each row when (new.organization_id is null) execute function auth.find_organization();

-- The name of an organisation, for people who have shown that they belong to it.
create function auth.organization(of uuid) returns text language sql stable security definer set search_path = ''
  return (select o.name from app.organizations o where o.id = of);

-- Sign-ins -----------------------------------------------------------------------------------------

-- Ends the sign-ins of an account, except one; returns those that were ended.
create function auth.end_sign_ins(account uuid, except_one uuid)
  returns setof uuid language plpgsql security definer set search_path = '' as $$
begin
  delete from auth.sign_in_codes c where c.user_id = account and c.session_id is null;
  return query
    update auth.sessions s set revoked_at = now()
    where s.user_id = account and s.revoked_at is null and s.id is distinct from except_one
    returning s.id;
end
$$;

-- Counts the changes of the account's password and state.
create function auth.begin_epoch() returns trigger language plpgsql set search_path = '' as $$
begin
  new.epoch := old.epoch + 1;
  return new;
end
$$;
create trigger begin_epoch before update of password_hash, is_active on auth.users
  for each row when (new.password_hash is distinct from old.password_hash or new.is_active <> old.is_active)
  execute function auth.begin_epoch();

-- Who has the password of an account, or had its sign-in, can have linked an address: it no longer opens the account
-- after the password was changed or the account deactivated.
create function auth.unlink_providers() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from auth.provider_links l where l.user_id = new.id;
  return null;
end
$$;
create trigger unlink_providers after update of password_hash, is_active on auth.users
  for each row when (new.password_hash is distinct from old.password_hash or old.is_active and not new.is_active)
  execute function auth.unlink_providers();

grant execute on function auth.organization, auth.end_sign_ins, auth.begin_epoch to frontdesk_identity;
grant execute on function auth.unlink_providers to authenticated, frontdesk_identity;
