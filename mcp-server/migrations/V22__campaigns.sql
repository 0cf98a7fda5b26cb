-- The campaigns host: posts, their reviews and metrics. docs/access.md lists the rights.

create schema campaigns authorization frontdesk_owner;
grant usage on schema campaigns to authenticated;

-- Tables -------------------------------------------------------------------------------------------

create table campaigns.posts (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  title text not null,
  title_key text generated always as (app.search_key(title)) stored,
  body text not null default '',
  channel text not null constraint posts_channel_check
    check (channel in ('instagram', 'linkedin', 'youtube', 'x', 'newsletter')),
  scheduled_at timestamptz,
  status text not null default 'draft' constraint posts_status_check
    check (status in ('draft', 'in_review', 'changes_requested', 'approved')),
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
  unique (id, organization_id)
);
create index posts_listed_idx on campaigns.posts (organization_id, created_at desc, id);
create index posts_queue_idx on campaigns.posts (organization_id, submitted_at, id) where status = 'in_review';

create table campaigns.reviews (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org(),
  post_id uuid not null,
  revision integer not null,
  verdict text not null constraint reviews_verdict_check check (verdict in ('approved', 'changes_requested')),
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
  impressions integer not null default 0 constraint metrics_impressions_check check (impressions >= 0),
  clicks integer not null default 0 constraint metrics_clicks_check check (clicks >= 0),
  reactions integer not null default 0 constraint metrics_reactions_check check (reactions >= 0),
  shares integer not null default 0 constraint metrics_shares_check check (shares >= 0),
  primary key (post_id, organization_id, day),
  constraint metrics_post_id_fkey foreign key (post_id, organization_id)
    references campaigns.posts (id, organization_id)
);

-- Access -------------------------------------------------------------------------------------------

-- Teachers write posts of their own; machines record metrics.
select app.protect_by('campaigns.posts',
  '(select app.caller_role()) <> ''fellow''',
  '(select app.caller_role()) in (''owner'', ''admin'', ''staff'')
   or (select app.caller_role()) = ''teacher'' and author_id = (select app.caller_id())');
select app.protect_by('campaigns.reviews',
  '(select app.caller_role()) <> ''fellow''',
  '(select app.caller_role()) in (''owner'', ''admin'', ''staff'') and reviewer_id = (select app.caller_id())');
select app.protect('campaigns.metrics',
  reads => '{owner,admin,staff,teacher,finance,automation}', writes => '{owner,admin,staff,automation}');
-- The database writes all other columns.
revoke insert, update, delete on campaigns.posts, campaigns.reviews, campaigns.metrics from authenticated;
grant insert (title, body, channel, scheduled_at), update (id, title, body, channel, scheduled_at, status)
  on campaigns.posts to authenticated;
grant insert (post_id, revision, verdict, comment) on campaigns.reviews to authenticated;
grant insert (post_id, day, impressions, clicks, reactions, shares),
  update (impressions, clicks, reactions, shares) on campaigns.metrics to authenticated;

-- Functions and triggers ---------------------------------------------------------------------------

-- Callers submit a post and change its text; only a review decides. An approved text that is changed returns to the
-- queue.
create function campaigns.check_post() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if new.status <> old.status then
    if new.status <> 'in_review' then
      raise insufficient_privilege using constraint = 'review', message = 'only a review can approve a post';
    elsif old.status = 'approved' then
      raise unique_violation using column = 'id', message = 'this post is already approved';
    end if;
    new.submitted_at := now();
  end if;
  if (new.title, new.body, new.channel, new.scheduled_at)
    is distinct from (old.title, old.body, old.channel, old.scheduled_at) then
    new.revision := old.revision + 1;
    new.edited_by := app.caller_id();
    new.writers := array_append(array_remove(old.writers, new.edited_by), new.edited_by);
    if new.status = 'approved' then
      new.status := 'in_review';
      new.submitted_at := now();
    end if;
  end if;
  return new;
end
$$;
create trigger check_post before update on campaigns.posts
  for each row when (current_user = 'authenticated') execute function campaigns.check_post();

-- A review is of the text that waits in the queue, by somebody who did not help to write it. The post is locked: of
-- two reviews, or a review and a change of the text, the second sees the result of the first.
create function campaigns.settle() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  post campaigns.posts;
begin
  select * into post from campaigns.posts p where p.id = new.post_id for no key update;
  if new.reviewer_id = any (array[post.author_id, post.edited_by] || post.writers) then
    raise insufficient_privilege
      using constraint = 'own_post', message = 'you cannot review your own text: ask somebody else';
  elsif post.status <> 'in_review' then
    raise unique_violation using column = 'id', message = 'this post is not in the review queue';
  elsif post.revision <> new.revision then
    raise unique_violation using
      column = 'revision', message = format('the current revision is %s: read the post again', post.revision);
  end if;
  update campaigns.posts p
    set status = new.verdict, writers = '{}',
        approved_at = case new.verdict when 'approved' then now() else p.approved_at end
    where p.id = post.id;
  return null;
end
$$;
-- Runs after the policy and the reference are checked.
create trigger settle after insert on campaigns.reviews
  for each row when (current_user = 'authenticated') execute function campaigns.settle();

create function campaigns.check_metric() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if exists (select from campaigns.posts p where p.id = new.post_id and p.approved_at is null) then
    raise check_violation using column = 'post_id', message = 'must be a post that was approved';
  end if;
  return new;
end
$$;
create trigger check_metric before insert on campaigns.metrics
  for each row execute function campaigns.check_metric();

grant execute on function campaigns.check_post(), campaigns.settle(), campaigns.check_metric() to authenticated;
