-- Lists, searches and look-ups that touch about as many rows as they return. docs/performance.md has the figures.

-- Accounts -----------------------------------------------------------------------------------------

-- A caller's own profile is of the caller's organisation, so that one index serves every caller.
alter policy read on learn.profiles
  using (organization_id = (select app.caller_org())
    and ((select app.caller_is_staff()) or (select app.caller_is_admin()) or id = (select app.caller_id())));

-- Both parts are looked up by the keys of their tables, which a full join would not be; an address, for what is shown.
create or replace view ops.accounts with (security_invoker = true) as
  select a.id, a.organization_id, a.name, ops.email(a.id) as email, a.role, a.level, a.is_active, a.name_key
  from (
    select p.id, p.organization_id, p.name, coalesce(u.role, 'fellow') as role, p.level,
           coalesce(u.is_active, true) as is_active, p.name_key
    from learn.profiles p left join staff.users u on u.id = p.id
    where p.removed_at is null
    union all
    select u.id, u.organization_id, e.name, u.role, 0, u.is_active, app.search_key(e.name)
    from staff.users u cross join lateral (select coalesce(ops.email(u.id), u.id::text)) e (name)
    where not exists (select from learn.profiles p where p.id = u.id)) a
  where (select app.caller_role()) in ('owner', 'admin');

create index profiles_search_idx on learn.profiles using gin (name_key extensions.gin_trgm_ops);

-- The accounts of the caller's organisation whose names or addresses match. Owners and admins see both.
create function ops.find_accounts(search text) returns setof uuid
  language plpgsql stable security definer rows 10
  set search_path = '' set plan_cache_mode = force_custom_plan set random_page_cost = 1.1
as $$
declare
  pattern constant text := app.search_pattern(search);
begin
  if app.caller_role() in ('owner', 'admin') then
    return query
      select p.id from learn.profiles p where p.organization_id = app.caller_org() and p.name_key like pattern
      union
      select a.id from auth.users a where a.organization_id = app.caller_org() and app.search_key(a.email) like pattern;
  end if;
end
$$;
grant execute on function ops.find_accounts(text) to authenticated;

-- Searches -----------------------------------------------------------------------------------------

create index posts_search_idx on campaigns.posts using gin (title_key extensions.gin_trgm_ops);
call app.make_searchable('campaigns.posts', 't.title_key like pattern');
create index spec_runs_search_idx on engineering.spec_runs using gin (title_key extensions.gin_trgm_ops);
call app.make_searchable('engineering.spec_runs', 't.title_key like pattern');

-- The guest of an event with an address, who is looked up for each guest that is added.
create function events.with_address(event uuid, address text) returns setof uuid
  language sql stable security definer rows 1 set search_path = ''
begin atomic
  select g.id from events.guests g
  where g.event_id = event and g.organization_id = app.caller_org() and lower(g.email) = lower(address);
end;
grant execute on function events.with_address(uuid, text) to authenticated;

-- Orders -------------------------------------------------------------------------------------------

create index fellow_payments_status_idx on payments.fellow_payments (organization_id, status, due_on, id);
create index fellow_payments_of_member_idx on payments.fellow_payments (member_id, organization_id, due_on, id);
drop index payments.fellow_payments_member_id_idx;
create index statement_lines_open_idx on financing.statement_lines (account_id, organization_id, posted_on, id)
  where journal_entry_id is null;
create index skills_listed_idx on skills.skills (organization_id, found_by, id);

-- A page of the invoices that are due until a day.
drop function staff.due_invoices(date);
create function staff.due_invoices(until date, at_most bigint, skipped bigint) returns setof staff.invoices
  language sql stable security definer set search_path = ''
begin atomic
  select i.* from staff.invoices i
  where i.organization_id = app.caller_org() and staff.caller_bills()
    and i.status in ('draft', 'sent') and i.due_on <= until
  order by i.due_on, i.number limit at_most offset skipped;
end;
grant execute on function staff.due_invoices(date, bigint, bigint) to authenticated;

-- Counts -------------------------------------------------------------------------------------------

-- Counts checked-in guests without reading their rows: the policy reads the member.
drop index events.guests_checked_in_idx;
create index guests_checked_in_idx on events.guests (event_id, organization_id, check_in_at) include (member_id);
