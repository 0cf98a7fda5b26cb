-- The accounting ledger: accounts, journal entries, and lines of bank statements. docs/access.md lists the rights.

create schema financing authorization frontdesk_owner;
grant usage on schema financing to authenticated;

-- Tables -------------------------------------------------------------------------------------------

create table financing.accounts (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  code text not null,
  name text not null,
  found_by text generated always as (app.search_key(code || ' ' || name)) stored,
  kind text not null check (kind in ('asset', 'liability', 'equity', 'income', 'expense')),
  created_at timestamptz not null default now(),
  constraint accounts_code_key unique (organization_id, code),
  unique (id, organization_id)
);

create table financing.journal_entries (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  entry_on date not null,
  description text not null,
  description_key text generated always as (app.search_key(description)) stored,
  reverses_id uuid,
  posted_by uuid not null default app.caller_id(),
  posted_at timestamptz not null default now(),
  -- The transaction that posts the entry: only it can add lines.
  posted_in xid8 not null default pg_current_xact_id(),
  constraint journal_entries_reverses_id_fkey foreign key (reverses_id, organization_id)
    references financing.journal_entries (id, organization_id),
  constraint journal_entries_reverses_id_key unique (reverses_id, organization_id),
  unique (id, organization_id)
);
create index journal_entries_listed_idx
  on financing.journal_entries (organization_id, entry_on desc, posted_at desc, id);

create table financing.journal_lines (
  entry_id uuid not null,
  organization_id uuid not null default app.caller_org(),
  position integer not null,
  account_id uuid not null,
  side text not null check (side in ('debit', 'credit')),
  amount numeric(14, 2) not null check (amount > 0),
  memo text,
  primary key (entry_id, organization_id, position),
  constraint journal_lines_entry_id_fkey foreign key (entry_id, organization_id)
    references financing.journal_entries (id, organization_id),
  constraint journal_lines_account_id_fkey foreign key (account_id, organization_id)
    references financing.accounts (id, organization_id)
);
create index journal_lines_account_id_idx on financing.journal_lines (account_id, organization_id, entry_id);

create table financing.statement_lines (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org(),
  account_id uuid not null,
  posted_on date not null,
  -- Positive if received, negative if paid.
  amount numeric(14, 2) not null check (amount <> 0),
  description text not null,
  description_key text generated always as (app.search_key(description)) stored,
  reference text not null default '',
  -- Numbers equal lines of one statement.
  nth integer not null default 1,
  journal_entry_id uuid,
  reconciled_by uuid,
  created_at timestamptz not null default now(),
  constraint statement_lines_account_id_fkey foreign key (account_id, organization_id)
    references financing.accounts (id, organization_id),
  constraint statement_lines_journal_entry_id_fkey foreign key (journal_entry_id, organization_id)
    references financing.journal_entries (id, organization_id),
  constraint statement_lines_journal_entry_id_key unique (journal_entry_id, organization_id, account_id)
);
-- A line is stored once, however many statements contain it.
create unique index statement_lines_once_key
  on financing.statement_lines (account_id, organization_id, posted_on, amount, md5(description), md5(reference), nth);
create index statement_lines_listed_idx
  on financing.statement_lines (organization_id, posted_on, id) where journal_entry_id is null;
create index statement_lines_open_idx
  on financing.statement_lines (account_id, organization_id, posted_on, id) where journal_entry_id is null;

-- Access -------------------------------------------------------------------------------------------

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

-- Functions and triggers: journal entries ----------------------------------------------------------

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

-- Functions and triggers: statement lines ----------------------------------------------------------

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
  financing.moved, financing.check_balance, financing.check_posting, financing.post, financing.lines,
  financing.reverse, financing.lock_entry, financing.check_reconciled, financing.open_lines
  to authenticated;
