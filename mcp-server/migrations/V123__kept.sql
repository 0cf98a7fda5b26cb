-- What is only kept for a time: each kind has its days in the one row of the retention, and is removed by their hour.

alter table app.retention
  -- Webhooks after their delivery. Those that were given up stay.
  add column webhooks integer not null default 90 check (webhooks > 0),
  -- Refresh tokens; each can be used for 30 days.
  add column tokens integer not null default 45 check (tokens > 30),
  -- The digests of previews that were applied: until then, none can be applied twice.
  add column plans integer not null default 90 check (plans > 0),
  -- Deliveries of a code host, which are recognised when they are repeated.
  add column deliveries integer not null default 30 check (deliveries > 0);

-- When the digest was last applied.
alter table app.applied_plans add column applied_at timestamptz not null default now();
grant update (applied_at) on app.applied_plans to authenticated;

create index events_delivered_at_idx on webhooks.events (delivered_at) where delivered_at is not null;
create index events_given_up_at_idx on webhooks.events (given_up_at) where given_up_at is not null;

-- Removes what is no longer kept, at most 10,000 rows of each kind. The clock of a machine can be wrong: what counts is the
-- age beside the latest row of the kind, and that this clock agrees.
create function app.forget_old() returns void language plpgsql security definer set search_path = '' as $$
declare
  kept app.retention;
  until timestamptz;
begin
  select * into kept from app.retention;
  until := (select least(now(), max(e.delivered_at)) from webhooks.events e where e.delivered_at is not null)
    - make_interval(days => kept.webhooks);
  delete from webhooks.events e where e.id in (
    select o.id from webhooks.events o where o.delivered_at < until order by o.delivered_at limit 10000);
  -- Their ids are in the order of their times.
  until := (select least(now(), t.created_at) from auth.refresh_tokens t order by t.id desc limit 1)
    - make_interval(days => kept.tokens);
  delete from auth.refresh_tokens t where t.created_at < until and t.id in (
    select o.id from auth.refresh_tokens o order by o.id limit 10000);
  until := (select least(now(), max(a.applied_at)) from app.applied_plans a) - make_interval(days => kept.plans);
  delete from app.applied_plans a where a.applied_at < until;
  until := (select least(now(), max(d.received_at)) from engineering.deliveries_seen d)
    - make_interval(days => kept.deliveries);
  delete from engineering.deliveries_seen d where d.received_at < until;
end
$$;
grant execute on function app.forget_old to frontdesk_webhooks;
