-- Removes the keys that are no longer remembered, also those of accounts that make no calls any more: those of the oldest
-- day, if it is two days before the latest key.
create function app.forget_keys() returns void language sql security definer set search_path = ''
begin atomic
  delete from app.made_calls m where m.made_at < now() - interval '10 minutes';
  delete from app.idempotency_keys k
  using (select date_trunc('day', min(o.created_at)) + interval '1 day' as ends, max(o.created_at) as latest
         from app.idempotency_keys o) o
  where k.created_at < least(o.ends, o.latest - interval '2 days', now() - interval '2 days');
end;

-- Refuses a call that was made with this change and cannot be taken back.
create function app.refuse_again(change uuid) returns void language plpgsql set search_path = '' as $$
begin
  raise restrict_violation using message = format(
    'you made the same call in the last 10 min, change %s, and it cannot be taken back; nothing was made now. If it is '
    'meant once more, give the call an idempotency key', change);
end
$$;

-- Records a call as app.record_change does, and notes what it has made: the tool and arguments of it, or of each of its calls,
-- as SHA-256. `lasting` are those that cannot be taken back: if the caller has made one of them already, nothing is made. Of
-- two equal calls at once, the second waits. Returns 0 if the call has changed nothing, and 2 if it repeats another; else 1.
create function app.record_call(
  host text, tool text, arguments text, idempotency_key text, client text, undoes uuid, action uuid, made bytea[], lasting bytea[]
) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  change constant uuid := app.record_change(host, tool, arguments, idempotency_key, client, undoes, action);
  repeated uuid[];
  refused uuid[];
begin
  if change is null then
    return 0;
  elsif cardinality(made) = 0 then
    return 1;
  end if;
  delete from app.made_calls m where m.account_id = app.caller_id() and m.made_at < now() - interval '10 minutes';
  with written as (
    insert into app.made_calls as m (same, change_id) select s, change from unnest(made) s group by s order by s
    on conflict (account_id, same) do update
      set repeats = case when app.undone_by(m.change_id) is null then m.change_id end,
          change_id = excluded.change_id, made_at = excluded.made_at
    returning m.same, m.repeats)
  select array_agg(w.repeats), array_agg(w.repeats) filter (where w.same = any (lasting)) into repeated, refused
  from written w where w.repeats is not null;
  if refused is not null then
    perform app.refuse_again(refused[1]);
  end if;
  return case when repeated is null then 1 else 2 end;
end
$$;

-- The calls that this one repeats: their entries, what each added first, and how many minutes ago.
create function app.repeated_by(change uuid) returns table (change_id uuid, record text, minutes integer)
  language sql stable security definer set search_path = ''
begin atomic
  select m.repeats, r.key::jsonb ->> 'id', ceil(extract(epoch from now() - c.created_at) / 60)::integer
  from app.made_calls m
  join app.changes c on c.id = m.repeats
  left join lateral (
    select r.key from app.changed_rows r where r.change_id = m.repeats and r.operation = 'insert' order by r.position limit 1) r on true
  where m.account_id = app.caller_id() and m.change_id = change
  order by m.repeats;
end;

-- The entry of a call that the caller has made in the last minutes.
create function app.made_by_call(call bytea) returns uuid language sql stable security definer set search_path = '' as $$
  select m.change_id from app.made_calls m
  where m.account_id = app.caller_id() and m.same = call and m.made_at >= now() - interval '10 minutes'
    and app.undone_by(m.change_id) is null
$$;

grant execute on function app.record_call, app.refuse_again, app.repeated_by, app.made_by_call to authenticated;
grant execute on function app.forget_keys to frontdesk_webhooks;
