call app.make_searchable('work.projects', 't.name_key like pattern');
call app.make_searchable('work.epics', 't.name_key like pattern');
call app.make_searchable('work.deliveries', 't.found_by like pattern');
call app.make_searchable('work.tasks', 't.name_key like pattern or t.identifier = upper(search)');

-- The prefix of an organisation's task identifiers: the initials of its name.
create function work.initials(name text) returns text language sql immutable strict parallel safe set search_path = ''
  return (
    select case count(*) when 0 then 'T' when 1 then upper(left(min(word), 2))
                         else upper(left(string_agg(left(word, 1), '' order by place), 4)) end
    from regexp_split_to_table(app.search_key(name), '[^a-z0-9]+') with ordinality as w (word, place)
    where word ~ '^[a-z]');

-- Gives a task the next number of its organisation. Transactions that add tasks take turns, and a rollback returns
-- the number.
create function work.number_task() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into work.task_numbers as n (organization_id, prefix, last)
  select o.id, work.initials(o.name), 1 from app.organizations o where o.id = new.organization_id
  on conflict (organization_id) do update set last = n.last + 1
  returning n.last, n.prefix || '-' || n.last into new.number, new.identifier;
  return new;
end
$$;
create trigger number before insert on work.tasks
  for each row when (current_setting('app.restoring', true) is distinct from 'on') execute function work.number_task();

-- A task has an owner, and the epic of its delivery.
create function work.check_task() returns trigger language plpgsql set search_path = '' as $$
declare
  epic uuid;
begin
  if new.owner_id is null then
    raise check_violation using column = 'owner_id', message = case tg_op
      when 'INSERT' then 'must be given, because your account is not linked to a member'
      else 'must be a member: a task without an owner is not on the board' end;
  end if;
  if new.delivery_id is null then
    return new;
  end if;
  select d.epic_id into epic from work.deliveries d where d.id = new.delivery_id;
  if not found then
    raise foreign_key_violation using schema = 'work', table = 'tasks', constraint = 'tasks_delivery_id_fkey';
  end if;
  if tg_op = 'INSERT' and new.epic_id is null
    or tg_op = 'UPDATE' and new.epic_id is not distinct from old.epic_id
                        and new.delivery_id is distinct from old.delivery_id then
    new.epic_id := epic;
  elsif new.epic_id is distinct from epic then
    if new.epic_id is not null and not exists (select from work.epics e where e.id = new.epic_id) then
      raise foreign_key_violation using schema = 'work', table = 'tasks', constraint = 'tasks_epic_id_fkey';
    end if;
    if tg_op = 'UPDATE' and new.delivery_id = old.delivery_id then
      raise check_violation using
        column = 'epic_id', message = 'must be the epic of the task''s delivery; change delivery_id, too';
    end if;
    raise check_violation using column = 'delivery_id', message = 'must be a delivery of epic_id';
  end if;
  return new;
end
$$;
create trigger check_task before insert or update of owner_id, epic_id, delivery_id on work.tasks
  for each row execute function work.check_task();

-- Keeps the changes of a task's status.
create function work.remember_task_status() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into work.task_status_changes (organization_id, task_id, owner_id, from_status, to_status)
  values (new.organization_id, new.id, new.owner_id, case tg_op when 'UPDATE' then old.status end, new.status);
  return null;
end
$$;
-- The demo contains the changes of its tasks.
create trigger remember_first_status after insert on work.tasks
  for each row when (current_user = 'authenticated') execute function work.remember_task_status();
create trigger remember_status after update of status on work.tasks
  for each row when (current_setting('app.restoring', true) is distinct from 'on' and old.status <> new.status)
  execute function work.remember_task_status();

-- A name for a task's branch, of at most 80 characters.
create function work.branch_name(identifier text, name text) returns text
  language sql immutable strict parallel safe set search_path = ''
  return rtrim(left('feat/' || identifier || '-' || coalesce(nullif(app.slug(name), ''), 'task'), 80), '-');

-- The author of a placement has an account in the organisation.
create function work.check_placement() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from learn.profiles p where p.id = new.created_by and p.organization_id = new.organization_id)
    and not exists (select from staff.users u where u.id = new.created_by and u.organization_id = new.organization_id) then
    raise foreign_key_violation using schema = 'work', table = 'placements', constraint = 'placements_created_by_fkey';
  end if;
  return new;
end
$$;
create trigger check_placement before insert or update of created_by on work.placements
  for each row when (new.created_by is not null) execute function work.check_placement();

grant execute on function work.branch_name to authenticated;
