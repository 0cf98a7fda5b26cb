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
create index events_delivered_at_idx on webhooks.events (delivered_at) where delivered_at is not null;
create index events_given_up_at_idx on webhooks.events (given_up_at) where given_up_at is not null;

-- The history has the events that a change adds.
create trigger a_capture after insert on webhooks.events
  for each row when (current_setting('app.change_id', true) <> '')
  execute function app.capture_change('{id}', '{attempts,attempted_at,due_at,lease,delivered_at,given_up_at,last_error}');
