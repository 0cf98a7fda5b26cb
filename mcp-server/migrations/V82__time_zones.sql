-- Owners choose the time zone and the currency of their organisation.

create function app.check_time_zone() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  perform now() at time zone new.time_zone;
  return new;
exception when invalid_parameter_value then
  raise check_violation using
    column = 'time_zone', message = 'is not a time zone: use a name such as Europe/Lisbon';
end
$$;
create trigger check_time_zone before insert or update of time_zone on app.organizations
  for each row execute function app.check_time_zone();
grant update (time_zone, currency) on app.organizations to authenticated;

drop function auth.set_up(text, text, text, text, text, bigint);
-- Creates an organisation with its owner, on a server that has none. Returns the organisation's slug; null if there is
-- an organisation already, or `made` is given and another one was created since. An empty slug is made from the name.
create function auth.set_up(
  name text, slug text, person text, address text, password_hash text, made bigint, time_zone text, currency text)
  returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  organization uuid;
  account uuid;
  chosen text;
begin
  perform pg_advisory_xact_lock(hashtext('auth.set_up'));
  if auth.has_organization() or made <> auth.organizations_made() then
    return null;
  end if;
  insert into app.organizations as o (name, slug, time_zone, currency)
  values (set_up.name, nullif(set_up.slug, ''), set_up.time_zone, set_up.currency)
  returning o.id, o.slug into organization, chosen;
  insert into auth.users (email, password_hash, organization_id)
  values (lower(address), set_up.password_hash, organization) returning id into account;
  perform auth.enter_organization(account, organization, lower(address), person, 'owner', 100);
  return chosen;
end
$$;
grant execute on function auth.set_up(text, text, text, text, text, bigint, text, text) to frontdesk_identity;
