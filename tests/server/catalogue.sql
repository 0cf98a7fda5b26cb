-- The schema of a database as rows: each object, and what it is. Without the partitions of days, which servers make.
with ours as (
  select n.oid, n.nspname from pg_namespace n where n.nspowner = 'frontdesk_owner'::regrole
), relations as (
  select c.*, format('%s.%s', o.nspname, c.relname) as name from pg_class c join ours o on o.oid = c.relnamespace
  where not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    and c.relname !~ '^change(s|d_rows)_[0-9]{8}'
), functions as (
  select p.*, p.oid::regprocedure::text as name from pg_proc p join ours o on o.oid = p.pronamespace
  where not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
)
select concat_ws(' ', kind, name, definition) from (
  select 'schema' as kind, n.nspname::text as name, (select string_agg(a::text, ' ' order by a::text) from unnest(n.nspacl) a) as definition
  from pg_namespace n join ours o on o.oid = n.oid
  union all
  select 'relation', name, concat_ws(' ', relkind, pg_get_userbyid(relowner), relrowsecurity, relforcerowsecurity, relreplident,
    relispartition, pg_get_expr(relpartbound, oid), pg_get_partkeydef(oid), (select string_agg(x, ' ' order by x) from unnest(reloptions) x),
    (select string_agg(a::text, ' ' order by a::text) from unnest(relacl) a))
  from relations where relkind <> 'i'
  union all
  select 'column', r.name || '.' || a.attname, concat_ws(' ', format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity,
    a.attgenerated, a.attcollation::regcollation, pg_get_expr(d.adbin, d.adrelid),
    (select string_agg(x::text, ' ' order by x::text) from unnest(a.attacl) x))
  from relations r join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where r.relkind not in ('i', 'I')
  union all
  select 'constraint', r.name || ' ' || k.conname, concat_ws(' ', pg_get_constraintdef(k.oid), k.convalidated)
  from relations r join pg_constraint k on k.conrelid = r.oid
  union all
  select 'index', r.name, pg_get_indexdef(r.oid) || ' ' || i.indisvalid from relations r join pg_index i on i.indexrelid = r.oid
  union all
  select 'policy', r.name || ' ' || p.polname, concat_ws(' ', p.polcmd, p.polpermissive,
    (select string_agg(case x when 0 then 'public' else pg_get_userbyid(x) end, ' ' order by x) from unnest(p.polroles) x),
    'using', pg_get_expr(p.polqual, p.polrelid), 'check', pg_get_expr(p.polwithcheck, p.polrelid))
  from relations r join pg_policy p on p.polrelid = r.oid
  union all
  select 'trigger', r.name || ' ' || t.tgname, concat_ws(' ', pg_get_triggerdef(t.oid), t.tgenabled)
  from relations r join pg_trigger t on t.tgrelid = r.oid where not t.tgisinternal
  union all
  select 'function', name, concat_ws(' ', pg_get_userbyid(proowner), pg_get_functiondef(oid),
    (select string_agg(a::text, ' ' order by a::text) from unnest(proacl) a))
  from functions
  union all
  select 'view', name, pg_get_viewdef(oid) from relations where relkind in ('v', 'm')
  union all
  select 'sequence', r.name, concat_ws(' ', format_type(s.seqtypid, null), s.seqstart, s.seqincrement, s.seqmax, s.seqmin, s.seqcycle)
  from relations r join pg_sequence s on s.seqrelid = r.oid
  union all
  select 'statistics', s.stxname, pg_get_statisticsobjdef(s.oid) from pg_statistic_ext s join ours o on o.oid = s.stxnamespace
  union all
  select 'default rights', concat_ws(' ', pg_get_userbyid(d.defaclrole), d.defaclnamespace, d.defaclobjtype),
    (select string_agg(a::text, ' ' order by a::text) from unnest(d.defaclacl) a)
  from pg_default_acl d where d.defaclrole = 'frontdesk_owner'::regrole
) o order by 1
