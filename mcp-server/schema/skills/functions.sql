-- A changed text is a new version, an equal one is not. The owner loads the demo with versions of long ago.
create function skills.count_version() returns trigger language plpgsql set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    new.version := 1;
  elsif (new.title, new.description, new.body) is distinct from (old.title, old.description, old.body) then
    new.version := old.version + 1;
    new.published_by := app.caller_id();
    new.published_at := now();
  else
    new.version := old.version;
  end if;
  return new;
end
$$;
create trigger count_version before insert or update on skills.skills
  for each row when (current_user = 'authenticated') execute function skills.count_version();

create function skills.keep_version() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into skills.versions (skill_id, organization_id, version, title, description, body, published_by, published_at)
  values (new.id, new.organization_id, new.version, new.title, new.description, new.body, new.published_by,
          new.published_at)
  on conflict do nothing;
  return null;
end
$$;
create trigger keep_version after insert or update on skills.skills
  for each row when (current_setting('app.restoring', true) is distinct from 'on')
  execute function skills.keep_version();
