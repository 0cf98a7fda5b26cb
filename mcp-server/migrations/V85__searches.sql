-- What a search finds is looked up in the index on the searched texts.
--
-- LIKE is not leakproof, so that under row-level security PostgreSQL would test it on every record of the
-- organisation only after the policy. A function that runs as the owner may use the index. It is a look-up and grants
-- nothing: the caller reads the records themselves through the policy.

-- Makes the function that looks up the ids of an organisation's records which match a search: for `work.tasks`
-- it is `work.find_tasks`. `matches` is the condition on the record `t`, in which `search` stands for what was
-- searched and `pattern` for what LIKE takes; it looks at the record's own columns alone, which whoever sees the record
-- sees as well. The function returns null where more than 2,000 match: so many fill a page soonest where the list is
-- read in its order.
create procedure app.make_searchable(records regclass, matches text)
  language plpgsql set search_path = ''
as $make$
declare
  of_schema text;
  of_table text;
  function text;
begin
  select n.nspname, c.relname into strict of_schema, of_table
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = records;
  function := format('%I.%I', of_schema, 'find_' || of_table);
  execute format($create$
    create function %1$s(search text) returns uuid[]
      language plpgsql stable security definer
      -- The index is small and in memory: taken for pages on a disk, PostgreSQL would rather read the whole table.
      set search_path = '' set plan_cache_mode = force_custom_plan set random_page_cost = 1.1
    as $function$
    declare
      most constant integer := 2000;
      pattern constant text := app.search_pattern(search);
    begin
      return (select case when count(*) <= most then coalesce(array_agg(found.id), '{}') end
              from (select t.id from %2$I.%3$I t
                    where t.organization_id = app.caller_org() and (%4$s) limit most + 1) found);
    end
    $function$
  $create$, function, of_schema, of_table, matches);
  execute format('grant execute on function %s(text) to authenticated', function);
end
$make$;

call app.make_searchable('learn.members', 't.found_by like pattern');
call app.make_searchable('learn.wiki_articles', 't.title_key like pattern');
call app.make_searchable('work.projects', 't.name_key like pattern');
call app.make_searchable('work.epics', 't.name_key like pattern');
call app.make_searchable('work.deliveries', 't.found_by like pattern');
call app.make_searchable('work.tasks', 't.name_key like pattern or t.identifier = upper(search)');
call app.make_searchable('staff.invoices', 't.found_by like pattern');
