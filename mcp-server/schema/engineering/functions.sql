call app.make_searchable('engineering.spec_runs', 't.title_key like pattern');

-- A run that has ended never changes.
create function engineering.check_run() returns trigger language plpgsql set search_path = '' as $$
begin
  if old.finished_at is not null and (new.status, new.result) is distinct from (old.status, old.result) then
    raise unique_violation using column = 'id', message = 'this run has already ended: start another one';
  elsif old.finished_at is null and new.status in ('succeeded', 'failed', 'canceled') then
    new.finished_at := now();
  end if;
  return new;
end
$$;
create trigger check_run before update on engineering.spec_runs
  for each row when (current_setting('app.restoring', true) is distinct from 'on')
  execute function engineering.check_run();

-- An update names the version that it is based on. Of two callers the second waits for the row and finds
-- another version.
create function engineering.next_version() returns trigger language plpgsql set search_path = '' as $$
begin
  if new.version <> old.version then
    raise unique_violation using
      column = 'version', message = format('the current version is %s: read the document again', old.version);
  elsif (new.title, new.content) is distinct from (old.title, old.content) then
    new.version := old.version + 1;
    new.updated_by := app.caller_id();
    new.updated_at := now();
  end if;
  return new;
end
$$;
create trigger next_version before update on engineering.documents
  for each row when (current_setting('app.restoring', true) is distinct from 'on')
  execute function engineering.next_version();

-- Keeps each version; nothing else writes one.
create function engineering.keep_version() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into engineering.document_versions
  values (new.id, new.organization_id, new.version, new.title, new.content, new.updated_by, new.updated_at)
  on conflict do nothing;
  return null;
end
$$;
create trigger keep_version after insert or update on engineering.documents
  for each row when (current_setting('app.restoring', true) is distinct from 'on')
  execute function engineering.keep_version();

create function engineering.remember_repository()
  returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into engineering.repositories (organization_id, repository) values (new.organization_id, new.repository)
  on conflict do nothing;
  return null;
end
$$;
create trigger remember_repository after insert on engineering.pull_requests
  for each row execute function engineering.remember_repository();

-- Stores a pull request as the code host reports it: returns `stored`; `repeated` for a known delivery; or `ignored` if
-- no profile has this login, or a later delivery was stored. A login that a sign-in through the code host confirmed
-- counts; one that was entered counts only as long as nobody else has it: otherwise an organisation could read about
-- the work of another one's member. A delivery whose author is not yet known as a member is not remembered: it counts
-- if it is delivered again later.
create function engineering.receive(delivery text, pull_request jsonb)
  returns text language plpgsql security definer set search_path = '' as $$
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

grant execute on function engineering.check_run, engineering.next_version, engineering.keep_version to authenticated;
grant execute on function engineering.receive to frontdesk_webhooks;
