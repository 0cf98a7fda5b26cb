-- The address at a code-hosting provider that the holder of an account has linked with it while signed in.

create table auth.provider_links (
  user_id uuid not null references auth.users (id) on delete cascade,
  provider text not null,
  -- Verified by the provider, in lower case.
  address text not null,
  created_at timestamptz not null,
  primary key (user_id, provider)
);
create index provider_links_address_idx on auth.provider_links (address, provider);

alter table auth.provider_links enable row level security;
alter table auth.provider_links force row level security;
create policy identity on auth.provider_links to frontdesk_identity using (true) with check (true);
grant select, insert, update on auth.provider_links to frontdesk_identity;
