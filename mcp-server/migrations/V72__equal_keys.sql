-- Records are the same if they have the same text. Capitals matter but in addresses: "NEW" is another title than "New".
create or replace function app.find_same(records regclass, fields jsonb) returns setof uuid
  language plpgsql stable security definer rows 1 set search_path = ''
as $$
declare
  conditions text;
begin
  select string_agg(format(case when a.attname like '%email' then 'lower(t.%I) = lower(%L)' else 't.%I = %L' end,
                           a.attname, fields ->> a.attname), ' and ' order by a.attnum)
    into conditions
  from pg_catalog.pg_attribute a
  where a.attrelid = records and a.attnum > 0 and not a.attisdropped and fields ? a.attname
    and a.atttypid in ('text'::regtype, 'uuid'::regtype, 'date'::regtype, 'timestamptz'::regtype, 'integer'::regtype)
  having count(*) = (select count(*) from jsonb_object_keys(fields));
  if conditions is null then
    raise check_violation using column = '_meta.frontdesk/unique', message = 'has a field that cannot be compared';
  end if;
  return query execute format('select t.id from %s t where t.organization_id = app.caller_org() and %s', records, conditions);
end
$$;

-- Members are imported by their addresses: without an index, each row reads all of them.
create index members_personal_email_idx on learn.members (organization_id, lower(personal_email));
create index members_corporate_email_idx on learn.members (organization_id, lower(corporate_email));
