-- The payments host: transactions, and payments to fellows. docs/access.md lists the rights.

create schema payments authorization frontdesk_owner;
grant usage on schema payments to authenticated;

create table payments.transactions (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  direction text not null check (direction in ('incoming', 'outgoing')),
  amount numeric(14, 2) not null check (amount > 0),
  occurred_on date not null,
  counterparty text not null,
  description text,
  reference text,
  found_by text generated always as (app.search_key(
    counterparty || ' ' || coalesce(description, '') || ' ' || coalesce(reference, ''))) stored,
  recorded_by uuid not null default app.caller_id(),
  created_at timestamptz not null default now(),
  -- A transaction that a bank reports twice is recorded once.
  constraint transactions_reference_key unique (organization_id, reference),
  unique (id, organization_id)
);
create index transactions_listed_idx on payments.transactions (organization_id, occurred_on desc, id);

create table payments.fellow_payments (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org(),
  member_id uuid not null,
  amount numeric(14, 2) not null check (amount > 0),
  description text not null,
  description_key text generated always as (app.search_key(description)) stored,
  due_on date,
  transaction_id uuid,
  created_at timestamptz not null default now(),
  -- The fellow's account that asks for the payment.
  submitted_by uuid,
  status text not null generated always as (case
    when transaction_id is not null then 'paid'
    when submitted_by is not null then 'submitted'
    else 'due' end) stored,
  constraint fellow_payments_member_id_fkey foreign key (member_id, organization_id)
    references learn.members (id, organization_id),
  constraint fellow_payments_transaction_id_fkey foreign key (transaction_id, organization_id)
    references payments.transactions (id, organization_id),
  constraint fellow_payments_transaction_id_key unique (transaction_id, organization_id)
);
create index fellow_payments_listed_idx on payments.fellow_payments (organization_id, due_on, id);
create index fellow_payments_status_idx on payments.fellow_payments (organization_id, status, due_on, id);
create index fellow_payments_of_member_idx on payments.fellow_payments (member_id, organization_id, due_on, id);
