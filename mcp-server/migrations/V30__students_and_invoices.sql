-- The staff-management host: students, the addresses of the staff, invoices and billing (specification, sections 1,
-- 4.2 and 5). docs/access.md lists the rights.

-- Students -----------------------------------------------------------------------------------------

-- Members, as the staff see students.
create view staff.people with (security_invoker = true) as
  select m.organization_id, m.id, m.name, m.name_key, m.found_by,
         coalesce(m.corporate_email, m.personal_email) as email, m.phase_id, m.is_active
  from learn.members m;
grant select on staff.people to authenticated;

create view staff.students with (security_invoker = true) as
  select p.* from staff.people p
  where exists (select from learn.cohort_members c where c.member_id = p.id);
grant select on staff.students to authenticated;

-- The milestones of a member's programs, and those that the member has completed.
create function staff.milestones(member uuid, out total integer, out done integer)
  language sql stable set search_path = ''
begin atomic
  select count(*)::integer, count(d.milestone_id)::integer
  from learn.cohort_members c
  join learn.programs p on p.cohort_id = c.cohort_id
  join learn.stages s on s.program_id = p.id
  join learn.milestones n on n.stage_id = s.id
  left join learn.milestone_completions d on d.milestone_id = n.id and d.member_id = c.member_id
  where c.member_id = member;
end;

-- The sign-in address of a member of the caller's staff, for callers who see the staff.
create function staff.email(account uuid) returns text language sql stable security definer set search_path = ''
begin atomic
  select a.email from auth.users a join staff.users u on u.id = a.id
  where a.id = account
    and (a.id = app.caller_id()
      or u.organization_id = app.caller_org() and app.caller_role() in ('owner', 'admin'));
end;

-- A warning about the account of a member who is deactivated.
create function learn.account_warning(member uuid) returns text[]
  language sql stable security definer set search_path = ''
  return array(
    select case when u.id is null then 'their account can no longer sign in'
                else 'their account on the staff can still sign in: an owner deactivates it with set_staff_active' end
    from learn.profiles p left join staff.users u on u.id = p.id
    where p.member_id = member and p.organization_id = app.caller_org() and u.is_active is not false);

-- Invoices -----------------------------------------------------------------------------------------

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

-- Finance: teachers have no part in it, machines only the billing below.
select app.protect('staff.invoices', reads => '{owner,admin,staff,finance}', writes => '{owner,admin,staff,finance}');
select app.protect('staff.payments', reads => '{owner,admin,staff,finance}', writes => '{owner,admin,staff,finance}');
revoke insert, update, delete on staff.invoices from authenticated;
grant insert (id, billed_to, email, member_id, description, amount, due_on),
      update (id, billed_to, email, member_id, description, amount, due_on, cancelled_at)
  on staff.invoices to authenticated;
revoke update, delete on staff.payments from authenticated;

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
  staff.milestones, staff.email, learn.account_warning, staff.today, staff.number_invoice, staff.guard_invoice,
  staff.count_payment, staff.reverse_payment, staff.caller_bills, staff.due_invoices, staff.mark_sent
  to authenticated;
