call app.make_searchable('staff.invoices', 't.found_by like pattern');

-- Invoices are numbered without a gap: transactions that add one take turns.
create function staff.number_invoice() returns trigger language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(new.organization_id::text, 61));
  new.number := (select coalesce(max(i.number), 0) + 1 from staff.invoices i
                 where i.organization_id = new.organization_id);
  return new;
end
$$;
create trigger number_invoice before insert on staff.invoices
  for each row when (new.number is null) execute function staff.number_invoice();

-- Invoices are numbered without a gap, also after an undo.
create function staff.guard_restored_invoice()
  returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(old.organization_id::text, 61));
  if exists (select from staff.invoices i where i.organization_id = old.organization_id and i.number > old.number) then
    raise unique_violation using column = 'change_id',
      message = 'only the last invoice can be taken back, because numbers have no gap: cancel it instead';
  end if;
  return old;
end
$$;
create trigger guard_restored before delete on staff.invoices
  for each row when (current_setting('app.restoring', true) is not distinct from 'on')
  execute function staff.guard_restored_invoice();

-- A sent invoice never changes; a deleted member's invoices remain.
create function staff.guard_invoice() returns trigger language plpgsql set search_path = '' as $$
begin
  if (old.sent_at is not null or old.cancelled_at is not null)
    and (new.billed_to, new.email, new.member_id, new.description, new.amount, new.due_on)
      is distinct from (old.billed_to, old.email, old.member_id, old.description, old.amount, old.due_on) then
    raise check_violation using
      column = 'id', message = 'only a draft can be changed: cancel this invoice and create another one';
  end if;
  if old.cancelled_at is not null and new.sent_at is distinct from old.sent_at then
    raise check_violation using column = 'id', message = 'a cancelled invoice cannot be sent: create another one';
  end if;
  if new.cancelled_at is distinct from old.cancelled_at and old.paid > 0 then
    raise check_violation using column = 'id', message = 'an invoice with payments cannot be cancelled';
  end if;
  return new;
end
$$;
-- A deleted member's invoices remain.
create trigger guard_invoice before update on staff.invoices
  for each row when (current_setting('app.restoring', true) is distinct from 'on'
    and not (old.member_id is not null and new.member_id is null and pg_trigger_depth() > 0))
  execute function staff.guard_invoice();

-- Adds a payment to its invoice's sum, which callers cannot write.
create function staff.count_payment() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  outstanding numeric;
begin
  select i.amount - i.paid into outstanding from staff.invoices i
  where i.id = new.invoice_id and i.organization_id = new.organization_id and i.status in ('sent', 'paid')
  for no key update;
  if outstanding = 0 then
    raise check_violation using column = 'invoice_id', message = 'this invoice is already paid';
  elsif new.amount > outstanding then
    raise check_violation using column = 'amount', message = format('at most %s is outstanding', outstanding);
  end if;
  update staff.invoices i set paid = i.paid + new.amount
  where i.id = new.invoice_id and i.organization_id = new.organization_id;
  return new;
end
$$;
create trigger count_payment after insert on staff.payments
  for each row when (current_setting('app.restoring', true) is distinct from 'on')
  execute function staff.count_payment();

-- Takes a payment out of its invoice's sum; it stays listed. Returns the invoice, or null if the payment does not
-- exist.
create function staff.reverse_payment(payment uuid)
  returns uuid language plpgsql security definer set search_path = '' as $$
declare
  reversed staff.payments;
begin
  if coalesce(app.caller_role() not in ('owner', 'admin', 'staff', 'finance'), true) then
    raise insufficient_privilege;
  end if;
  select * into reversed from staff.payments p
  where p.id = payment and p.organization_id = app.caller_org() for no key update;
  if reversed.reversed_at is null then
    update staff.payments p set reversed_at = now() where p.id = reversed.id;
    update staff.invoices i set paid = i.paid - reversed.amount
    where i.id = reversed.invoice_id and i.organization_id = reversed.organization_id;
  end if;
  return reversed.invoice_id;
end
$$;

-- Billing ------------------------------------------------------------------------------------------

-- Machines bill, too, although they see no other invoices.
create function staff.caller_bills() returns boolean language sql stable parallel safe set search_path = ''
  return coalesce(app.caller_role() in ('owner', 'admin', 'staff', 'finance', 'automation'), false);

-- A page of the drafts and unpaid invoices that are due until a day.
create function staff.due_invoices(until date, at_most bigint, skipped bigint) returns setof staff.invoices
  language sql stable security definer set search_path = ''
begin atomic
  select i.* from staff.invoices i
  where i.organization_id = app.caller_org() and staff.caller_bills()
    and i.status in ('draft', 'sent') and i.due_on <= until
  order by i.due_on, i.number limit at_most offset skipped;
end;

create function staff.mark_sent(invoice uuid) returns setof staff.invoices
  language sql security definer set search_path = ''
begin atomic
  update staff.invoices i set sent_at = coalesce(i.sent_at, now())
  where i.id = invoice and i.organization_id = app.caller_org() and staff.caller_bills()
  returning i.*;
end;

grant execute on function
  staff.number_invoice, staff.guard_invoice, staff.count_payment, staff.reverse_payment, staff.caller_bills,
  staff.due_invoices, staff.mark_sent
  to authenticated;
