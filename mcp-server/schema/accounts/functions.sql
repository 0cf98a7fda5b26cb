-- Accounts enter an organisation and leave it.

-- Entering -----------------------------------------------------------------------------------------

-- The organisation's member with this address and without an account; created if it does not exist.
create function learn.member_for(organization uuid, address text, person text, out member uuid, out is_new boolean)
  language plpgsql set search_path = '' as $$
begin
  is_new := false;
  select m.id into member from learn.members m
  where m.organization_id = organization
    and lower(address) in (lower(m.corporate_email), lower(m.personal_email))
    and not exists (select from learn.profiles p where p.member_id = m.id)
  order by m.is_active desc, m.created_at limit 1;
  if member is null then
    insert into learn.members (organization_id, name, corporate_email) values (organization, person, address)
    returning id into member;
    is_new := true;
  end if;
end
$$;

-- Gives an account its place in an organisation: its member, its profile, and its staff row unless it is a fellow's.
-- `ceiling` is the most that the new level can be. A machine is no member. Returns whether the member is new; null if
-- there is none, or the account had one already.
create function auth.enter_organization(
  account uuid, organization uuid, address text, person text, role text, ceiling integer) returns boolean
  language plpgsql set search_path = ''
as $$
declare
  new_member uuid;
  is_new boolean;
begin
  if role <> 'automation'
    and not exists (select from learn.profiles p where p.id = account and p.member_id is not null) then
    select m.member, m.is_new into new_member, is_new from learn.member_for(organization, address, person) m;
  end if;
  insert into learn.profiles as p (id, organization_id, member_id, name, level)
  values (account, organization, new_member, person,
          least(case role when 'owner' then 100 when 'admin' then 80 else 0 end, ceiling))
  on conflict (id) do update set member_id = coalesce(p.member_id, excluded.member_id), removed_at = null;
  if role <> 'fellow' then
    insert into staff.users (id, organization_id, role) values (account, organization, role);
  end if;
  return is_new;
end
$$;

-- The first organisation ---------------------------------------------------------------------------

create function auth.has_organization() returns boolean language sql stable security definer set search_path = ''
  return exists (select from app.organizations o where o.removed_at is null);

-- The number of organisations that there were, with removed ones. A link that creates the first one has the number at
-- its start: it ends when an organisation is created, for good.
create function auth.organizations_made() returns bigint language sql stable security definer set search_path = ''
  return (select count(*) from app.organizations o);

-- Creates an organisation with its owner, on a server that has none. Returns the organisation's slug; null if there is
-- an organisation already, or `made` is given and another one was created since. An empty slug is made from the name.
create function auth.set_up(
  name text, slug text, person text, address text, password_hash text, made bigint, time_zone text, currency text)
  returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  organization uuid;
  account uuid;
  chosen text;
begin
  perform pg_advisory_xact_lock(hashtext('auth.set_up'));
  if auth.has_organization() or made <> auth.organizations_made() then
    return null;
  end if;
  insert into app.organizations as o (name, slug, time_zone, currency)
  values (set_up.name, nullif(set_up.slug, ''), set_up.time_zone, set_up.currency)
  returning o.id, o.slug into organization, chosen;
  insert into auth.users (email, password_hash, organization_id)
  values (lower(address), set_up.password_hash, organization) returning id into account;
  perform auth.enter_organization(account, organization, lower(address), person, 'owner', 100);
  return chosen;
end
$$;

-- Signing in through the code host -----------------------------------------------------------------

-- After a sign-in through the code host: the account gets the login there, if the provider says it, and a member, if it
-- has none.
create function auth.signed_in_through(account uuid, login text)
  returns void language plpgsql security definer set search_path = '' as $$
declare
  holder auth.users;
  person learn.profiles;
begin
  select * into holder from auth.users a where a.id = account;
  select * into person from learn.profiles p where p.id = account for update;
  if holder.organization_id is null
    or exists (select from staff.users u where u.id = account and u.role = 'automation') then
    return;
  end if;
  if person.member_id is null then
    insert into learn.profiles as p (id, organization_id, name, member_id)
    select account, holder.organization_id, n.name,
           (learn.member_for(holder.organization_id, holder.email, n.name)).member
    from (select coalesce(person.name, split_part(holder.email, '@', 1)) as name) n
    on conflict (id) do update set member_id = excluded.member_id;
  end if;
  if login <> '' then
    update learn.profiles p set code_host_login = null
    where p.organization_id = holder.organization_id and lower(p.code_host_login) = lower(login) and p.id <> account;
    update learn.profiles p set code_host_login = login, confirmed_login = login where p.id = account;
  end if;
end
$$;

-- Removal ------------------------------------------------------------------------------------------

-- Removes an account: its address is free again. What it wrote stays, under a former name; its member stays.
create function auth.remove_account(account uuid) returns void language plpgsql set search_path = '' as $$
declare
  invitation uuid;
  profile learn.profiles;
begin
  insert into learn.profiles (id, organization_id, name)
  select a.id, a.organization_id, split_part(a.email, '@', 1) from auth.users a
  where a.id = account and a.organization_id is not null
  on conflict do nothing;
  select p.* into profile from learn.profiles p where p.id = account and p.removed_at is null;
  if found then
    perform app.erase_texts(array[profile.chat_user_id, profile.code_host_login, profile.confirmed_login]);
    perform app.make_anonymous('learn.profiles', array[account],
      '{id,organization_id,created_at,rights_taken_at,is_active}',
      jsonb_build_object('name', profile.name || ' (former)', 'removed_at', now()));
  end if;
  perform app.erase_texts(array(select a.email from auth.users a where a.id = account));
  for invitation in
    delete from staff.invitations i using auth.users a
    where a.id = account and i.organization_id = a.organization_id and i.email = lower(a.email)
    returning i.id
  loop
    perform app.erase_with_entry(invitation);
  end loop;
  delete from staff.users u where u.id = account;
  delete from auth.users a where a.id = account;
  perform app.erase_with_entry(account);
end
$$;

-- Removes an organisation's accounts and invitations. Its records stay, under a former name.
create function auth.remove_organization(organization uuid) returns void language plpgsql set search_path = '' as $$
declare
  one uuid;
begin
  for one in
    select a.id from auth.users a where a.organization_id = organization
    union select u.id from staff.users u where u.organization_id = organization
    union select p.id from learn.profiles p where p.organization_id = organization
  loop
    perform auth.remove_account(one);
  end loop;
  for one in delete from staff.invitations i where i.organization_id = organization returning i.id loop
    perform app.erase_with_entry(one);
  end loop;
  update app.organizations o
  set name = o.name || ' (former)', slug = 'former-' || o.id, removed_at = now()
  where o.id = organization;
end
$$;

grant execute on function
  auth.has_organization, auth.organizations_made, auth.set_up, auth.signed_in_through
  to frontdesk_identity;
