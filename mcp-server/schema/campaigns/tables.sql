-- The campaigns host: posts, their reviews and metrics. docs/access.md lists the rights.

create schema campaigns authorization frontdesk_owner;
grant usage on schema campaigns to authenticated;

create table campaigns.posts (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  title text not null,
  title_key text generated always as (app.search_key(title)) stored,
  body text not null default '',
  channel text not null check (channel in ('instagram', 'linkedin', 'youtube', 'x', 'newsletter')),
  scheduled_at timestamptz,
  status text not null default 'draft'
    check (status in ('draft', 'in_review', 'changes_requested', 'approved', 'published')),
  -- The number of texts that the post has had.
  revision integer not null default 1,
  author_id uuid not null default app.caller_id(),
  -- The author of the current text.
  edited_by uuid not null default app.caller_id(),
  -- Everybody who has changed the text since the last review.
  writers uuid[] not null default '{}',
  submitted_at timestamptz,
  approved_at timestamptz,
  created_at timestamptz not null default now(),
  published_at timestamptz,
  -- Where it was published.
  url text,
  unique (id, organization_id)
);
create index posts_listed_idx on campaigns.posts (organization_id, created_at desc, id);
create index posts_queue_idx on campaigns.posts (organization_id, submitted_at, id) where status = 'in_review';
create index posts_search_idx on campaigns.posts using gin (title_key extensions.gin_trgm_ops);

create table campaigns.reviews (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org(),
  post_id uuid not null,
  revision integer not null,
  verdict text not null check (verdict in ('approved', 'changes_requested')),
  comment text,
  reviewer_id uuid not null default app.caller_id(),
  created_at timestamptz not null default now(),
  constraint reviews_post_id_fkey foreign key (post_id, organization_id)
    references campaigns.posts (id, organization_id)
);
create index reviews_post_id_idx on campaigns.reviews (post_id, organization_id, created_at desc, id);

create table campaigns.metrics (
  post_id uuid not null,
  organization_id uuid not null default app.caller_org(),
  day date not null,
  impressions integer not null default 0 check (impressions >= 0),
  clicks integer not null default 0 check (clicks >= 0),
  reactions integer not null default 0 check (reactions >= 0),
  shares integer not null default 0 check (shares >= 0),
  primary key (post_id, organization_id, day),
  constraint metrics_post_id_fkey foreign key (post_id, organization_id)
    references campaigns.posts (id, organization_id)
);
