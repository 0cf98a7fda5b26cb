-- Webhooks of posts that are due, of spec runs and of sandboxes; the addresses of published posts and of sandboxes.

alter table webhooks.events drop constraint events_type_check;
alter table webhooks.events add constraint events_type_check check (type in (
  'meeting.created', 'dispatch.created', 'post.due', 'spec_run.created', 'sandbox.created', 'sandbox.ended'));

-- Plans an event of this subject for a time, in place of one that has not been sent. Null plans none.
--
-- The triggers that plan events follow from the state of a row, so they also run while an undo restores rows.
create function webhooks.plan(organization uuid, kind text, subject uuid, at timestamptz) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from webhooks.events e
  where e.subject_id = subject and e.type = kind and e.attempts = 0 and e.delivered_at is null;
  if at is not null then
    insert into webhooks.events (organization_id, type, subject_id, created_at, due_at)
    values (organization, kind, subject, greatest(at, now()), greatest(at, now()));
  end if;
end
$$;

-- Spec runs ----------------------------------------------------------------------------------------

create trigger webhook after insert on engineering.spec_runs
  for each row execute function webhooks.tell('spec_run.created');
call app.leave_out_when_restoring('engineering.spec_runs', 'webhook');

-- Posts --------------------------------------------------------------------------------------------

alter table campaigns.posts add column published_at timestamptz, add column url text;
alter table campaigns.posts drop constraint posts_status_check;
alter table campaigns.posts add constraint posts_status_check
  check (status in ('draft', 'in_review', 'changes_requested', 'approved', 'published'));

-- Callers submit a post and change its text; only a review decides. An approved text that is changed returns to the
-- queue, a published one never changes.
create or replace function campaigns.check_post() returns trigger
  language plpgsql set search_path = ''
as $$
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

-- Records where an approved post was published; once more, it corrects the address. Machines publish, too, although
-- they write no posts. Null if the post does not exist.
create function campaigns.mark_published(post uuid, url text, published_at timestamptz) returns uuid
  language plpgsql security definer set search_path = ''
as $$
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
grant execute on function campaigns.mark_published(uuid, text, timestamptz) to authenticated;

-- An approved post is due at its time, until it is published or changed.
create function campaigns.plan_post() returns trigger
  language plpgsql security definer set search_path = ''
as $$
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

-- Sandboxes ----------------------------------------------------------------------------------------

alter table ops.sandboxes add column url text;

-- Records where a sandbox runs. Machines that run the sandboxes of others report them, too. Null if it does not exist.
create function ops.report_sandbox(sandbox uuid, url text) returns uuid
  language plpgsql security definer set search_path = ''
as $$
declare
  reported ops.sandboxes;
begin
  select * into reported from ops.sandboxes s
  where s.id = sandbox and s.organization_id = app.caller_org()
    and app.caller_role() in ('owner', 'admin', 'staff', 'teacher', 'automation') for no key update;
  if reported.id is null then
    return null;
  elsif app.caller_role() not in ('owner', 'admin', 'automation') and reported.created_by is distinct from app.caller_id() then
    raise insufficient_privilege;
  elsif reported.ended_at is not null or reported.expires_at <= now() then
    raise unique_violation using column = 'id', message = 'this sandbox has ended: create another one';
  end if;
  update ops.sandboxes s set url = report_sandbox.url where s.id = reported.id;
  return reported.id;
end
$$;
grant execute on function ops.report_sandbox(uuid, text) to authenticated;

create trigger webhook after insert on ops.sandboxes
  for each row execute function webhooks.tell('sandbox.created');
call app.leave_out_when_restoring('ops.sandboxes', 'webhook');

-- A sandbox ends when it expires, or earlier.
create function ops.plan_end() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    perform webhooks.plan(old.organization_id, 'sandbox.ended', old.id, null);
  else
    perform webhooks.plan(new.organization_id, 'sandbox.ended', new.id, coalesce(new.ended_at, new.expires_at));
  end if;
  return null;
end
$$;
create trigger webhook_of_end after insert or delete on ops.sandboxes
  for each row execute function ops.plan_end();
create trigger webhook_of_earlier_end after update on ops.sandboxes
  for each row when (coalesce(old.ended_at, old.expires_at) is distinct from coalesce(new.ended_at, new.expires_at))
  execute function ops.plan_end();
