-- Copies each of an organisation's rows until its table has about {size} rows, or a tenth for kinds of which an
-- organisation has fewer. `{sizes}` are pairs of a table and its own number of rows, `('work.tasks', 2000)`.
--
-- The k-th copy refers to the k-th copies of what its original refers to, so that the copies are whole: programs with
-- stages, invoices with payments. The lists that get long within one record are shared out among ten of them instead,
-- the original included. Copies have names of their own, and are ever older: a search finds few, and a week has as many
-- as before. Triggers and foreign keys are not asked.
set session_replication_role = replica;
set synchronous_commit = off;
set gin_pending_list_limit = '256MB';
set maintenance_work_mem = '512MB';

create temp table many (id) as values
  ('app.changes'::regclass), ('campaigns.posts'), ('engineering.spec_runs'), ('events.guests'), ('events.session_guests'),
  ('events.tasks'), ('financing.journal_entries'), ('financing.journal_lines'), ('financing.statement_lines'),
  ('learn.cohort_members'), ('learn.lesson_progress'), ('learn.members'), ('learn.milestone_completions'),
  ('learn.profiles'), ('learn.wiki_articles'), ('ops.messages'), ('payments.fellow_payments'),
  ('payments.transactions'), ('quiz.attempts'), ('quiz.responses'), ('staff.invoices'), ('staff.payments'),
  ('work.deliveries'), ('work.epics'), ('work.meeting_occurrences'), ('work.meetings'), ('work.task_status_changes'),
  ('work.tasks'), ('work.transcript_segments');

create temp table sizes (id regclass, size integer);
insert into sizes {sizes};

create temp table filled as
select c.oid as id, o.attname as own, 0 as copies
from pg_class c cross join lateral (
  select a.attname from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = c.oid and not a.attisdropped and a.attname in ('organization_id', 'owner_id')
  order by pg_get_expr(d.adbin, d.adrelid) = 'app.caller_org()' desc nulls last, a.attname limit 1) o
where c.relkind in ('r', 'p') and not c.relispartition and c.relrowsecurity
  and c.relnamespace::regnamespace::text not in ('auth', 'webhooks')
  -- Few in any organisation, or the server's own.
  and c.oid::regclass::text not in ('app.secrets', 'app.idempotency_keys', 'staff.users', 'staff.invitations',
    'work.actors', 'work.task_numbers', 'strategy.business_units');

-- The lists that get long within one record.
create temp table long (id, field) as values
  ('events.guests'::regclass, 'event_id'), ('events.tasks', 'event_id'), ('events.expenses', 'event_id'),
  ('events.photos', 'event_id'), ('work.epics', 'project_id'), ('work.deliveries', 'epic_id'),
  ('work.tasks', 'epic_id'), ('work.tasks', 'delivery_id'), ('work.tasks', 'owner_id'),
  ('learn.cohort_members', 'cohort_id'), ('quiz.attempts', 'quiz_id'), ('quiz.responses', 'dispatch_id'),
  ('plans.questions', 'plan_id'), ('plans.adrs', 'plan_id'), ('financing.journal_lines', 'account_id'),
  ('financing.statement_lines', 'account_id'), ('payments.fellow_payments', 'member_id'),
  ('staff.invoices', 'member_id'), ('ops.sandboxes', 'app_id'), ('work.transcript_segments', 'meeting_id');

do $fill$
declare
  kind record;
  amount integer;
  names text;
  texts text;
begin
  for kind in select * from filled loop
    execute format('select count(*) from %s where %I = $1', kind.id::regclass, kind.own)
      into amount using '{organization}'::uuid;
    update filled f set copies = case when amount > 0 then coalesce((select s.size from sizes s where s.id = f.id), {size}
      / case when exists (select from many m where m.id = f.id) then 1 else 10 end) / amount else 0 end where id = kind.id;
  end loop;
  for kind in select * from filled where copies > 0 loop
    with keys as (
      -- An id that is not shared out makes each copy's key distinct; otherwise its text, number or day does.
      select i.indexrelid, a.attnum, max(case when a.atttypid = 'uuid'::regtype and long.id is null then a.attnum end)
               over (partition by i.indexrelid) as distinct_id
      from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum > 0 and a.attname <> kind.own
      left join long on long.id = i.indrelid and long.field = a.attname
      where i.indrelid = kind.id and i.indisunique and (a.attnum = any (i.indkey) or exists (
        select from pg_depend d where d.objid = i.indexrelid and d.refobjid = i.indrelid and d.refobjsubid = a.attnum))
    ), columns as (
      select a.attnum, a.attname as name, a.atttypid::regtype::text as type,
             exists (select from keys where keys.attnum = a.attnum and distinct_id is null) as is_key,
             exists (select from keys where distinct_id = a.attnum) as is_distinct,
             exists (select from long where long.id = kind.id and field = a.attname) as is_long,
             (select t.copies from pg_constraint r join filled t on t.id = r.confrelid
              where r.conrelid = kind.id and r.contype = 'f' and a.attnum = any (r.conkey) and t.copies > 0
                and a.attname <> kind.own limit 1) as targets
      from pg_attribute a
      where a.attrelid = kind.id and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    )
    select string_agg(quote_ident(name), ', ' order by attnum), string_agg(case
        when name = kind.own then format('t.%I', name)
        when type = 'uuid' and is_long then format('case when k %% 10 = 0 then t.%1$I else md5(t.%1$I::text || k %% 10)::uuid end', name)
        when type = 'uuid' and is_distinct then format('md5(t.%I::text || k)::uuid', name)
        when type = 'uuid' and targets is not null then format('md5(t.%I::text || (k - 1) %% %s + 1)::uuid', name, targets)
        when name in ('name', 'title', 'question', 'billed_to', 'counterparty', 'subject') and type = 'text'
          then format('case when t.%I is not null then ''Copy '' || md5(k::text) end', name)
        when type = 'text' and is_key then format('t.%I || ''-'' || k', name)
        when type in ('integer', 'bigint', 'numeric') and is_key then format('t.%I + k * 100', name)
        when type = 'date' and is_key then format('t.%I + k', name)
        when type = 'date' then format('t.%I - k / 24', name)
        when type = 'timestamp with time zone' then format('t.%I - k * interval ''1 hour''', name)
        else format('t.%I', name) end, ', ' order by attnum)
      into names, texts from columns;
    begin
      execute format('insert into %1$s (%2$s) select %3$s from %1$s t, generate_series(1, %4$s) k where t.%5$I = %6$L',
                     kind.id::regclass, names, texts, kind.copies, kind.own, '{organization}');
    exception when others then
      raise exception '% of %: %', sqlerrm, kind.id::regclass, texts;
    end;
  end loop;
end
$fill$;
