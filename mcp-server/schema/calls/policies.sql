select app.secure('app.idempotency_keys'), app.secure('app.applied_plans'), app.admit_nobody('app.made_calls');
create policy own on app.idempotency_keys to authenticated
  using (user_id = (select app.caller_id()))
  with check (user_id = (select app.caller_id()));
create policy own on app.applied_plans to authenticated
  using (account_id = (select app.caller_id()))
  with check (account_id = (select app.caller_id()));
grant select, insert, delete, update (result) on app.idempotency_keys to authenticated;
grant select, insert, update (times, applied_at) on app.applied_plans to authenticated;
