-- The outbox of webhooks (specification, section 6): one row for each meeting that is inserted, written
-- by a trigger in the same transaction. A rollback leaves none, a commit always has its row.
--
-- Nothing is notified: NOTIFY in a trigger makes commits wait for each other. The worker looks.

create schema webhooks authorization frontdesk_owner;
grant usage on schema webhooks to authenticated, frontdesk_webhooks;

create table webhooks.events (
  -- The same at every attempt: what the receiver tells repeats by.
  id uuid primary key default gen_random_uuid(),
  -- Events of one subject are delivered in this order.
  sequence bigint generated always as identity unique,
  organization_id uuid not null,
  type text not null constraint events_type_check check (type in ('meeting.created')),
  subject_id uuid not null,
  created_at timestamptz not null default now(),
  -- How often it was sent, or was begun to be.
  attempts integer not null default 0,
  attempted_at timestamptz,
  -- When it may be claimed. While a worker has it, this is the end of the worker's lease.
  due_at timestamptz not null default now(),
  -- Of the worker that claimed it last: whoever comes back after the lease ran out settles nothing.
  lease uuid,
  delivered_at timestamptz,
  -- After the last attempt; replaying starts again.
  given_up_at timestamptz,
  -- Why the last attempt failed.
  last_error text,
  constraint events_end_check check (delivered_at is null or given_up_at is null),
  constraint events_lease_check check (lease is null or (delivered_at is null and given_up_at is null))
);
-- What is pending: all that the worker looks at, however much was delivered.
create index events_due_at_idx on webhooks.events (due_at, sequence)
  where delivered_at is null and given_up_at is null;
create index events_pending_idx on webhooks.events (subject_id, sequence)
  where delivered_at is null and given_up_at is null;
create index events_subject_id_idx on webhooks.events (subject_id);

alter table webhooks.events enable row level security;
alter table webhooks.events force row level security;
-- No caller sees the outbox; the worker sees nothing else.
create policy worker on webhooks.events to frontdesk_webhooks using (true) with check (true);
grant select on webhooks.events to frontdesk_webhooks;
-- What an event says is settled when it is written.
grant update (attempts, attempted_at, due_at, lease, delivered_at, given_up_at, last_error)
  on webhooks.events to frontdesk_webhooks;

create function webhooks.meeting_inserted() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into webhooks.events (organization_id, type, subject_id)
  values (new.organization_id, 'meeting.created', new.id);
  return null;
end
$$;
create trigger webhook after insert on work.meetings
  for each row execute function webhooks.meeting_inserted();

-- How many webhooks these meetings of the caller's organisation have caused: tools report it.
create function webhooks.count_for(subjects uuid[]) returns bigint
  language sql stable security definer set search_path = ''
  return (select count(*) from webhooks.events e
          where e.subject_id = any (subjects) and e.organization_id = app.caller_org());
grant execute on function webhooks.count_for(uuid[]) to authenticated;
