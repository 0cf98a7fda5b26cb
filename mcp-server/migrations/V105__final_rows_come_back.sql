-- What is final cannot be taken back, but it can come back: a guest who was removed gets the answers again that went along.

create or replace function app.obstacle(target uuid) returns text
  language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  if app.undone_by((select c.action_id from app.changes c where c.id = target)) is not null then
    return 'the action of which this change is a part was already undone';
  elsif app.undone_by(target) is not null then
    return 'this change was already undone';
  end if;
  return (select case
      when count(*) = 0 and app.count_rows(target) > 0 then 'each change of this action was already undone'
      when count(*) = 0 then 'no row of this change is recorded'
      when bool_or(r.is_erased)
        then 'this change is about a person who was deleted: their data was removed from the history'
      else min(app.lasting(r.table_name)) filter (where r.operation <> 'delete')
    end
    from app.rows_of(target, true) r);
end
$$;
