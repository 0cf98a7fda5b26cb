-- The engineering host: spec runs, documents with their versions, and pull requests as the code host reports them.
-- docs/access.md lists the rights.

create schema engineering authorization frontdesk_owner;
grant usage on schema engineering to authenticated, frontdesk_webhooks;

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

create trigger webhook after insert on engineering.spec_runs
  for each row when (current_setting('app.restoring', true) is distinct from 'on')
  execute function webhooks.tell('spec_run.created');
