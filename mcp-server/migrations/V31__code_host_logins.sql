-- Logins at the code host. Signing in through it confirms a login. One that was entered counts only as long as nobody
-- else has it: otherwise an organisation could read about the work of another one's member.

alter table learn.profiles add column confirmed_login text;
drop index if exists learn.profiles_code_host_login_key;
create unique index profiles_code_host_login_key on learn.profiles (organization_id, lower(code_host_login));
create index profiles_code_host_login_idx on learn.profiles (lower(code_host_login));

-- After a sign-in through the code host: the account gets the login there, if the provider says it, and a member, if it
-- has none.
create function auth.signed_in_through(account uuid, login text) returns void
  language plpgsql security definer set search_path = ''
as $$
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
grant execute on function auth.signed_in_through(uuid, text) to frontdesk_identity;

-- Stores what the code host says of a pull request: `stored`, or `repeated` where the delivery was here before, or
-- `ignored` where nobody has this user in the profile, or a later delivery has told more. One whose author is not known
-- as a member is not remembered: it counts where it is delivered again later. Deliveries are remembered for 30 days.
create or replace function engineering.receive(delivery text, pull_request jsonb) returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  told constant engineering.pull_requests := jsonb_populate_record(null::engineering.pull_requests, pull_request);
  author learn.profiles;
  is_remembered boolean := false;
  outcome text := 'ignored';
begin
  delete from engineering.deliveries_seen where received_at < now() - interval '30 days';
  for author in
    select p.* from learn.profiles p
    where lower(p.code_host_login) = lower(told.author_login)
      and (lower(p.confirmed_login) = lower(told.author_login) or not exists (
        select from learn.profiles o where lower(o.code_host_login) = lower(told.author_login) and o.id <> p.id))
    order by p.organization_id
  loop
    if author.member_id is not null and not is_remembered then
      insert into engineering.deliveries_seen (id) values (delivery) on conflict do nothing;
      if not found then
        return 'repeated';
      end if;
      is_remembered := true;
    end if;
    insert into engineering.pull_requests as t
      (organization_id, repository, number, title, url, author_login, author_id, created_at, merged_at, closed_at, updated_at)
    values (author.organization_id, told.repository, told.number, told.title, told.url, told.author_login,
            author.member_id, told.created_at, told.merged_at, told.closed_at, told.updated_at)
    on conflict (organization_id, repository, number) do update
      set title = excluded.title, url = excluded.url, author_login = excluded.author_login,
          author_id = excluded.author_id, merged_at = excluded.merged_at, closed_at = excluded.closed_at,
          updated_at = excluded.updated_at
      where t.updated_at <= excluded.updated_at;
    if found then
      outcome := 'stored';
    end if;
  end loop;
  return outcome;
end
$$;
