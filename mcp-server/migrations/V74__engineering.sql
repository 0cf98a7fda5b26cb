-- The engineering host: spec runs, and documents with their versions. Who may what is in docs/access.md.

create table engineering.spec_runs (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  title text not null,
  title_key text generated always as (app.search_key(title)) stored,
  spec text not null,
  status text not null default 'queued' constraint spec_runs_status_check
    check (status in ('queued', 'running', 'succeeded', 'failed', 'canceled')),
  result text,
  started_by uuid not null default app.caller_id(),
  started_at timestamptz not null default now(),
  finished_at timestamptz
);
create index spec_runs_listed_idx on engineering.spec_runs (organization_id, started_at desc, id);

-- A run that has ended stays as it ended.
create function engineering.check_run() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if old.finished_at is not null and (new.status, new.result) is distinct from (old.status, old.result) then
    raise unique_violation using constraint = 'id has ended already: start another run';
  elsif old.finished_at is null and new.status in ('succeeded', 'failed', 'canceled') then
    new.finished_at := now();
  end if;
  return new;
end
$$;
create trigger check_run before update on engineering.spec_runs
  for each row execute function engineering.check_run();

create table engineering.documents (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  kind text not null constraint documents_kind_check check (kind in ('document', 'diagram', 'sheet', 'ux_map')),
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

-- An update names the version that it is based on. Of two callers the second waits for the row and finds
-- another version.
create function engineering.next_version() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if new.version <> old.version then
    raise unique_violation using constraint = format('version is %s by now: read the document again', old.version);
  elsif (new.title, new.content) is distinct from (old.title, old.content) then
    new.version := old.version + 1;
    new.updated_by := app.caller_id();
    new.updated_at := now();
  end if;
  return new;
end
$$;
create trigger next_version before update on engineering.documents
  for each row execute function engineering.next_version();

-- Each version is kept; nobody writes one otherwise.
create function engineering.keep_version() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into engineering.document_versions
  values (new.id, new.organization_id, new.version, new.title, new.content, new.updated_by, new.updated_at)
  on conflict do nothing;
  return null;
end
$$;
create trigger keep_version after insert or update on engineering.documents
  for each row execute function engineering.keep_version();
grant execute on function engineering.check_run(), engineering.next_version(), engineering.keep_version()
  to authenticated;

-- Runs are started by people who build, and told of by the machines that carry them out.
select app.protect('engineering.spec_runs', reads => '{owner,admin,staff,teacher,finance,fellow,automation}',
  writes => '{owner,admin,staff,teacher,fellow,automation}');
select app.protect('engineering.documents', reads => '{owner,admin,staff,teacher,finance,fellow}',
  writes => '{owner,admin,staff,teacher,fellow}');
select app.protect('engineering.document_versions', reads => '{owner,admin,staff,teacher,finance,fellow}', writes => '{}');

-- What is not named here is the database's to write.
revoke insert, update, delete on engineering.spec_runs, engineering.documents, engineering.document_versions
  from authenticated;
grant insert (title, spec), update (id, status, result) on engineering.spec_runs to authenticated;
grant insert (kind, title, content), update (id, version, title, content) on engineering.documents to authenticated;
