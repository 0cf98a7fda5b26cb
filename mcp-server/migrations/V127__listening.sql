-- What a process asks once a second while it has listeners.

-- `since` is a place in the history up to which the process has heard; the listeners are given as parallel arrays, with the
-- session of those that have one. Returns: the place of the last change that can be seen; the oldest transaction that runs, and
-- the next one, as numbers of transactions (a change before `last` can still be committed by one between them); the listeners,
-- counted from 1, whose organisation has changes after `since`; those whose rights have ended; and the subscriptions of the
-- sessions.
--
-- The ids of changes begin with the time, by the clocks of the processes: those of the last minutes are looked at.
create function app.heard(since bigint, users uuid[], sign_ins uuid[], issued timestamptz[], sessions text[])
  returns table (last bigint, oldest text, next text, touched integer[], ended integer[], subscribed text)
  language sql stable security definer set search_path = ''
begin atomic
  with listeners as (
    select l.place::integer as place, l.user_id, l.session, k.organization,
           k.organization is null or k.is_inactive or k.is_removed
             or l.sign_in is not null and (x.id is null or x.revoked_at is not null)
             or coalesce(k.rights_taken_at > l.issued_at, false) as is_over
    from unnest(users, sign_ins, issued, sessions) with ordinality l (user_id, sign_in, issued_at, session, place)
    left join app.callers k on k.id = l.user_id
    left join auth.sessions x on x.id = l.sign_in and x.user_id = l.user_id
  ), fresh as materialized (
    select r.change_id, r.position from app.changed_rows r
    where r.change_id >= app.first_change_id(now() - interval '5 minutes') and r.position > since
  ), touched as (
    select distinct c.organization_id from app.changes c where c.id in (select f.change_id from fresh f)
  )
  select coalesce((select max(f.position) from fresh f), since),
         pg_snapshot_xmin(pg_current_snapshot())::text, pg_snapshot_xmax(pg_current_snapshot())::text,
         array(select l.place from listeners l where l.organization in (select t.organization_id from touched t)),
         array(select l.place from listeners l where l.is_over),
         (select coalesce(json_agg(json_build_object('place', l.place, 'uri', convert_from(k.arguments, 'UTF8'), 'seen', k.result)),
                          '[]')::text
          from listeners l
          join app.idempotency_keys k on k.user_id = l.user_id and k.tool = 'resources/subscribe'
            and starts_with(k.key, l.session || '/')
          where l.session <> '');
end;

grant execute on function app.heard to frontdesk_webhooks;
