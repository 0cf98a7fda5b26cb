-- An account is not invited again. The error does not reveal accounts of other organisations.
create function staff.check_invitation() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if new.member_id is null then
    if exists (
      select from auth.users a join staff.users u on u.id = a.id
      where lower(a.email) = new.email and u.organization_id = new.organization_id
    ) then
      raise check_violation using
        column = 'email', message = 'this person is already on the staff: see list_staff and set_staff_active';
    end if;
    return new;
  end if;
  if exists (select from learn.profiles p where p.member_id = new.member_id) then
    raise check_violation using column = 'member_id', message = 'this student already has an account';
  elsif not (select m.is_active from learn.members m where m.id = new.member_id) then
    raise check_violation using
      column = 'member_id', message = 'this student is inactive: make the member active first';
  elsif new.email is null then
    raise check_violation using
      column = 'member_id', message = 'this student has no e-mail address: add one to the member first';
  elsif exists (
    select from auth.users a where lower(a.email) = new.email and a.organization_id = new.organization_id
  ) then
    raise check_violation using
      column = 'member_id',
      message = format('another account has the address %s: change the e-mail address of the member first', new.email);
  end if;
  return new;
end
$$;
create trigger check_invitation before insert on staff.invitations
  for each row when (current_user = 'authenticated') execute function staff.check_invitation();

-- Whether an account could issue links for an organisation's accounts at this time, and still can. A link is checked
-- when it is used, and ends with the rights of the account that issued it.
create function auth.can_issue(account uuid, organization uuid, issued_at timestamptz) returns boolean
  language sql stable security definer set search_path = ''
  return exists (
    select from staff.users o left join learn.profiles p on p.id = o.id
    where o.id = account and o.organization_id = organization and o.role = 'owner' and o.is_active
      and (o.rights_taken_at is null or o.rights_taken_at < issued_at)
      and (p.rights_taken_at is null or p.rights_taken_at < issued_at));

-- An invitation as its page shows it at this time. `state` is `open`, or the reason that nobody can accept it.
-- `account` is the organisation's own account with the address, or one without an organisation whose password can show
-- that it is the invited person's.
create function auth.invitation(token bytea, at timestamptz)
  returns table (state text, organization text, role text, email text, account uuid, has_password boolean)
  language sql stable security definer set search_path = ''
begin atomic
  select case
           when i.accepted_at is not null then 'used'
           when i.revoked_at is not null or not auth.can_issue(i.invited_by, i.organization_id, i.created_at)
             or exists (select from learn.members m where m.id = i.member_id and not m.is_active) then 'revoked'
           when i.expires_at <= at then 'expired'
           when not a.is_active then 'closed'
           when exists (select from staff.users u where u.id = a.id)
             or i.role = 'fellow'
               and exists (select from learn.profiles p where p.id = a.id or p.member_id = i.member_id) then 'taken'
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

-- Accepts an invitation: with the account that the invited person has signed in to, or with a new one with this
-- password. Returns `done`, or the state that prevents it.
create function auth.accept_invitation(token bytea, at timestamptz, account uuid, password_hash text)
  returns text language plpgsql security definer set search_path = '' as $$
declare
  invited staff.invitations;
  found_state text;
  found_account uuid;
begin
  select * into invited from staff.invitations i where i.token_hash = token for update;
  -- Two invitations of a student come one after the other.
  perform from learn.members m where m.id = invited.member_id for no key update;
  select i.state, i.account into found_state, found_account from auth.invitation(token, at) i;
  if found_state is distinct from 'open' then
    return found_state;
  end if;
  -- The account was created after the page was shown.
  if found_account is distinct from account then
    return 'changed';
  end if;
  if account is null then
    insert into auth.users (email, password_hash, organization_id, is_invited)
    values (invited.email, accept_invitation.password_hash, invited.organization_id, true)
    returning id into account;
  end if;
  if invited.role = 'fellow' then
    insert into learn.profiles (id, organization_id, member_id, name)
    values (account, invited.organization_id, invited.member_id, invited.name);
  else
    -- Nobody grants a level above their own.
    perform auth.enter_organization(account, invited.organization_id, invited.email, invited.name, invited.role,
      coalesce((select p.level from learn.profiles p where p.id = invited.invited_by), 0));
  end if;
  update staff.invitations i set accepted_at = at where i.id = invited.id;
  return 'done';
end
$$;

-- The status of an invitation: what the page behind its link says.
create function staff.invitation_status(token bytea) returns text
  language sql stable security definer set search_path = ''
  return (select case i.state when 'used' then 'accepted' else i.state end from auth.invitation(token, now()) i);

grant execute on function staff.check_invitation, staff.invitation_status to authenticated;
grant execute on function auth.invitation, auth.accept_invitation to frontdesk_identity;
