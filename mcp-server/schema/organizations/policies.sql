select app.secure('app.organizations'), app.capture_changes('app.organizations');
create policy read on app.organizations for select to authenticated
  using (id = (select app.caller_org()));
create policy change on app.organizations for update to authenticated
  using (id = (select app.caller_org()))
  with check (id = (select app.caller_org()) and (select app.caller_role()) = 'owner');
grant select, update (name, slug, time_zone, currency, ticket_tags, agents, second_factor) on app.organizations to authenticated;

select app.admit_nobody('app.secrets');
create policy identity on app.secrets to frontdesk_identity using (true) with check (true);
grant select, insert on app.secrets to frontdesk_identity;
