-- Organisations, and the keys of the server.

create table app.organizations (
  id uuid primary key default app.new_id(),
  name text not null,
  -- The time zone of the organisation's days and of its meetings' times of day.
  time_zone text not null default 'America/Sao_Paulo',
  created_at timestamptz not null default now(),
  -- For its public addresses.
  slug text not null,
  -- A removed organisation has no accounts. Its records stay.
  removed_at timestamptz,
  -- A code of ISO 4217.
  currency text not null default 'BRL' check (currency ~ '^[A-Z]{3}$'),
  -- The tags of guests, besides `ticket_code`, that have the codes of tickets.
  ticket_tags text[] not null default '{}',
  -- Whether a call that a person should confirm needs a person's yes (`ask`), or agents are only told to ask (`tell`).
  agents text not null default 'tell' check (agents in ('ask', 'tell')),
  -- Whether owners, admins and accounts of level 80 or above need a second factor (`required`).
  second_factor text not null default 'optional' check (second_factor in ('optional', 'required')),
  constraint organizations_slug_key unique (slug),
  constraint organizations_slug_check check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 60)
);

-- The keys of session tokens and access tokens: one set for all processes on this database. The first process that
-- starts writes them.
create table app.secrets (
  name text primary key,
  value bytea not null,
  created_at timestamptz not null default now()
);
