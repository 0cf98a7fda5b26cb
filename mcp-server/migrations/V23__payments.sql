-- The payments host: transactions, and payments to fellows. docs/access.md lists the rights.

create schema payments authorization frontdesk_owner;
grant usage on schema payments to authenticated;

-- Tables -------------------------------------------------------------------------------------------

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

-- Access -------------------------------------------------------------------------------------------

select app.protect('payments.transactions',
  reads => '{owner,admin,staff,finance,automation}', writes => '{owner,admin,finance,automation}');
select app.protect_by('payments.fellow_payments',
  '(select app.caller_role()) in (''owner'', ''admin'', ''staff'', ''finance'')
   or member_id = (select app.caller_member())',
  '(select app.caller_role()) in (''owner'', ''admin'', ''finance'')');
-- Members see the transactions that paid them.
create policy read_own on payments.transactions for select to authenticated
  using (organization_id = (select app.caller_org()) and (select app.caller_member()) is not null
    and exists (select from payments.fellow_payments p
                where p.transaction_id = transactions.id and p.member_id = (select app.caller_member())));
-- A transaction never changes after it is recorded; of a payment only its transaction is written later.
revoke insert, update, delete on payments.transactions, payments.fellow_payments from authenticated;
grant insert (direction, amount, occurred_on, counterparty, description, reference) on payments.transactions
  to authenticated;
grant insert (member_id, amount, description, due_on), update (id, transaction_id) on payments.fellow_payments
  to authenticated;

-- Functions and triggers ---------------------------------------------------------------------------

-- A payment is paid once, by a transaction of its own amount. Of two callers the second waits for the row and
-- finds it paid.
create function payments.check_paid() returns trigger language plpgsql set search_path = '' as $$
declare
  paying payments.transactions;
begin
  select * into paying from payments.transactions t
    where t.id = new.transaction_id and t.organization_id = new.organization_id;
  if not found then
    -- The foreign key reports it.
    return new;
  elsif tg_op = 'UPDATE' then
    if new.transaction_id is not distinct from old.transaction_id then
      return new;
    elsif old.transaction_id is not null then
      raise unique_violation using column = 'id', message = 'this payment is already paid';
    end if;
  end if;
  if paying.direction = 'incoming' then
    raise check_violation using column = 'transaction_id', message = 'must be an outgoing transaction';
  elsif paying.amount <> new.amount then
    raise check_violation using column = 'transaction_id', message =
      format('must have the amount of the payment, %s, not %s', new.amount, paying.amount);
  end if;
  return new;
end
$$;
create trigger check_paid before insert or update on payments.fellow_payments
  for each row when (new.transaction_id is not null) execute function payments.check_paid();

-- Adds a payment for the caller's own member; callers with other roles add those of everybody.
create function payments.submit(amount numeric, description text, due_on date)
  returns uuid language plpgsql security definer set search_path = '' as $$
declare
  submitted uuid;
begin
  if app.caller_role() is distinct from 'fellow' then
    raise insufficient_privilege;
  elsif app.caller_member() is null then
    raise insufficient_privilege using constraint = 'member', message = 'your account is not linked to a member';
  end if;
  insert into payments.fellow_payments (organization_id, member_id, amount, description, due_on, submitted_by)
  values (app.caller_org(), app.caller_member(), submit.amount, submit.description, submit.due_on, app.caller_id())
  returning id into submitted;
  return submitted;
end
$$;

grant execute on function payments.check_paid, payments.submit to authenticated;
