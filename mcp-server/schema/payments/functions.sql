-- A payment is paid once, by a transaction of its own amount. Of two callers the second waits for the row and
-- finds it paid.
create function payments.check_paid() returns trigger language plpgsql set search_path = '' as $$
declare
  paying payments.transactions;
begin
  select * into paying from payments.transactions t
    where t.id = new.transaction_id and t.organization_id = new.organization_id;
  if not found then
    -- The foreign key reports it.
    return new;
  elsif tg_op = 'UPDATE' then
    if new.transaction_id is not distinct from old.transaction_id then
      return new;
    elsif old.transaction_id is not null then
      raise unique_violation using column = 'id', message = 'this payment is already paid';
    end if;
  end if;
  if paying.direction = 'incoming' then
    raise check_violation using column = 'transaction_id', message = 'must be an outgoing transaction';
  elsif paying.amount <> new.amount then
    raise check_violation using column = 'transaction_id', message =
      format('must have the amount of the payment, %s, not %s', new.amount, paying.amount);
  end if;
  return new;
end
$$;
create trigger check_paid before insert or update on payments.fellow_payments
  for each row when (new.transaction_id is not null) execute function payments.check_paid();

-- Adds a payment for the caller's own member; callers with other roles add those of everybody.
create function payments.submit(amount numeric, description text, due_on date)
  returns uuid language plpgsql security definer set search_path = '' as $$
declare
  submitted uuid;
begin
  if app.caller_role() is distinct from 'fellow' then
    raise insufficient_privilege;
  elsif app.caller_member() is null then
    raise insufficient_privilege using constraint = 'member', message = 'your account is not linked to a member';
  end if;
  insert into payments.fellow_payments (organization_id, member_id, amount, description, due_on, submitted_by)
  values (app.caller_org(), app.caller_member(), submit.amount, submit.description, submit.due_on, app.caller_id())
  returning id into submitted;
  return submitted;
end
$$;

grant execute on function payments.check_paid, payments.submit to authenticated;
