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

-- Access -------------------------------------------------------------------------------------------

select app.secure('app.organizations'), app.capture_changes('app.organizations');
create policy read on app.organizations for select to authenticated
  using (id = (select app.caller_org()));
create policy change on app.organizations for update to authenticated
  using (id = (select app.caller_org()))
  with check (id = (select app.caller_org()) and (select app.caller_role()) = 'owner');
grant select, update (name, slug, time_zone, currency) on app.organizations to authenticated;

select app.admit_nobody('app.secrets');
create policy identity on app.secrets to frontdesk_identity using (true) with check (true);
grant select, insert on app.secrets to frontdesk_identity;

-- Triggers -----------------------------------------------------------------------------------------

-- A slug made from the name that no organisation has.
create function app.free_slug(name text)
  returns text language plpgsql stable security definer set search_path = '' as $$
declare
  base constant text := coalesce(nullif(trim('-' from left(app.slug(name), 50)), ''), 'organisation');
  free text := base;
begin
  for number in 2 .. 1000 loop
    exit when not exists (select from app.organizations o where o.slug = free);
    free := base || '-' || number;
  end loop;
  return free;
end
$$;

create function app.slug_of_organization() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- Two organisations of one name that are created at once get different slugs.
  perform pg_advisory_xact_lock(hashtext('app.organizations.slug'));
  new.slug := app.free_slug(new.name);
  return new;
end
$$;
create trigger default_slug before insert on app.organizations
  for each row when (new.slug is null) execute function app.slug_of_organization();

create function app.check_time_zone() returns trigger language plpgsql set search_path = '' as $$
begin
  perform now() at time zone new.time_zone;
  return new;
exception when invalid_parameter_value then
  raise check_violation using column = 'time_zone', message = 'is not a time zone: use a name such as Europe/Lisbon';
end
$$;
create trigger check_time_zone before insert or update of time_zone on app.organizations
  for each row execute function app.check_time_zone();
