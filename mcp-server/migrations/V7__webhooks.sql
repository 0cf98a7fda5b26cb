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
  type text not null constraint events_type_check check (type in ('meeting.created', 'dispatch.created')),
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
-- The content of an event is fixed when it is written.
grant update (attempts, attempted_at, due_at, lease, delivered_at, given_up_at, last_error)
  on webhooks.events to frontdesk_webhooks;

-- Writes the event that the trigger names; its subject is the row.
create function webhooks.tell() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into webhooks.events (organization_id, type, subject_id)
  values (new.organization_id, tg_argv[0], new.id);
  return null;
end
$$;

-- The number of webhooks that these meetings of the caller's organisation caused, for the results of tools.
create function webhooks.count_for(subjects uuid[]) returns bigint
  language sql stable security definer set search_path = ''
  return (select count(*) from webhooks.events e
          where e.subject_id = any (subjects) and e.organization_id = app.caller_org());
grant execute on function webhooks.count_for(uuid[]) to authenticated;
