-- A value of a record in a sentence of ours, so that it cannot pass for one: quoted, on one line, without quotation marks of
-- its own, and cut.
create function app.quoted(value text) returns text language sql immutable set search_path = ''
return (select '“' || case when length(v) > 60 then left(v, 59) || '…' else v end || '”'
        from (select translate(regexp_replace(left(value, 500), '[[:cntrl:]\u2028\u2029]+', ' ', 'g'), '“”"', '') as v) t);
grant execute on function app.quoted to authenticated;

-- The elements of a list, or the keys of an object, in their order.
create function app.items(list jsonb) returns table (item text, place bigint) language sql immutable set search_path = ''
begin atomic
  select e.item, e.place
  from jsonb_array_elements_text(case jsonb_typeof(list) when 'array' then list end) with ordinality e (item, place)
  union all
  select e.item, e.place
  from jsonb_object_keys(case jsonb_typeof(list) when 'object' then list end) with ordinality e (item, place);
end;

-- What a change takes away that its caller may not have meant: three fields or more that it clears, and lists that become
-- shorter. `before` and `after` have the fields that it names.
create function app.losses(before jsonb, after jsonb) returns text[] language sql immutable set search_path = ''
return (
  select array_remove(array_agg(l.said order by l.place, l.field), null)
  from (select 0 as place, null as field,
          format('this cleared %s fields: %s; undo_change takes it back', count(*),
            string_agg(format('%s (%s)', replace(b.key, '_', ' '), app.quoted(b.value)), ', ' order by b.key)) as said
        from jsonb_each_text(before) b
        where b.value <> '' and jsonb_typeof(before -> b.key) not in ('array', 'object')
          and jsonb_typeof(after -> b.key) = 'null'
        having count(*) >= 3
        union all
        select 1, b.key,
          format('%s of %s %s are gone: %s; undo_change takes them back', g.gone, s.before, replace(b.key, '_', ' '), g.first)
        from jsonb_each(before) b, lateral (select after -> b.key as value) a,
          lateral (select (select count(*) from app.items(b.value)), (select count(*) from app.items(a.value))) s (before, after),
          lateral (
            select count(*), string_agg(app.quoted(i.item), ', ' order by i.place) filter (where i.nth <= 3)
            from (select i.item, i.place, row_number() over (order by i.place) as nth
                  from app.items(b.value) i where i.item not in (select o.item from app.items(a.value) o)) i) g (gone, first)
        where s.after < s.before and g.gone > 0) l);

grant execute on function app.items, app.losses to authenticated;

-- What a value is the id of, if that is another kind of record than the wanted one. Where two hosts have records of one
-- name, the wanted one has the host's before it: `work_task`.
create function app.wrong_id(field text, wanted text, value uuid) returns text language plpgsql stable set search_path = ''
as $$
declare
  other record;
  is_there boolean;
begin
  wanted := case when wanted in ('user', 'profile', 'staff_user', 'platform_account') then 'account' else replace(wanted, '_', ' ') end;
  for other in
    select c.oid::regclass as records, app.singular(c.relname::text) as kind, c.relnamespace::regnamespace::text as area
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'id' and a.atttypid = 'uuid'::regtype
    where c.relkind = 'r' and has_schema_privilege(c.relnamespace, 'usage') and has_table_privilege(c.oid, 'select')
    order by c.relname, c.oid
  loop
    execute format('select exists (select from %s where id = $1)', other.records) into is_there using value;
    if is_there then
      if other.records in ('learn.profiles'::regclass, 'staff.users'::regclass) then
        other.kind := 'account';
      elsif wanted like '% ' || other.kind then
        other.kind := other.area || ' ' || other.kind;
      end if;
      if other.kind = wanted then
        return null;
      end if;
      return format('%s is the id of another kind of record: %s instead of %s', field, other.kind, wanted)
        || coalesce((select format('; the member of this account is %s', p.member_id)
                     from learn.profiles p where p.id = value and p.member_id is not null and wanted = 'member'), '');
    end if;
  end loop;
  return null;
end
$$;
grant execute on function app.wrong_id to authenticated;

-- Why a caller finds no record of this kind with this id: it is the id of another kind, or of no record that they see.
create or replace function app.explain_id(field text, wanted text, value uuid)
  returns text language sql stable set search_path = ''
return coalesce(app.wrong_id(field, wanted, value), format('no %s that you can see has this %s', wanted, field));

create or replace function quiz.move_dispatches(from_guest uuid, to_guest uuid) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  moved integer;
  answered text;
begin
  if coalesce(app.caller_role() not in ('owner', 'admin', 'staff'), true) then
    raise insufficient_privilege;
  end if;
  select f.title into answered
  from quiz.dispatches d
  join quiz.dispatches k on k.form_id = d.form_id and k.guest_id = to_guest
  join quiz.forms f on f.id = d.form_id
  where d.guest_id = from_guest and exists (select from quiz.responses r where r.dispatch_id = d.id)
    and exists (select from quiz.responses r where r.dispatch_id = k.id) limit 1;
  if found then
    raise unique_violation using column = 'remove_id', message = 'both have answered the form ' || app.quoted(answered);
  end if;
  delete from quiz.dispatches k using quiz.dispatches d
  where d.guest_id = from_guest and k.guest_id = to_guest and k.form_id = d.form_id
    and d.organization_id = app.caller_org()
    and exists (select from quiz.responses r where r.dispatch_id = d.id);
  update quiz.dispatches d set guest_id = to_guest
  where d.guest_id = from_guest and d.organization_id = app.caller_org()
    and not exists (select from quiz.dispatches o where o.form_id = d.form_id and o.guest_id = to_guest);
  get diagnostics moved = row_count;
  return moved;
end
$$;
