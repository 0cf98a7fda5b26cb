-- Finance: teachers have no part in it, machines only the billing.
select app.protect('staff.invoices', reads => '{owner,admin,staff,finance}', writes => '{owner,admin,staff,finance}');
select app.protect('staff.payments', reads => '{owner,admin,staff,finance}', writes => '{owner,admin,staff,finance}');
revoke insert, update, delete on staff.invoices from authenticated;
grant insert (id, billed_to, email, member_id, description, amount, due_on),
      update (id, billed_to, email, member_id, description, amount, due_on, cancelled_at)
  on staff.invoices to authenticated;
revoke update, delete on staff.payments from authenticated;
