-- Organisations have a currency. Invoices have a name, which is the same in every list: number and payer.

alter table app.organizations
  -- A code of ISO 4217.
  add column currency text not null default 'BRL'
    constraint organizations_currency_check check (currency ~ '^[A-Z]{3}$');

-- They return all columns of the table, so they are made again after it has changed.
drop function staff.due_invoices(date);
drop function staff.mark_sent(uuid);

drop index staff.invoices_found_by_idx;
alter table staff.invoices
  drop column found_by,
  add column name text generated always as (number::text || ' · ' || billed_to) stored,
  add column found_by text generated always as
    (app.search_key(number::text || ' ' || billed_to || ' ' || description)) stored;
create index invoices_found_by_idx on staff.invoices using gin (found_by extensions.gin_trgm_ops);
select app.capture_changes('staff.invoices');

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

grant execute on function staff.due_invoices(date), staff.mark_sent(uuid) to authenticated;
