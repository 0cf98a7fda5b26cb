-- The accounting ledger: accounts, journal entries, and lines of bank statements. docs/access.md lists the rights.

create schema financing authorization frontdesk_owner;
grant usage on schema financing to authenticated;

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
-- The trial balance. It also serves the reference to an account, and the lines of an account.
create index journal_lines_organization_id_idx
  on financing.journal_lines (organization_id, account_id, entry_id) include (side, amount);

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
