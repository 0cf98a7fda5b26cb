-- The learn host: people, courses, programs, progress and the wiki (specification, sections 2 and 4.4). Who
-- may what is in docs/access.md.

-- Common pieces -------------------------------------------------------------------------------------

-- Everybody in the organisation but machines.
create function app.caller_is_person() returns boolean
  language sql stable parallel safe set search_path = ''
  return coalesce(app.caller_role() <> 'automation', false);

-- Refuses a caller below a global level before anything is read.
create function app.require_level(needed integer) returns void
  language plpgsql stable set search_path = ''
as $$
begin
  if coalesce(app.caller_level(), 0) < needed then
    raise insufficient_privilege
      using constraint = 'level', message = format('this needs global level %s or above', needed);
  end if;
end
$$;

-- A text as it stands in an address: letters and digits without accents, words joined by '-'.
create function app.slug(words text) returns text
  language sql immutable strict parallel safe set search_path = ''
  return trim('-' from regexp_replace(app.search_key(words), '[^a-z0-9]+', '-', 'g'));

-- Gives a row without a slug the one of its name or title, the column that the trigger names; a number is
-- added where the organisation has that slug already. The table's organisation column is the second argument.
create function app.default_slug() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  base text := app.slug(to_jsonb(new) ->> tg_argv[0]);
  free text := base;
  taken boolean;
begin
  if new.slug is not null then
    return new;
  end if;
  if base = '' then
    raise check_violation
      using constraint = tg_argv[0] || ' must have a letter or a digit, of which the slug is made';
  end if;
  for number in 2 .. 1000 loop
    execute format('select exists (select from %I.%I where slug = $1 and %I = $2)',
                   tg_table_schema, tg_table_name, tg_argv[1])
      into taken using free, (to_jsonb(new) ->> tg_argv[1])::uuid;
    exit when not taken;
    free := base || '-' || number;
  end loop;
  new.slug := free;
  return new;
end
$$;

-- An update leaves its time behind.
create function app.touch() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end
$$;

grant execute on function
  app.caller_is_person(), app.require_level(integer), app.slug(text), app.default_slug(), app.touch()
  to authenticated;

-- Members and profiles ------------------------------------------------------------------------------

alter table learn.members
  alter column organization_id set default app.caller_org(),
  add column name_key text generated always as (app.search_key(name)) stored,
  add column found_by text generated always as
    (app.search_key(name || ' ' || coalesce(personal_email, '') || ' ' || coalesce(corporate_email, ''))) stored;
create index members_listed_idx on learn.members (organization_id, name_key, id);
create index members_found_by_idx on learn.members using gin (found_by extensions.gin_trgm_ops);

