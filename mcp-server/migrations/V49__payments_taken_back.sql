-- Payments that fellows submit, and payments of invoices that are reversed.

-- Fellows ------------------------------------------------------------------------------------------

-- What a fellow asks for is submitted until it is paid.
alter table payments.fellow_payments
  drop column status,
  add column submitted_by uuid,
  add column status text not null generated always as (case
    when transaction_id is not null then 'paid'
    when submitted_by is not null then 'submitted'
    else 'due' end) stored;
select app.capture_changes('payments.fellow_payments');

-- Adds a payment for the caller's own member; callers with other roles add those of everybody.
create function payments.submit(amount numeric, description text, due_on date) returns uuid
  language plpgsql security definer set search_path = ''
as $$
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
grant execute on function payments.submit(numeric, text, date) to authenticated;

-- Invoices -----------------------------------------------------------------------------------------

alter table staff.payments add column reversed_at timestamptz;

-- Takes a payment out of its invoice's sum; it stays listed. Returns the invoice, or null if the payment does not exist.
create function staff.reverse_payment(payment uuid) returns uuid
  language plpgsql security definer set search_path = ''
as $$
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
grant execute on function staff.reverse_payment(uuid) to authenticated;
