select app.protect('payments.transactions',
  reads => '{owner,admin,staff,finance,automation}', writes => '{owner,admin,finance,automation}');
select app.protect_by('payments.fellow_payments',
  '(select app.caller_role()) in (''owner'', ''admin'', ''staff'', ''finance'')
   or member_id = (select app.caller_member())',
  '(select app.caller_role()) in (''owner'', ''admin'', ''finance'')');
-- Members see the transactions that paid them.
create policy read_own on payments.transactions for select to authenticated
  using (organization_id = (select app.caller_org()) and (select app.caller_member()) is not null
    and exists (select from payments.fellow_payments p
                where p.transaction_id = transactions.id and p.member_id = (select app.caller_member())));
-- A transaction never changes after it is recorded; of a payment only its transaction is written later.
revoke insert, update, delete on payments.transactions, payments.fellow_payments from authenticated;
grant insert (direction, amount, occurred_on, counterparty, description, reference) on payments.transactions
  to authenticated;
grant insert (member_id, amount, description, due_on), update (id, transaction_id) on payments.fellow_payments
  to authenticated;
