-- Where guests are follows from the log: who has left the event is in none of its places. Names are compared without more than
-- one space between words.

-- Tables -------------------------------------------------------------------------------------------

alter table events.presence replica identity full;
alter table app.forgotten replica identity full;

-- Policies -----------------------------------------------------------------------------------------

create trigger note_arrival after update of check_in_at on events.guests
  for each row when (old.check_in_at is distinct from new.check_in_at)
  execute function events.note_arrival();

-- Data ---------------------------------------------------------------------------------------------

select events.derive_presence(m.guest_id) from (select distinct m.guest_id from events.movements m) m;

-- The search keys of texts with other spaces are computed again.
do $$
declare
  made record;
begin
  for made in
    select a.attrelid::regclass as of, quote_ident(a.attname) as key, pg_get_expr(d.adbin, d.adrelid) as value,
      (select quote_ident(b.attname) from pg_depend p
       join pg_attribute b on b.attrelid = p.refobjid and b.attnum = p.refobjsubid
       where p.classid = 'pg_attrdef'::regclass and p.objid = d.oid and p.refobjid = a.attrelid
         and p.refobjsubid <> a.attnum limit 1) as source
    from pg_attribute a join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attgenerated = 's' and pg_get_expr(d.adbin, d.adrelid) ~ 'app\.(search_key|name_words)'
  loop
    execute format('update %1$s set %2$s = %2$s where %3$s is distinct from %4$s', made.of, made.source, made.key, made.value);
  end loop;
end
$$;
