-- How often an account has made a call that was bound to its preview. The digest that a preview shows is made with this
-- number, so that each can be used once.
create table app.applied_plans (
  account_id uuid not null default app.caller_id(),
  -- The digest of the call and its changes, without the number.
  digest text not null,
  times integer not null default 1,
  primary key (account_id, digest)
);
alter table app.applied_plans enable row level security;
alter table app.applied_plans force row level security;
create policy own on app.applied_plans to authenticated
  using (account_id = (select app.caller_id()))
  with check (account_id = (select app.caller_id()));
grant select, insert, update (times) on app.applied_plans to authenticated;
