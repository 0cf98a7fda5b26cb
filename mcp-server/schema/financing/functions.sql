-- Journal entries ----------------------------------------------------------------------------------

-- The amount by which an entry changes an account: debits minus credits.
create function financing.moved(entry uuid, account uuid) returns numeric language sql stable set search_path = ''
  return (select coalesce(sum(case l.side when 'debit' then l.amount else -l.amount end), 0)
          from financing.journal_lines l where l.entry_id = entry and l.account_id = account);

-- Debits equal credits when the transaction ends.
create function financing.check_balance() returns trigger language plpgsql set search_path = '' as $$
declare
  entry constant uuid := to_jsonb(new) ->> tg_argv[0];
  debits numeric;
  credits numeric;
begin
  select coalesce(sum(l.amount) filter (where l.side = 'debit'), 0),
         coalesce(sum(l.amount) filter (where l.side = 'credit'), 0)
    into debits, credits
    from financing.journal_lines l where l.entry_id = entry;
  if debits <> credits then
    raise check_violation using
      column = 'lines', message = format('must balance: debits are %s, credits %s', debits, credits);
  elsif debits = 0 then
    raise check_violation using column = 'lines', message = 'must be two or more';
  end if;
  return null;
end
$$;
create constraint trigger journal_entries_balance after insert
  on financing.journal_entries deferrable initially deferred for each row
  execute function financing.check_balance('id');
create constraint trigger journal_lines_balance after insert on financing.journal_lines deferrable initially deferred
  for each row execute function financing.check_balance('entry_id');

-- A posted entry never changes, for any caller: lines are added with it only.
create function financing.check_posting() returns trigger language plpgsql set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    if exists (select from financing.journal_entries e
               where e.id = new.entry_id and e.posted_in = pg_current_xact_id()) then
      return new;
    end if;
  end if;
  raise insufficient_privilege
    using constraint = 'posted', message = 'a posted entry never changes: reverse it and post another';
end
$$;
create trigger check_posting before insert or update or delete on financing.journal_lines
  for each row execute function financing.check_posting();
create trigger check_posting before update or delete on financing.journal_entries
  for each row execute function financing.check_posting();

-- Posts an entry and checks its lines at once, not only when the transaction ends.
create function financing.post(entry_on date, description text, lines jsonb, reverses_id uuid default null)
  returns uuid language plpgsql set search_path = '' as $$
declare
  entry uuid;
begin
  insert into financing.journal_entries (entry_on, description, reverses_id)
  values (post.entry_on, post.description, post.reverses_id)
  returning id into entry;
  insert into financing.journal_lines (entry_id, position, account_id, side, amount, memo)
  select entry, l.position, (l.line ->> 'account_id')::uuid, l.line ->> 'side', (l.line ->> 'amount')::numeric,
         l.line ->> 'memo'
  from jsonb_array_elements(lines) with ordinality l (line, position);
  set constraints financing.journal_entries_balance, financing.journal_lines_balance immediate;
  set constraints financing.journal_entries_balance, financing.journal_lines_balance deferred;
  return entry;
end
$$;

-- The lines of an entry.
create function financing.lines(entry uuid) returns jsonb language sql stable set search_path = ''
  return (select jsonb_agg(jsonb_build_object('account_id', l.account_id, 'side', l.side, 'amount', l.amount,
                                              'memo', l.memo) order by l.position)
          from financing.journal_lines l where l.entry_id = entry);

-- Posts an entry with debits and credits of another one exchanged. Null if that does not exist.
create function financing.reverse(entry uuid, entry_on date, description text) returns uuid
  language sql set search_path = ''
  return (select financing.post(
            reverse.entry_on,
            coalesce(reverse.description, 'Reversal: ' || e.description),
            (select jsonb_agg(l.line || jsonb_build_object('side', case l.line ->> 'side' when 'debit' then 'credit'
                                                                   else 'debit' end) order by l.position)
             from jsonb_array_elements(financing.lines(e.id)) with ordinality l (line, position)),
            e.id)
          from financing.journal_entries e where e.id = entry);

-- Statement lines ----------------------------------------------------------------------------------

-- Reconciling and reversing an entry take turns.
create function financing.lock_entry(entry uuid) returns void language sql set search_path = ''
  return pg_advisory_xact_lock(hashtextextended(entry::text, 71));

-- A line is reconciled once, with an entry that moves its amount on its account. Of two callers the second
-- waits for the row and finds it reconciled. An undo restores who reconciled it.
create function financing.check_reconciled() returns trigger language plpgsql set search_path = '' as $$
declare
  moved numeric;
begin
  if new.journal_entry_id is null then
    new.reconciled_by := null;
    return new;
  elsif new.journal_entry_id is not distinct from old.journal_entry_id
    or not exists (select from financing.journal_entries e where e.id = new.journal_entry_id) then
    return new;
  elsif old.journal_entry_id is not null then
    raise unique_violation using column = 'id', message = 'this line is already reconciled';
  end if;
  perform financing.lock_entry(new.journal_entry_id);
  if exists (select from financing.journal_entries e where e.reverses_id = new.journal_entry_id) then
    raise check_violation using column = 'journal_entry_id', message = 'this entry is reversed: choose another one';
  end if;
  moved := financing.moved(new.journal_entry_id, new.account_id);
  if moved <> new.amount then
    raise check_violation using column = 'journal_entry_id', message =
      format('must change the line''s account by %s, not by %s', new.amount, moved);
  end if;
  if not app.is_restoring() then
    new.reconciled_by := app.caller_id();
  end if;
  return new;
end
$$;
create trigger check_reconciled before update on financing.statement_lines
  for each row execute function financing.check_reconciled();

-- The lines of an entry that is reversed are open again.
create function financing.open_lines() returns trigger language plpgsql set search_path = '' as $$
begin
  perform financing.lock_entry(new.reverses_id);
  update financing.statement_lines l set journal_entry_id = null where l.journal_entry_id = new.reverses_id;
  return null;
end
$$;
create trigger open_lines after insert on financing.journal_entries
  for each row when (new.reverses_id is not null) execute function financing.open_lines();

grant execute on function
  financing.moved, financing.check_balance, financing.check_posting, financing.post, financing.lines, financing.reverse,
  financing.lock_entry, financing.check_reconciled, financing.open_lines
  to authenticated;
