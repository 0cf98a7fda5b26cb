-- The campaigns host: posts, their reviews and metrics. docs/access.md lists the rights.

create schema campaigns authorization frontdesk_owner;
grant usage on schema campaigns to authenticated;

-- Tables -------------------------------------------------------------------------------------------

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

call app.make_searchable('campaigns.posts', 't.title_key like pattern');

-- Callers submit a post and change its text; only a review decides. An approved text that is changed returns to the
-- queue, a published one never changes.
create function campaigns.check_post() returns trigger language plpgsql set search_path = '' as $$
begin
  if old.status = 'published' and (new.status, new.title, new.body, new.channel, new.scheduled_at)
    is distinct from (old.status, old.title, old.body, old.channel, old.scheduled_at) then
    raise unique_violation using column = 'id', message = 'this post is published and cannot change';
  end if;
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
-- two reviews, or a review and a change of the text, the second sees the result of the first. Runs after the policy and
-- the reference are checked.
create function campaigns.settle() returns trigger language plpgsql security definer set search_path = '' as $$
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

-- Records where an approved post was published; once more, it corrects the address. Machines publish, too, although
-- they write no posts. Null if the post does not exist.
create function campaigns.mark_published(post uuid, url text, published_at timestamptz)
  returns uuid language plpgsql security definer set search_path = '' as $$
declare
  marked campaigns.posts;
begin
  if coalesce(app.caller_role() not in ('owner', 'admin', 'staff', 'automation'), true) then
    raise insufficient_privilege;
  end if;
  select * into marked from campaigns.posts p
  where p.id = post and p.organization_id = app.caller_org() for no key update;
  if marked.status not in ('approved', 'published') then
    raise unique_violation using column = 'id', message = format('this post is %s: only an approved one can be published',
      case marked.status when 'draft' then 'a draft' when 'in_review' then 'in review' else 'to be changed' end);
  end if;
  update campaigns.posts p
  set status = 'published', url = mark_published.url,
      published_at = coalesce(mark_published.published_at, p.published_at, now())
  where p.id = marked.id;
  return marked.id;
end
$$;

-- An approved post is due at its time, until it is published or changed.
create function campaigns.plan_post() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform webhooks.plan(new.organization_id, 'post.due', new.id,
                        case new.status when 'approved' then new.scheduled_at end);
  return null;
end
$$;
create trigger webhook after update on campaigns.posts
  for each row when ((old.status, old.scheduled_at) is distinct from (new.status, new.scheduled_at)
    and 'approved' in (old.status, new.status))
  execute function campaigns.plan_post();

create function campaigns.check_metric() returns trigger language plpgsql set search_path = '' as $$
begin
  if exists (select from campaigns.posts p where p.id = new.post_id and p.approved_at is null) then
    raise check_violation using column = 'post_id', message = 'must be a post that was approved';
  end if;
  return new;
end
$$;
create trigger check_metric before insert on campaigns.metrics for each row execute function campaigns.check_metric();

grant execute on function
  campaigns.check_post, campaigns.settle, campaigns.mark_published, campaigns.check_metric
  to authenticated;
