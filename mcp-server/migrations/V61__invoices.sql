-- Invoices and their payments: finance, and billing for machines (specification, section 1). Who may what is in
-- docs/access.md.

-- The day that it is in the caller's organisation.
create function staff.today() returns date
  language sql stable set search_path = ''
begin atomic
  select (now() at time zone o.time_zone)::date from app.organizations o where o.id = app.caller_org();
end;

create table staff.invoices (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  number integer not null,
  billed_to text not null,
  email text,
  member_id uuid,
  description text not null,
  found_by text generated always as (app.search_key(billed_to || ' ' || description)) stored,
  amount numeric(14, 2) not null constraint "amount must be more than 0" check (amount > 0),
  -- The sum of the payments, which their trigger keeps: payments at once come one after the other.
  paid numeric(14, 2) not null default 0
    constraint "amount must not be more than what is still to be paid" check (paid <= amount),
  due_on date not null,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  cancelled_at timestamptz,
  status text not null generated always as (case
    when cancelled_at is not null then 'cancelled'
    when sent_at is null then 'draft'
    when paid = amount then 'paid'
    else 'sent' end) stored,
  constraint "invoice_id must be of an invoice that is sent, not cancelled"
    check (paid = 0 or sent_at is not null and cancelled_at is null),
  constraint invoices_number_key unique (organization_id, number),
  constraint invoices_member_id_fkey foreign key (member_id, organization_id)
    references learn.members (id, organization_id) on delete set null (member_id),
  unique (id, organization_id)
);
create index invoices_member_id_idx on staff.invoices (member_id, organization_id);
create index invoices_due_idx on staff.invoices (organization_id, due_on, number) where status in ('draft', 'sent');
create index invoices_found_by_idx on staff.invoices using gin (found_by extensions.gin_trgm_ops);

-- Invoices are numbered without a gap: who writes one waits for the other.
create function staff.number_invoice() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(new.organization_id::text, 61));
  new.number := (select coalesce(max(i.number), 0) + 1 from staff.invoices i
                 where i.organization_id = new.organization_id);
  return new;
end
$$;
grant execute on function staff.number_invoice() to authenticated;
create trigger number_invoice before insert on staff.invoices
  for each row when (new.number is null) execute function staff.number_invoice();

create function staff.guard_invoice() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if (old.sent_at is not null or old.cancelled_at is not null)
    and (new.billed_to, new.email, new.member_id, new.description, new.amount, new.due_on)
      is distinct from (old.billed_to, old.email, old.member_id, old.description, old.amount, old.due_on) then
    raise check_violation using constraint = 'id is of an invoice that is no draft: cancel it, write another';
  end if;
  if old.cancelled_at is not null and new.sent_at is distinct from old.sent_at then
    raise check_violation using constraint = 'id is of an invoice that was cancelled';
  end if;
  if new.cancelled_at is distinct from old.cancelled_at and old.paid > 0 then
    raise check_violation using constraint = 'id is of an invoice with payments, which is not cancelled';
  end if;
  return new;
end
$$;
grant execute on function staff.guard_invoice() to authenticated;
-- A member that is deleted leaves the invoices.
create trigger guard_invoice before update on staff.invoices
  for each row when (not (old.member_id is not null and new.member_id is null and pg_trigger_depth() > 0))
  execute function staff.guard_invoice();

create table staff.payments (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org(),
  invoice_id uuid not null,
  amount numeric(14, 2) not null constraint "amount must be more than 0" check (amount > 0),
  paid_on date not null default staff.today(),
  note text,
  created_at timestamptz not null default now(),
  constraint payments_invoice_id_fkey foreign key (invoice_id, organization_id)
    references staff.invoices (id, organization_id)
);
create index payments_invoice_id_idx on staff.payments (invoice_id, organization_id, paid_on, id);

-- Finance: teachers have none of it, machines their billing below.
select app.protect('staff.invoices', reads => '{owner,admin,staff,finance}', writes => '{owner,admin,staff,finance}');
select app.protect('staff.payments', reads => '{owner,admin,staff,finance}', writes => '{owner,admin,staff,finance}');
revoke insert, update, delete on staff.invoices from authenticated;
grant insert (id, billed_to, email, member_id, description, amount, due_on),
      update (id, billed_to, email, member_id, description, amount, due_on, cancelled_at)
  on staff.invoices to authenticated;
revoke update, delete on staff.payments from authenticated;

-- A payment counts. The sum is nobody's to write.
create function staff.count_payment() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update staff.invoices i set paid = i.paid + new.amount
  where i.id = new.invoice_id and i.organization_id = new.organization_id;
  return new;
end
$$;
grant execute on function staff.count_payment() to authenticated;
create trigger count_payment after insert on staff.payments
  for each row execute function staff.count_payment();

-- Billing ------------------------------------------------------------------------------------------
-- What machines may do too, who see no invoice otherwise.

create function staff.caller_bills() returns boolean
  language sql stable parallel safe set search_path = ''
  return coalesce(app.caller_role() in ('owner', 'admin', 'staff', 'finance', 'automation'), false);

-- Drafts and unpaid invoices that are due until a day.
create function staff.due_invoices(until date) returns setof staff.invoices
  language sql stable security definer set search_path = ''
begin atomic
  select i.* from staff.invoices i
  where i.organization_id = app.caller_org() and staff.caller_bills()
    and i.status in ('draft', 'sent') and i.due_on <= until;
end;

create function staff.mark_sent(invoice uuid) returns setof staff.invoices
  language sql security definer set search_path = ''
begin atomic
  update staff.invoices i set sent_at = coalesce(i.sent_at, now())
  where i.id = invoice and i.organization_id = app.caller_org() and staff.caller_bills()
  returning i.*;
end;

grant execute on function
  staff.today(), staff.caller_bills(), staff.due_invoices(date), staff.mark_sent(uuid)
  to authenticated;