grant insert, update, delete on learn.members to authenticated;
create policy add on learn.members for insert to authenticated
  with check (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff'));
create policy change on learn.members for update to authenticated
  using (organization_id = (select app.caller_org()))
  with check (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff'));
create policy remove on learn.members for delete to authenticated
  using (organization_id = (select app.caller_org())
    and (select app.caller_role()) in ('owner', 'admin', 'staff'));

alter table learn.profiles
  add column name_key text generated always as (app.search_key(name)) stored;
create index profiles_listed_idx on learn.profiles (organization_id, name_key, id);
-- A slug is unique in its organisation: another organisation's use of it must not be told.
alter table learn.profiles drop constraint profiles_fellow_slug_key;
alter table learn.profiles add constraint profiles_fellow_slug_key unique (organization_id, fellow_slug);

-- A caller changes the own name and picture; fellow slugs are given by callers of level 80.
grant update (id, name, avatar_url, fellow_slug) on learn.profiles to authenticated;
create policy change on learn.profiles for update to authenticated
  using (id = (select app.caller_id()) or organization_id = (select app.caller_org()))
  with check (id = (select app.caller_id())
    or organization_id = (select app.caller_org()) and (select app.caller_level()) >= 80);

create function learn.guard_profile() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if new.fellow_slug is distinct from old.fellow_slug then
    perform app.require_level(80);
  end if;
  if new.id <> old.id
    or (new.name, new.avatar_url) is distinct from (old.name, old.avatar_url) and new.id <> app.caller_id() then
    raise insufficient_privilege
      using constraint = 'own_profile', message = 'only the own name and picture can be changed';
  end if;
  return new;
end
$$;
grant execute on function learn.guard_profile() to authenticated;
create trigger guard_profile before update on learn.profiles
  for each row when (current_user = 'authenticated') execute function learn.guard_profile();

-- Cohorts ------------------------------------------------------------------------------------------

create table learn.cohorts (
  id uuid primary key default gen_random_uuid(),
  -- Whose cohort it is; `organization_id` is the organisation that a batch of type organization is for.
  owner_id uuid not null default app.caller_org() references app.organizations (id),
  name text not null,
  slug text not null constraint "slug must be lower-case letters and digits, joined by '-'"
    check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  found_by text generated always as (app.search_key(name || ' ' || slug)) stored,
  year integer,
  status text not null default 'active' constraint cohorts_status_check
    check (status in ('active', 'graduated', 'draft', 'archived')),
  batch_type text not null default 'fellow' constraint cohorts_batch_type_check
    check (batch_type in ('fellow', 'organization')),
  organization_id uuid,
  organization_name text,
  starts_on date,
  created_at timestamptz not null default now(),
  constraint cohorts_slug_key unique (owner_id, slug),
  unique (id, owner_id)
);
create trigger default_slug before insert on learn.cohorts
  for each row execute function app.default_slug('name', 'owner_id');
select app.protect_by('learn.cohorts', '(select app.caller_is_person())', '(select app.caller_is_admin())', 'owner_id');

create table learn.cohort_members (
  cohort_id uuid not null,
  member_id uuid not null,
  organization_id uuid not null default app.caller_org(),
  primary key (cohort_id, organization_id, member_id),
  constraint cohort_members_cohort_id_fkey foreign key (cohort_id, organization_id)
    references learn.cohorts (id, owner_id) on delete cascade,
  constraint cohort_members_member_id_fkey foreign key (member_id, organization_id)
    references learn.members (id, organization_id)
);
create index cohort_members_member_id_idx on learn.cohort_members (member_id, organization_id, cohort_id);
-- Who is in which cohort is the business of admins and of the member.
select app.protect_by('learn.cohort_members',
  '(select app.caller_is_admin()) or member_id = (select app.caller_member())', '(select app.caller_is_admin())');

create table learn.tutor_profiles (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org(),
  member_id uuid not null,
  version text not null default 'v1',
  profile_data jsonb not null constraint "profile_data must be at most 16384 bytes of JSON, as stored"
    check (app.is_bounded(profile_data)),
  created_at timestamptz not null default now(),
  constraint tutor_profiles_version_key unique (member_id, organization_id, version),
  constraint tutor_profiles_member_id_fkey foreign key (member_id, organization_id)
    references learn.members (id, organization_id)
);
select app.protect_by('learn.tutor_profiles', '(select app.caller_is_staff()) or (select app.caller_is_admin())',
  '(select app.caller_is_admin())');

-- Courses and lessons ------------------------------------------------------------------------------

create table learn.courses (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  title text not null,
  description text,
  found_by text generated always as (app.search_key(title || ' ' || coalesce(description, ''))) stored,
  about text,
  thumbnail text,
  position double precision not null default 0,
  tutor_id uuid,
  author_id uuid default app.caller_id(),
  created_at timestamptz not null default now(),
  constraint courses_tutor_id_fkey foreign key (tutor_id, organization_id)
    references learn.members (id, organization_id),
  unique (id, organization_id)
);
create index courses_listed_idx on learn.courses (organization_id, position, id);
create index courses_tutor_id_idx on learn.courses (tutor_id, organization_id);
select app.protect_by('learn.courses', '(select app.caller_is_person())', '(select app.caller_is_admin())');

create table learn.lessons (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default app.caller_org(),
  course_id uuid not null,
  title text not null,
  description text,
  video_url text,
  duration double precision constraint "duration must not be negative" check (duration >= 0),
  position double precision not null default 0,
  status text not null default 'draft' constraint lessons_status_check check (status in ('draft', 'published')),
  is_searchable boolean not null default true,
  transcription text,
  standalone_title text,
  created_at timestamptz not null default now(),
  constraint lessons_course_id_fkey foreign key (course_id, organization_id)
    references learn.courses (id, organization_id) on delete cascade,
  unique (id, organization_id)
);
create index lessons_course_id_idx on learn.lessons (course_id, organization_id, position, id);
select app.protect_by('learn.lessons',
  '(select app.caller_is_staff()) or (select app.caller_is_admin())
     or (select app.caller_is_person()) and status = ''published''',
  '(select app.caller_is_admin())');

-- The progress of a user, who sees and writes the own rows.
create table learn.lesson_progress (
  user_id uuid not null default app.caller_id(),
  lesson_id uuid not null,
  organization_id uuid not null default app.caller_org(),
  first_viewed_at timestamptz not null default now(),
  last_viewed_at timestamptz not null default now(),
  completed_at timestamptz,
  primary key (user_id, lesson_id, organization_id),
  constraint lesson_progress_lesson_id_fkey foreign key (lesson_id, organization_id)
    references learn.lessons (id, organization_id) on delete cascade
);
create index lesson_progress_lesson_id_idx on learn.lesson_progress (lesson_id, organization_id);
select app.protect_by('learn.lesson_progress', 'user_id = (select app.caller_id())', 'user_id = (select app.caller_id())');
