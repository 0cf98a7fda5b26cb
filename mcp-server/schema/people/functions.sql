create function learn.guard_profile() returns trigger language plpgsql set search_path = '' as $$
begin
  if new.fellow_slug is distinct from old.fellow_slug then
    perform app.require_level(80);
  end if;
  if new.id <> old.id
    or (new.name, new.avatar_url) is distinct from (old.name, old.avatar_url) and new.id <> app.caller_id() then
    raise insufficient_privilege
      using constraint = 'own_profile', message = 'you can only change your own name and picture';
  end if;
  return new;
end
$$;
create trigger guard_profile before update on learn.profiles
  for each row when (current_user = 'authenticated') execute function learn.guard_profile();

-- Owners alone deactivate and activate a fellow's account, in every way, undo included.
create function learn.check_activity() returns trigger language plpgsql set search_path = '' as $$
begin
  if app.caller_role() <> 'owner' then
    raise insufficient_privilege using constraint = 'role', message = 'only owners can deactivate or activate an account';
  end if;
  return new;
end
$$;
create trigger check_activity before update of is_active on learn.profiles
  for each row when (old.is_active <> new.is_active) execute function learn.check_activity();

-- A staff row and a profile of one person belong to one organisation. Either can exist without the other, so a
-- foreign key cannot require it. The triggers are deferrable, so that a person can move: both rows in one transaction.
create function app.one_organization() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- Transactions that write the two rows at the same time take turns, and the second sees the first.
  perform pg_advisory_xact_lock(hashtextextended(new.id::text, 0));
  if exists (
    select from staff.users u join learn.profiles p using (id)
    where u.id = new.id and u.organization_id <> p.organization_id
  ) then
    raise exception 'a staff row and a profile of one person belong to one organisation'
      using errcode = 'check_violation', schema = tg_table_schema, table = tg_table_name,
            constraint = tg_name;
  end if;
  return null;
end
$$;
-- Deferrable, so that a person can move: both rows in one transaction.
create constraint trigger users_organization_id_check after insert or update of id, organization_id
  on staff.users deferrable initially immediate for each row execute function app.one_organization();
create constraint trigger profiles_organization_id_check after insert or update of id, organization_id
  on learn.profiles deferrable initially immediate for each row execute function app.one_organization();

-- Notes the time at which an account lost rights.
create function staff.note_taken_rights() returns trigger language plpgsql set search_path = '' as $$
begin
  new.rights_taken_at := clock_timestamp();
  return new;
end
$$;
create trigger note_taken_rights before update on staff.users
  for each row when (old.is_active and not new.is_active or old.role = 'owner' and new.role <> 'owner')
  execute function staff.note_taken_rights();
create trigger note_taken_rights before update on learn.profiles
  for each row when (new.level < old.level) execute function staff.note_taken_rights();

-- A member is deleted for good. The undo of adding one is no such deletion: it can be undone itself.
create function learn.forget_member() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform app.erase_texts(array[old.personal_email, old.corporate_email]);
  perform app.erase_with_entry(old.id);
  return null;
end
$$;
create trigger forget_member after delete on learn.members
  for each row when (current_setting('app.restoring', true) is distinct from 'on')
  execute function learn.forget_member();

-- Finders ------------------------------------------------------------------------------------------

-- A caller who sees no member but their own must not learn from the duration of a search whether it matches others:
-- only the caller's own member is searched.
create function learn.find_members(search text) returns uuid[] language plpgsql stable security definer
  set search_path = '' set plan_cache_mode = force_custom_plan set random_page_cost = 1.1 as $$
declare
  most constant integer := 2000;
  pattern constant text := app.search_pattern(search);
begin
  if not (app.caller_is_staff() or app.caller_is_admin()) then
    return array(select t.id from learn.members t
                 where t.id = app.caller_member() and t.organization_id = app.caller_org()
                   and t.found_by like pattern);
  end if;
  return (select case when count(*) <= most then coalesce(array_agg(found.id), '{}') end
          from (select t.id from learn.members t
                where t.organization_id = app.caller_org() and t.found_by like pattern limit most + 1) found);
end
$$;

-- The profiles of the caller's organisation whose name or address matches: the address of the account, or one of the
-- member. Runs as the owner, who reads the accounts. Each text is looked up by itself: one condition on the texts of three
-- tables uses no index.
create function learn.find_profiles(search text) returns uuid[]
  language plpgsql stable security definer
  set search_path = '' set plan_cache_mode = force_custom_plan set random_page_cost = 1.1 as $$
declare
  pattern constant text := app.search_pattern(search);
begin
  -- A caller who sees no other profile searches none.
  if not (app.caller_is_staff() or app.caller_is_admin()) then
    return array(
      select p.id from learn.profiles p
      left join learn.members m on m.id = p.member_id
      left join auth.users u on u.id = p.id
      where p.id = app.caller_id() and p.organization_id = app.caller_org()
        and (p.name_key like pattern or m.found_by like pattern or lower(u.email) like pattern));
  end if;
  return array(
    select p.id from learn.profiles p
    where p.organization_id = app.caller_org() and p.name_key like pattern
    union
    select p.id from learn.members m join learn.profiles p on p.member_id = m.id and p.organization_id = m.organization_id
    where m.organization_id = app.caller_org() and m.found_by like pattern
    union
    select p.id from auth.users u join learn.profiles p on p.id = u.id
    where p.organization_id = app.caller_org() and lower(u.email) like pattern);
end
$$;

grant execute on function
  learn.guard_profile, staff.note_taken_rights, learn.find_members, learn.find_profiles
  to authenticated;
