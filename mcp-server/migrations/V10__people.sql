-- People: the staff, members and profiles (specification, sections 1, 2, 4.4 and 5).

create schema staff authorization frontdesk_owner;
create schema learn authorization frontdesk_owner;
grant usage on schema staff to authenticated;
grant usage on schema learn to authenticated, anonymous;

-- Tables -------------------------------------------------------------------------------------------

-- The staff row: it makes a person a member of staff, and gives the role.
create table staff.users (
  -- The token's subject. No reference to auth.users, because the account can be another provider's.
  id uuid primary key,
  organization_id uuid not null references app.organizations (id),
  role text not null check (role in ('owner', 'admin', 'staff', 'teacher', 'finance', 'automation')),
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  -- When the account was last deactivated, or stopped being an owner's. Links that it issued before have ended, also if
  -- it has the right again. An undo leaves this time alone, because the history does not record it.
  rights_taken_at timestamptz
);
create index users_organization_id_idx on staff.users (organization_id);

create table learn.members (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  name text not null,
  name_key text generated always as (app.search_key(name)) stored,
  personal_email text,
  corporate_email text,
  found_by text generated always as
    (app.search_key(name || ' ' || coalesce(personal_email, '') || ' ' || coalesce(corporate_email, ''))) stored,
  phone text,
  city text,
  state text,
  phase_id text,
  tags text[] not null default '{}',
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  -- When the person was forgotten. The row stays for the records that count it.
  forgotten_at timestamptz,
  unique (id, organization_id)
);
create index members_organization_id_idx on learn.members (organization_id);
create index members_listed_idx on learn.members (organization_id, name_key, id);
create index members_found_by_idx on learn.members using gin (found_by extensions.gin_trgm_ops);
-- Serves look-ups of exact names.
create index members_name_idx on learn.members (organization_id, name);
-- Members are imported by their addresses: without an index, each row reads all of them.
create index members_personal_email_idx on learn.members (organization_id, lower(personal_email));
create index members_corporate_email_idx on learn.members (organization_id, lower(corporate_email));

create table learn.profiles (
  -- The token's subject, as in staff.users.
  id uuid primary key,
  organization_id uuid not null references app.organizations (id),
  member_id uuid,
  name text not null,
  name_key text generated always as (app.search_key(name)) stored,
  avatar_url text,
  chat_user_id text,
  fellow_slug text check (fellow_slug ~ '^[a-z0-9-]+$'),
  -- Global level: 80 and above is a global admin.
  level integer not null default 0 check (level between 0 and 100),
  -- The user at the code host, whose pull requests are this profile's.
  code_host_login text,
  created_at timestamptz not null default now(),
  -- The profile of a removed account stays, under a former name, for the records that refer to it.
  removed_at timestamptz,
  -- The login at the code host that a sign-in through it confirmed.
  confirmed_login text,
  -- When the account's level was last lowered: the links that it issued before have ended. An undo leaves this time
  -- alone, because the history does not record it.
  rights_taken_at timestamptz,
  -- Whether a fellow's account can sign in. The staff's have a state of their own, in staff.users.
  is_active boolean not null default true,
  constraint profiles_member_id_key unique (member_id, organization_id),
  -- Unique in its organisation only: an error must not reveal that another organisation uses the slug.
  constraint profiles_fellow_slug_key unique (organization_id, fellow_slug),
  constraint profiles_member_id_fkey foreign key (member_id, organization_id)
    references learn.members (id, organization_id)
);
create index profiles_organization_id_idx on learn.profiles (organization_id);
create index profiles_listed_idx on learn.profiles (organization_id, name_key, id);
create unique index profiles_code_host_login_key on learn.profiles (organization_id, lower(code_host_login));
create index profiles_code_host_login_idx on learn.profiles (lower(code_host_login));
create index profiles_search_idx on learn.profiles using gin (name_key extensions.gin_trgm_ops);

-- Access -------------------------------------------------------------------------------------------

select app.secure('staff.users'), app.capture_changes('staff.users', secret => '{rights_taken_at}');
create policy read on staff.users for select to authenticated
  using (id = (select app.caller_id())
    or organization_id = (select app.caller_org()) and (select app.caller_role()) in ('owner', 'admin'));
-- Everybody who sees a row can learn that only owners change it.
create policy write on staff.users for update to authenticated
  using (id = (select app.caller_id())
    or organization_id = (select app.caller_org()) and (select app.caller_role()) in ('owner', 'admin'))
  with check (organization_id = (select app.caller_org()) and (select app.caller_role()) = 'owner');
grant select, update (is_active) on staff.users to authenticated;

select app.secure('learn.members'), app.capture_changes('learn.members');
create policy read on learn.members for select to authenticated
  using (organization_id = (select app.caller_org())
    and ((select app.caller_is_staff()) or (select app.caller_is_admin()) or id = (select app.caller_member())));
create policy add on learn.members for insert to authenticated
  with check (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff'));
create policy change on learn.members for update to authenticated
  using (organization_id = (select app.caller_org()))
  with check (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff'));
create policy remove on learn.members for delete to authenticated
  using (organization_id = (select app.caller_org()) and (select app.caller_role()) in ('owner', 'admin', 'staff'));
grant select, insert, update, delete on learn.members to authenticated;

-- A caller's own profile is of the caller's organisation, so that one index serves every caller.
select app.secure('learn.profiles'), app.capture_changes('learn.profiles', secret => '{rights_taken_at}');
create policy read on learn.profiles for select to authenticated
  using (organization_id = (select app.caller_org())
    and ((select app.caller_is_staff()) or (select app.caller_is_admin()) or id = (select app.caller_id())));
-- Callers change their own name and picture; callers of level 80 set fellow slugs (the trigger below).
create policy change on learn.profiles for update to authenticated
  using (id = (select app.caller_id()) or organization_id = (select app.caller_org()))
  with check (id = (select app.caller_id())
    or organization_id = (select app.caller_org()) and (select app.caller_level()) >= 80);
grant select, update (id, name, avatar_url, fellow_slug) on learn.profiles to authenticated;

-- Triggers -----------------------------------------------------------------------------------------

create trigger refuse_while_in_use before delete on learn.members
  for each row when (current_setting('app.restoring', true) is distinct from 'on')
  execute function app.refuse_while_in_use();

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
-- member. Runs as the owner, who reads the accounts; again, a caller who sees no other profile searches none.
create function learn.find_profiles(search text) returns uuid[]
  language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  pattern constant text := app.search_pattern(search);
begin
  return array(
    select p.id from learn.profiles p
    left join learn.members m on m.id = p.member_id
    left join auth.users u on u.id = p.id
    where p.organization_id = app.caller_org()
      and (app.caller_is_staff() or app.caller_is_admin() or p.id = app.caller_id())
      and (p.name_key like pattern or m.found_by like pattern or lower(u.email) like pattern));
end
$$;

grant execute on function
  learn.guard_profile, staff.note_taken_rights, learn.find_members, learn.find_profiles
  to authenticated;
