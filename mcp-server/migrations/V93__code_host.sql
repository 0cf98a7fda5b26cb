-- What a code host delivers. A delivery is known by what is signed, the body: its SHA-256 in hexadecimal digits. The id
-- in the request's header is not signed, and anybody who has one body could send it under many.

delete from engineering.deliveries_seen;
create index deliveries_seen_received_at_idx on engineering.deliveries_seen (received_at);

-- Stores what the code host says of a pull request: `stored`, or `repeated` where the delivery was here before, or
-- `ignored` where nobody has this user in the profile, or a later delivery has told more. One whose author is not known
-- as a member is not remembered: it counts where it is delivered again later. Deliveries are remembered for 30 days.
create or replace function engineering.receive(delivery text, pull_request jsonb) returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  told constant engineering.pull_requests := jsonb_populate_record(null::engineering.pull_requests, pull_request);
  author learn.profiles;
begin
  delete from engineering.deliveries_seen where received_at < now() - interval '30 days';
  select * into author from learn.profiles p where lower(p.code_host_login) = lower(told.author_login);
  if not found then
    return 'ignored';
  end if;
  if author.member_id is not null then
    insert into engineering.deliveries_seen (id) values (delivery) on conflict do nothing;
    if not found then
      return 'repeated';
    end if;
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
  return case when found then 'stored' else 'ignored' end;
end
$$;
