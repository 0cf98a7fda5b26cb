-- No caller sees the outbox; the worker sees nothing else.
select app.secure('webhooks.events');
create policy worker on webhooks.events to frontdesk_webhooks using (true) with check (true);
grant select on webhooks.events to frontdesk_webhooks;
-- The content of an event is fixed when it is written.
grant update (attempts, attempted_at, due_at, lease, delivered_at, given_up_at, last_error)
  on webhooks.events to frontdesk_webhooks;
