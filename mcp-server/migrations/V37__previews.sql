-- Previews: a call that is made, captured (V34__changes.sql) and rolled back.

-- The columns of these tables that differ between two calls that do the same: values drawn from a sequence, and numbers
-- of transactions.
create function app.drawn_columns(tables text[]) returns table (table_name text, columns text[])
  language sql stable set search_path = ''
begin atomic
  select t.name, array_agg(a.attname::text)
  from unnest(tables) t (name)
  join pg_catalog.pg_attribute a on a.attrelid = to_regclass(t.name)
  where a.attidentity <> '' or a.atttypid = 'xid8'::regtype
  group by t.name;
end;
grant execute on function app.drawn_columns(text[]) to authenticated;

-- A preview or dry run of an attempt would tell the score without counting. The setting app.is_trial marks both.
create function quiz.refuse_trial() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  raise check_violation using message = 'an attempt counts, so it cannot be tried: submit it';
end
$$;
create trigger refuse_trial before insert on quiz.attempts
  for each row when (current_setting('app.is_trial', true) = 'on') execute function quiz.refuse_trial();
grant execute on function quiz.refuse_trial() to authenticated;
