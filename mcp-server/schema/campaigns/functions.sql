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
