-- The outbox of webhooks (specification, section 6). A trigger writes an event in the transaction of the row that it
-- is about, so a rollback leaves no event and a commit always has one.
--
-- The worker polls: NOTIFY in a trigger would make commits wait for each other.

create schema webhooks authorization frontdesk_owner;
grant usage on schema webhooks to authenticated, frontdesk_webhooks;

create table webhooks.events (
  -- The same at every attempt: the receiver recognises repeats by it.
  id uuid primary key default gen_random_uuid(),
  -- Events of one subject are delivered in this order.
  sequence bigint generated always as identity unique,
  organization_id uuid not null,
  type text not null check (type in (
    'meeting.created', 'dispatch.created', 'post.due', 'spec_run.created', 'sandbox.created', 'sandbox.ended')),
  subject_id uuid not null,
  created_at timestamptz not null default now(),
  -- The number of attempts, including one that has begun.
  attempts integer not null default 0,
  attempted_at timestamptz,
  -- The time from which a worker can claim it. During a delivery, the end of the worker's lease.
  due_at timestamptz not null default now(),
  -- The lease of the last worker: a worker that returns after its lease expired changes nothing.
  lease uuid,
  delivered_at timestamptz,
  -- Set after the last attempt; a replay starts again.
  given_up_at timestamptz,
  -- The reason that the last attempt failed.
  last_error text,
  constraint events_end_check check (delivered_at is null or given_up_at is null),
  constraint events_lease_check check (lease is null or (delivered_at is null and given_up_at is null))
);
-- The pending events: the worker reads nothing else, however many were delivered.
create index events_due_at_idx on webhooks.events (due_at, sequence) where delivered_at is null and given_up_at is null;
create index events_pending_idx
  on webhooks.events (subject_id, sequence) where delivered_at is null and given_up_at is null;
create index events_subject_id_idx on webhooks.events (subject_id);

-- No caller sees the outbox; the worker sees nothing else.
select app.secure('webhooks.events');
create policy worker on webhooks.events to frontdesk_webhooks using (true) with check (true);
grant select on webhooks.events to frontdesk_webhooks;
-- The content of an event is fixed when it is written.
grant update (attempts, attempted_at, due_at, lease, delivered_at, given_up_at, last_error)
  on webhooks.events to frontdesk_webhooks;

-- The history has the events that a change adds.
create trigger a_capture after insert on webhooks.events
  for each row when (current_setting('app.change_id', true) <> '')
  execute function app.capture_change('{id}', '{attempts,attempted_at,due_at,lease,delivered_at,given_up_at,last_error}');

-- Writes the event that the trigger names; its subject is the row.
create function webhooks.tell() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into webhooks.events (organization_id, type, subject_id) values (new.organization_id, tg_argv[0], new.id);
  return null;
end
$$;

-- Plans an event of this subject for a time, in place of one that has not been sent. Null plans none.
--
-- The triggers that plan events follow from the state of a row, so they also run while an undo restores rows.
create function webhooks.plan(organization uuid, kind text, subject uuid, at timestamptz)
  returns void language plpgsql security definer set search_path = '' as $$
begin
  delete from webhooks.events e
  where e.subject_id = subject and e.type = kind and e.attempts = 0 and e.delivered_at is null;
  if at is not null then
    insert into webhooks.events (organization_id, type, subject_id, created_at, due_at)
    values (organization, kind, subject, greatest(at, now()), greatest(at, now()));
  end if;
end
$$;

-- The number of webhooks that these meetings of the caller's organisation caused, for the results of tools.
create function webhooks.count_for(subjects uuid[]) returns bigint
  language sql stable security definer set search_path = ''
  return (select count(*) from webhooks.events e
          where e.subject_id = any (subjects) and e.organization_id = app.caller_org());

-- The webhooks that a change caused, by type, and how many were delivered.
create function app.webhooks_of(target uuid) returns table (type text, number bigint, delivered bigint)
  language sql stable security definer set search_path = ''
begin atomic
  select e.type, count(*), count(e.delivered_at)
  from app.parts(target) p
  join app.changed_rows r on r.change_id = p
  join webhooks.events e on e.id::text = r.key::jsonb ->> 'id' and e.organization_id = app.caller_org()
  where r.table_name = 'webhooks.events'
  group by e.type;
end;

grant execute on function webhooks.count_for, app.webhooks_of to authenticated;
