-- People who are removed for good leave no trace beside the records.

-- Removes a deleted person from everything that is kept beside the records: the history with the arguments of the
-- changes concerned, which cannot be undone any more, and stored results. Of a member these are all rows that name it,
-- of an account and an invitation their own. What an account wrote stays.
create or replace function app.erase(person uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  own constant text := jsonb_build_object('id', person);
  named constant text := '%' || person || '%';
  is_member constant boolean := exists (
    select from app.changed_rows r where r.key = own and r.table_name = 'learn.members');
  erased uuid[];
begin
  if exists (select from learn.members m where m.id = person)
    or exists (select from learn.profiles p where p.id = person and p.removed_at is null)
    or exists (select from staff.invitations i where i.id = person) then
    raise insufficient_privilege;
  end if;
  perform set_config('app.erasing', 'on', true);
  with emptied as (
    update app.changed_rows r set before = null, after = null
    where r.key = own or is_member and (r.key like named or r.before like named or r.after like named)
    returning r.change_id
  )
  select array_agg(distinct e.change_id) into erased from emptied e;
  update app.changes c set arguments = null where c.id = any (erased) or is_member and c.arguments like named;
  perform set_config('app.erasing', '', true);
  -- A key without a result stays used: its call is not made again.
  update app.idempotency_keys k set result = null where k.result like named;
  delete from app.idempotency_keys k where k.user_id = person;
  delete from app.applied_plans a where a.account_id = person;
end
$$;

create or replace function auth.remove_account(account uuid) returns void
  language plpgsql set search_path = ''
as $$
declare
  invitation uuid;
begin
  insert into learn.profiles (id, organization_id, name)
  select a.id, a.organization_id, split_part(a.email, '@', 1) from auth.users a
  where a.id = account and a.organization_id is not null
  on conflict do nothing;
  update learn.profiles p
  set name = p.name || ' (former)', avatar_url = null, member_id = null, chat_user_id = null, code_host_login = null,
      fellow_slug = null, level = 0, removed_at = now()
  where p.id = account and p.removed_at is null;
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
create or replace function auth.remove_organization(organization uuid) returns void
  language plpgsql set search_path = ''
as $$
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

-- Removes the keys that are no longer remembered, also those of accounts that make no calls any more.
create function app.forget_keys() returns void
  language sql security definer set search_path = ''
begin atomic
  delete from app.idempotency_keys k where k.created_at < now() - interval '2 days';
end;
grant execute on function app.forget_keys() to frontdesk_webhooks;
