-- An account belongs to one organisation, and its address is unique there: no organisation can take an address from
-- another one. Where an address has several accounts, the password selects one.

alter table auth.users
  -- Null as long as the account has neither a staff row nor a profile.
  add column organization_id uuid references app.organizations (id),
  -- A provider's word for the address does not open an account made by invitation: whoever invites chooses the
  -- address.
  add column is_invited boolean not null default false;

update auth.users a set organization_id = coalesce(
  (select u.organization_id from staff.users u where u.id = a.id),
  (select p.organization_id from learn.profiles p where p.id = a.id));
update auth.users a set is_invited = true
where exists (
  select from staff.invitations i
  where i.organization_id = a.organization_id and i.email = lower(a.email)
    and i.accepted_at is not null and i.created_at <= a.created_at);

drop index auth.users_email_key;
create unique index users_email_key on auth.users (organization_id, lower(email)) nulls not distinct;
create index users_email_idx on auth.users (lower(email));

create function auth.follow_organization() returns trigger
  language plpgsql security definer set search_path = ''
as $$
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

-- The name of an organisation, for people who have shown that they belong to it.
create function auth.organization(of uuid) returns text
  language sql stable security definer set search_path = ''
  return (select o.name from app.organizations o where o.id = of);
grant execute on function auth.organization(uuid) to frontdesk_identity;

-- As before, but for the organisation's own account with the address, or one that belongs to no organisation yet and
-- has a password to show that it is the invited person's.
create or replace function auth.invitation(token bytea, at timestamptz)
  returns table (state text, organization text, role text, email text, account uuid, has_password boolean)
  language sql stable security definer set search_path = ''
begin atomic
  select case
           when i.accepted_at is not null then 'used'
           when i.revoked_at is not null or not exists (
             select from staff.users o
             where o.id = i.invited_by and o.organization_id = i.organization_id and o.role = 'owner' and o.is_active
           ) then 'revoked'
           when i.expires_at <= at then 'expired'
           when not a.is_active then 'closed'
           when exists (select from staff.users u where u.id = a.id) then 'taken'
           else 'open'
         end,
         g.name, i.role, i.email, a.id, a.password_hash is not null
  from staff.invitations i
  join app.organizations g on g.id = i.organization_id
  left join lateral (
    select u.id, u.is_active, u.password_hash from auth.users u
    where lower(u.email) = i.email
      and (u.organization_id = i.organization_id or u.organization_id is null and u.password_hash is not null)
    order by u.organization_id nulls last limit 1
  ) a on true
  where i.token_hash = token;
end;

create or replace function auth.accept_invitation(token bytea, at timestamptz, account uuid, password_hash text)
  returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  invited staff.invitations;
  found_state text;
  found_account uuid;
begin
  select * into invited from staff.invitations i where i.token_hash = token for update;
  select i.state, i.account into found_state, found_account from auth.invitation(token, at) i;
  if found_state is distinct from 'open' then
    return found_state;
  end if;
  -- Somebody made the account since the page was shown.
  if found_account is distinct from account then
    return 'changed';
  end if;
  if account is null then
    insert into auth.users (email, password_hash, organization_id, is_invited)
    values (invited.email, accept_invitation.password_hash, invited.organization_id, true)
    returning id into account;
  end if;
  -- Owners and admins are global admins; nobody gives more than they have.
  insert into learn.profiles (id, organization_id, name, level)
  values (account, invited.organization_id, invited.name, least(
    case invited.role when 'owner' then 100 when 'admin' then 80 else 0 end,
    coalesce((select p.level from learn.profiles p where p.id = invited.invited_by), 0)))
  on conflict (id) do nothing;
  insert into staff.users (id, organization_id, role) values (account, invited.organization_id, invited.role);
  update staff.invitations i set accepted_at = at where i.id = invited.id;
  return 'done';
end
$$;
