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
