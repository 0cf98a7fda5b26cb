-- Submissions keep the title that they were submitted under; reversed entries reconcile no statement line; nobody
-- approves a post that they helped to write; only owners move a deadline that has passed; the list of invitations says
-- what the page behind the link says.

-- Submissions --------------------------------------------------------------------------------------

-- The tender's title when it was submitted to; null in a draft.
alter table proposals.submissions
  add column title text,
  add column title_key text generated always as (app.search_key(title)) stored;
update proposals.submissions s set title = t.title
  from proposals.tenders t where t.id = s.tender_id and s.status = 'submitted';

create function proposals.keep_title() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  select t.title into new.title from proposals.tenders t where t.id = new.tender_id;
  return new;
end
$$;
grant execute on function proposals.keep_title() to authenticated;
-- After guard_submission, which locks the tender.
create trigger keep_title before insert or update on proposals.submissions
  for each row when (new.status = 'submitted' and new.title is null) execute function proposals.keep_title();

-- Deadlines ----------------------------------------------------------------------------------------

-- The last move of a deadline that had passed.
alter table proposals.tenders
  add column deadline_was timestamptz,
  add column deadline_moved_at timestamptz,
  add column deadline_moved_by uuid;

create function proposals.guard_deadline() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if app.caller_role() <> 'owner' then
    raise insufficient_privilege
      using constraint = 'deadline', message = 'only owners move a deadline that has passed';
  end if;
  new.deadline_was := old.deadline_at;
  new.deadline_moved_at := clock_timestamp();
  new.deadline_moved_by := app.caller_id();
  return new;
end
$$;
grant execute on function proposals.guard_deadline() to authenticated;
create trigger guard_deadline before update on proposals.tenders
  for each row when (current_user = 'authenticated' and new.deadline_at <> old.deadline_at
    and old.deadline_at <= clock_timestamp())
  execute function proposals.guard_deadline();

-- Statement lines ----------------------------------------------------------------------------------

-- An entry is reconciled or reversed, one after the other.
create function financing.lock_entry(entry uuid) returns void
  language sql set search_path = ''
  return pg_advisory_xact_lock(hashtextextended(entry::text, 71));

create or replace function financing.check_reconciled() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  moved numeric;
begin
  if new.journal_entry_id is null then
    new.reconciled_by := null;
    return new;
  elsif new.journal_entry_id is not distinct from old.journal_entry_id
    or not exists (select from financing.journal_entries e where e.id = new.journal_entry_id) then
    return new;
  elsif old.journal_entry_id is not null then
    raise unique_violation using constraint = 'id is reconciled already';
  end if;
  perform financing.lock_entry(new.journal_entry_id);
  if exists (select from financing.journal_entries e where e.reverses_id = new.journal_entry_id) then
    raise check_violation using constraint = 'journal_entry_id must be of an entry that is not reversed';
  end if;
  moved := financing.moved(new.journal_entry_id, new.account_id);
  if moved <> new.amount then
    raise check_violation using constraint = format(
      'journal_entry_id must move %s on the account of the line, not %s', new.amount, moved);
  end if;
  new.reconciled_by := app.caller_id();
  return new;
end
$$;

-- The lines of an entry that is reversed are open again.
create function financing.open_lines() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  perform financing.lock_entry(new.reverses_id);
  update financing.statement_lines l set journal_entry_id = null where l.journal_entry_id = new.reverses_id;
  return null;
end
$$;
grant execute on function financing.lock_entry(uuid), financing.open_lines() to authenticated;
create trigger open_lines after insert on financing.journal_entries
  for each row when (new.reverses_id is not null) execute function financing.open_lines();
update financing.statement_lines l set journal_entry_id = null
  where exists (select from financing.journal_entries r where r.reverses_id = l.journal_entry_id);

-- Posts --------------------------------------------------------------------------------------------

-- Everybody who has changed the text since the last review.
alter table campaigns.posts add column writers uuid[] not null default '{}';
update campaigns.posts set writers = array[edited_by];

create or replace function campaigns.check_post() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if new.status <> old.status then
    if new.status <> 'in_review' then
      raise insufficient_privilege using constraint = 'review', message = 'a post is approved by a review';
    elsif old.status = 'approved' then
      raise unique_violation using constraint = 'id is approved already';
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

create or replace function campaigns.settle() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  post campaigns.posts;
begin
  select * into post from campaigns.posts p where p.id = new.post_id for no key update;
  if new.reviewer_id = any (array[post.author_id, post.edited_by] || post.writers) then
    raise insufficient_privilege
      using constraint = 'own_post', message = 'nobody reviews what they wrote: ask somebody else';
  elsif post.status <> 'in_review' then
    raise unique_violation using constraint = 'id is not in the review queue';
  elsif post.revision <> new.revision then
    raise unique_violation using constraint = format(
      'revision is %s by now: read the post again', post.revision);
  end if;
  update campaigns.posts p
    set status = new.verdict, writers = '{}',
        approved_at = case new.verdict when 'approved' then now() else p.approved_at end
    where p.id = post.id;
  return null;
end
$$;

-- Invitations --------------------------------------------------------------------------------------

-- The status of an invitation: what the page behind its link says.
create function staff.invitation_status(token bytea) returns text
  language sql stable security definer set search_path = ''
  return (select case i.state when 'used' then 'accepted' else i.state end from auth.invitation(token, now()) i);
grant execute on function staff.invitation_status(bytea) to authenticated;
