-- Writes the event that the trigger names; its subject is the row.
create function webhooks.tell() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into webhooks.events (organization_id, type, subject_id) values (new.organization_id, tg_argv[0], new.id);
  return null;
end
$$;

-- Plans an event of this subject for a time, in place of one that has not been sent. Null plans none.
--
-- The triggers that plan events follow from the state of a row, so they also run while an undo restores rows.
create function webhooks.plan(organization uuid, kind text, subject uuid, at timestamptz)
  returns void language plpgsql security definer set search_path = '' as $$
begin
  delete from webhooks.events e
  where e.subject_id = subject and e.type = kind and e.attempts = 0 and e.delivered_at is null;
  if at is not null then
    insert into webhooks.events (organization_id, type, subject_id, created_at, due_at)
    values (organization, kind, subject, greatest(at, now()), greatest(at, now()));
  end if;
end
$$;

-- The number of webhooks that these meetings of the caller's organisation caused, for the results of tools.
create function webhooks.count_for(subjects uuid[]) returns bigint
  language sql stable security definer set search_path = ''
  return (select count(*) from webhooks.events e
          where e.subject_id = any (subjects) and e.organization_id = app.caller_org());

-- The webhooks that a change caused, by type, and how many were delivered.
create function app.webhooks_of(target uuid) returns table (type text, number bigint, delivered bigint)
  language sql stable security definer set search_path = ''
begin atomic
  select e.type, count(*), count(e.delivered_at)
  from app.parts(target) p
  join app.changed_rows r on r.change_id = p
  join webhooks.events e on e.id::text = r.key::jsonb ->> 'id' and e.organization_id = app.caller_org()
  where r.table_name = 'webhooks.events'
  group by e.type;
end;

grant execute on function webhooks.count_for, app.webhooks_of to authenticated;
