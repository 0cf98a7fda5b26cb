-- The staff-management host: invoices and billing (specification, sections 1, 4.2 and 5). docs/access.md lists the
-- rights.

-- Today in the caller's organisation.
create function staff.today() returns date language sql stable set search_path = ''
begin atomic
  select (now() at time zone o.time_zone)::date from app.organizations o where o.id = app.caller_org();
end;

create table staff.invoices (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  number integer not null,
  billed_to text not null,
  email text,
  member_id uuid,
  description text not null,
  amount numeric(14, 2) not null check (amount > 0),
  -- The sum of the payments. Their trigger updates it, so that payments at the same time take turns.
  paid numeric(14, 2) not null default 0 constraint invoices_paid_check check (paid <= amount),
  due_on date not null,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  cancelled_at timestamptz,
  status text not null generated always as (case
    when cancelled_at is not null then 'cancelled'
    when sent_at is null then 'draft'
    when paid = amount then 'paid'
    else 'sent' end) stored,
  name text generated always as (number::text || ' · ' || billed_to) stored,
  found_by text generated always as (app.search_key(number::text || ' ' || billed_to || ' ' || description)) stored,
  constraint invoices_status_paid_check check (paid = 0 or sent_at is not null and cancelled_at is null),
  constraint invoices_number_key unique (organization_id, number),
  constraint invoices_member_id_fkey foreign key (member_id, organization_id)
    references learn.members (id, organization_id) on delete set null (member_id),
  unique (id, organization_id)
);
create index invoices_member_id_idx on staff.invoices (member_id, organization_id);
create index invoices_due_idx on staff.invoices (organization_id, due_on, number) where status in ('draft', 'sent');
create index invoices_found_by_idx on staff.invoices using gin (found_by extensions.gin_trgm_ops);

create table staff.payments (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org(),
  invoice_id uuid not null,
  amount numeric(14, 2) not null check (amount > 0),
  paid_on date not null default staff.today(),
  note text,
  created_at timestamptz not null default now(),
  reversed_at timestamptz,
  constraint payments_invoice_id_fkey foreign key (invoice_id, organization_id)
    references staff.invoices (id, organization_id)
);
create index payments_invoice_id_idx on staff.payments (invoice_id, organization_id, paid_on, id);

grant execute on function staff.today to authenticated;
