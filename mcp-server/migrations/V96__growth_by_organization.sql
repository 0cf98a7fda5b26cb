-- Read by their organisation alone: without these indexes, the lines and submissions of all organisations are read.

-- The trial balance. It also serves the reference to an account, and the lines of an account.
create index journal_lines_organization_id_idx
  on financing.journal_lines (organization_id, account_id, entry_id) include (side, amount);
drop index financing.journal_lines_account_id_idx;

create index submissions_listed_idx on proposals.submissions (organization_id, created_at desc, id);

-- The history has a partition for each day. A join with the parts of a change opens them all, and a plan for one change looks
-- so much cheaper than a general one that PostgreSQL plans at each call; both take longer than reading the rows.

-- The rows of a change, or of the calls of an action; `in_effect`: without those of calls that were undone by themselves.
create function app.rows_of(target uuid, in_effect boolean)
  returns table (place bigint, operation text, table_name text, key text, is_direct boolean, is_erased boolean)
  language plpgsql stable rows 10 security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  part uuid;
begin
  for part in select p from app.parts(target) p where not in_effect or p = target or app.undone_by(p) is null loop
    return query
      select r.position, r.operation, r.table_name, r.key, r.is_direct, r.before is null and r.after is null
      from app.changed_rows r where r.change_id = part;
  end loop;
end
$$;

create or replace function app.obstacle(target uuid) returns text
  language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  if app.undone_by(target) is not null then
    return 'this change was already undone';
  elsif app.undone_by((select c.action_id from app.changes c where c.id = target)) is not null then
    return 'the action of which this change is a part was already undone';
  end if;
  return (select case
      when count(*) = 0 and app.count_rows(target) > 0 then 'each change of this action was already undone'
      when count(*) = 0 then 'no row of this change is recorded'
      when bool_or(r.is_erased)
        then 'this change is about a person who was deleted: their data was removed from the history'
      else min(app.lasting(r.table_name))
    end
    from app.rows_of(target, true) r);
end
$$;

create or replace function app.summary(target uuid) returns text
  language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    with counts as (
      select min(r.place) as place, r.operation, split_part(r.table_name, '.', 2) as records,
             count(distinct r.key) as number, bool_or(r.is_direct) as is_direct
      from app.rows_of(target, false) r
      where r.table_name <> 'webhooks.events'
      group by r.operation, r.table_name
    ), ranked as (
      select c.*, row_number() over (order by c.is_direct desc, c.place) as rank from counts c
    )
    select concat_ws(', ',
      string_agg(case operation when 'insert' then 'added ' when 'update' then 'changed ' else 'removed ' end
                 || app.counted(number, records), ', ' order by rank) filter (where rank <= 3),
      app.counted(nullif(sum(number) filter (where rank > 3), 0)::bigint, 'more_rows'))
    from ranked);
end
$$;

create or replace function app.count_rows(target uuid) returns integer
  language plpgsql stable security definer set search_path = '' as $$
begin
  return (select count(*)::integer from app.rows_of(target, false) r where r.table_name <> 'webhooks.events');
end
$$;

alter function app.undone_by(uuid) set plan_cache_mode = force_generic_plan;
alter function app.detail(uuid) set plan_cache_mode = force_generic_plan;
