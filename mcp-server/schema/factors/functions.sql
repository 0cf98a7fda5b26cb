-- Whether the account has to have a second factor. What is not known counts as yes.
create function auth.requires_factor(account uuid) returns boolean
  language sql stable security definer set search_path = ''
  return (select k.role not in ('owner', 'admin') and k.level < 80 or o.second_factor = 'optional'
          from app.callers k left join app.organizations o on o.id = k.organization
          where k.id = account) is not true;

-- What a sign-in needs besides its password or the code host's word: nothing, a code, or to turn a second factor on.
create function auth.sign_in_needs(account uuid) returns text
  language sql stable security definer set search_path = ''
  return case
    when exists (select from auth.factors f where f.user_id = account) then 'code'
    when auth.requires_factor(account) then 'factor'
    else 'nothing'
  end;

-- Turns an account's second factor on; its sign-ins end, except one. Returns the account's new epoch; null if the account
-- has changed since `epoch`, or has a factor.
create function auth.turn_on_factor(
  account uuid, epoch integer, except_one uuid, key bytea, step bigint, recovery bytea[]) returns integer
  language plpgsql security definer set search_path = '' as $$
declare
  counted integer;
begin
  update auth.users a set epoch = a.epoch + 1
  where a.id = account and a.is_active and a.epoch = turn_on_factor.epoch
    and not exists (select from auth.factors f where f.user_id = account)
  returning a.epoch into counted;
  if counted is not null then
    insert into auth.factors (user_id, key, last_step) values (account, turn_on_factor.key, step);
    insert into auth.recovery_codes (user_id, hash) select account, unnest(recovery);
    update staff.users u set has_second_factor = true where u.id = account;
    perform auth.end_sign_ins(account, except_one);
  end if;
  return counted;
end
$$;

-- Turns it off; the account's sign-ins end, except one. False if it has none.
create function auth.turn_off_factor(account uuid, except_one uuid) returns boolean
  language plpgsql security definer set search_path = '' as $$
begin
  delete from auth.factors f where f.user_id = account;
  if not found then
    return false;
  end if;
  update auth.users a set epoch = a.epoch + 1 where a.id = account;
  update staff.users u set has_second_factor = false where u.id = account;
  perform auth.end_sign_ins(account, except_one);
  return true;
end
$$;

-- An owner removes somebody's second factor, whose authenticator is lost. False if there is no such account.
create function staff.remove_second_factor(account uuid) returns boolean
  language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(app.caller_role() <> 'owner', true) then
    raise insufficient_privilege;
  elsif account = app.caller_id() then
    raise check_violation using column = 'id',
      message = 'must be somebody else''s account: turn your own second factor off with a code (frontdesk second-factor off)';
  elsif staff.require_rank(account) is null then
    return false;
  elsif not auth.turn_off_factor(account, null) then
    raise check_violation using column = 'id', message = 'must be an account with a second factor';
  end if;
  return true;
end
$$;
-- Its holder turns a second factor on again: an undo has no key for it.
create function staff.keep_second_factor() returns trigger language plpgsql set search_path = '' as $$
begin
  raise unique_violation using column = 'change_id',
    message = 'a second factor cannot be restored: its holder has to turn it on again';
end
$$;
create trigger keep_second_factor before update on staff.users
  for each row when (current_setting('app.restoring', true) is not distinct from 'on'
    and old.has_second_factor <> new.has_second_factor)
  execute function staff.keep_second_factor();

grant execute on function
  auth.requires_factor, auth.sign_in_needs, auth.turn_on_factor, auth.turn_off_factor
  to frontdesk_identity;
grant execute on function staff.remove_second_factor, staff.keep_second_factor to authenticated;
