-- The quiz host's dispatches: forms are sent to the guests of an event, who respond to them.

create table quiz.dispatches (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org(),
  form_id uuid not null,
  event_id uuid not null,
  guest_id uuid not null,
  -- Resolved at the time of the dispatch; null for a guest with an account, who responds in the app.
  chat_id text,
  dispatched_by uuid default app.caller_id(),
  created_at timestamptz not null default now(),
  -- A guest gets a form once.
  constraint dispatches_guest_id_key unique (form_id, organization_id, guest_id),
  constraint dispatches_form_id_fkey foreign key (form_id, organization_id) references quiz.forms (id, organization_id),
  constraint dispatches_event_id_fkey foreign key (event_id, organization_id)
    references events.events (id, organization_id) on delete cascade,
  constraint dispatches_guest_id_fkey foreign key (guest_id, event_id)
    references events.guests (id, event_id) on delete cascade,
  unique (id, organization_id)
);
create index dispatches_listed_idx on quiz.dispatches (organization_id, created_at desc, id);
create index dispatches_event_id_idx on quiz.dispatches (event_id, organization_id);
create index dispatches_guest_id_idx on quiz.dispatches (guest_id, event_id);

create table quiz.responses (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org(),
  dispatch_id uuid not null,
  -- An answer for each field of the form, in order; empty for a field without an answer.
  answers text[] not null,
  submitted_by uuid default app.caller_id(),
  created_at timestamptz not null default now(),
  constraint responses_dispatch_id_key unique (dispatch_id, organization_id),
  constraint responses_dispatch_id_fkey foreign key (dispatch_id, organization_id)
    references quiz.dispatches (id, organization_id) on delete cascade
);
create index responses_listed_idx on quiz.responses (organization_id, created_at desc, id);
create trigger webhook after insert on quiz.dispatches
  for each row when (new.chat_id is not null and current_setting('app.restoring', true) is distinct from 'on')
  execute function webhooks.tell('dispatch.created');
