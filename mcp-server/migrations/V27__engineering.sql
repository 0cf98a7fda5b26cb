-- The engineering host: spec runs, documents with their versions, and pull requests as the code host reports them.
-- docs/access.md lists the rights.

create schema engineering authorization frontdesk_owner;
grant usage on schema engineering to authenticated, frontdesk_webhooks;

-- Tables -------------------------------------------------------------------------------------------

create table engineering.spec_runs (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  title text not null,
  title_key text generated always as (app.search_key(title)) stored,
  spec text not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'failed', 'canceled')),
  result text,
  started_by uuid not null default app.caller_id(),
  started_at timestamptz not null default now(),
  finished_at timestamptz
);
create index spec_runs_listed_idx on engineering.spec_runs (organization_id, started_at desc, id);
create index spec_runs_search_idx on engineering.spec_runs using gin (title_key extensions.gin_trgm_ops);

create table engineering.documents (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  kind text not null check (kind in ('document', 'diagram', 'sheet', 'ux_map')),
  title text not null,
  title_key text generated always as (app.search_key(title)) stored,
  content text not null default '',
  version integer not null default 1,
  updated_by uuid not null default app.caller_id(),
  updated_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  unique (id, organization_id)
);
create index documents_listed_idx on engineering.documents (organization_id, updated_at desc, id);

create table engineering.document_versions (
  document_id uuid not null,
  organization_id uuid not null,
  version integer not null,
  title text not null,
  content text not null,
  updated_by uuid not null,
  updated_at timestamptz not null,
  primary key (document_id, organization_id, version),
  constraint document_versions_document_id_fkey foreign key (document_id, organization_id)
    references engineering.documents (id, organization_id)
);

-- Written by what the code host sends.
create table engineering.pull_requests (
  id uuid primary key default app.new_id(),
  organization_id uuid not null references app.organizations (id),
  repository text not null,
  number integer not null,
  title text not null,
  title_key text generated always as (app.search_key(title)) stored,
  url text not null,
  -- The user at the code host, and the member with this user in the profile.
  author_login text not null,
  author_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null default now(),
  merged_at timestamptz,
  closed_at timestamptz,
  constraint pull_requests_number_key unique (organization_id, repository, number),
  constraint pull_requests_author_id_fkey foreign key (author_id, organization_id)
    references learn.members (id, organization_id) on delete set null (author_id)
);
create index pull_requests_listed_idx on engineering.pull_requests (organization_id, created_at desc, id);
create index pull_requests_author_id_idx on engineering.pull_requests (author_id, organization_id, merged_at);

-- The repositories of an organisation, from its pull requests.
create table engineering.repositories (
  organization_id uuid not null references app.organizations (id),
  repository text not null,
  primary key (organization_id, repository)
);

-- The deliveries of the last 30 days, so that a repeated delivery changes nothing. The id is the SHA-256 of the
-- body, in hexadecimal digits: the body is signed. The id in the request's header is not, so that one body could be
-- sent under many ids.
create table engineering.deliveries_seen (
  id text primary key check (length(id) <= 100),
  received_at timestamptz not null default now()
);
create index deliveries_seen_received_at_idx on engineering.deliveries_seen (received_at);

-- Access -------------------------------------------------------------------------------------------

-- People who build start runs, and the machines that execute them report the results.
select app.protect('engineering.spec_runs', reads => '{owner,admin,staff,teacher,finance,fellow,automation}',
  writes => '{owner,admin,staff,teacher,fellow,automation}');
select app.protect('engineering.documents', reads => '{owner,admin,staff,teacher,finance,fellow}',
  writes => '{owner,admin,staff,teacher,fellow}');
select app.protect('engineering.document_versions',
  reads => '{owner,admin,staff,teacher,finance,fellow}', writes => '{}');
select app.protect('engineering.pull_requests', '{owner,admin,staff,teacher,finance,fellow}', '{}');
-- The database writes all other columns.
revoke insert, update, delete on engineering.spec_runs, engineering.documents, engineering.document_versions,
  engineering.pull_requests from authenticated;
grant insert (title, spec), update (id, status, result) on engineering.spec_runs to authenticated;
grant insert (kind, title, content), update (id, version, title, content) on engineering.documents to authenticated;

select app.admit_nobody('engineering.repositories'), app.admit_nobody('engineering.deliveries_seen');

-- Functions and triggers ---------------------------------------------------------------------------

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

create trigger webhook after insert on engineering.spec_runs
  for each row when (current_setting('app.restoring', true) is distinct from 'on')
  execute function webhooks.tell('spec_run.created');

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
