-- Machines import statements, and look up the accounts that they are for.
select app.protect('financing.accounts',
  reads => '{owner,admin,staff,finance,automation}', writes => '{owner,admin,finance}');
select app.protect('financing.journal_entries',
  reads => '{owner,admin,staff,finance}', writes => '{owner,admin,finance}');
select app.protect('financing.journal_lines',
  reads => '{owner,admin,staff,finance}', writes => '{owner,admin,finance}');
select app.protect('financing.statement_lines',
  reads => '{owner,admin,staff,finance,automation}', writes => '{owner,admin,finance}');
create policy add_by_machines on financing.statement_lines for insert to authenticated
  with check (organization_id = (select app.caller_org()) and (select app.caller_role()) = 'automation');

-- A posted entry never changes; of a statement line only its entry is written later.
revoke insert, update, delete on financing.accounts, financing.journal_entries, financing.journal_lines,
  financing.statement_lines from authenticated;
grant insert (code, name, kind) on financing.accounts to authenticated;
grant insert (entry_on, description, reverses_id) on financing.journal_entries to authenticated;
grant insert (entry_id, position, account_id, side, amount, memo) on financing.journal_lines to authenticated;
grant insert (account_id, posted_on, amount, description, reference, nth), update (id, journal_entry_id)
  on financing.statement_lines to authenticated;
