-- Lesson Studio: video lessons, their slides, thumbnails (specification, section 1). docs/access.md lists the rights.

create schema studio authorization frontdesk_owner;
grant usage on schema studio to authenticated;

create table studio.video_lessons (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  title text not null,
  description text,
  found_by text generated always as (app.search_key(title || ' ' || coalesce(description, ''))) stored,
  lesson_id uuid,
  status text not null default 'draft' check (status in ('draft', 'recording', 'editing', 'published')),
  video_url text,
  created_at timestamptz not null default now(),
  constraint video_lessons_video_url_check check (status <> 'published' or video_url is not null),
  constraint video_lessons_lesson_id_fkey foreign key (lesson_id, organization_id)
    references learn.lessons (id, organization_id) on delete set null (lesson_id),
  unique (id, organization_id)
);
create index video_lessons_listed_idx on studio.video_lessons (organization_id, created_at desc, id);
create index video_lessons_lesson_id_idx on studio.video_lessons (lesson_id, organization_id);

create table studio.slides (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org(),
  video_lesson_id uuid not null,
  -- Counted from 1.
  position integer not null,
  title text not null,
  body text,
  notes text,
  constraint slides_position_key unique (video_lesson_id, organization_id, position),
  constraint slides_video_lesson_id_fkey foreign key (video_lesson_id, organization_id)
    references studio.video_lessons (id, organization_id) on delete cascade
);

create table studio.thumbnails (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  video_lesson_id uuid,
  title text not null,
  subtitle text,
  -- A PNG, and its SHA-256.
  image bytea not null,
  digest bytea not null generated always as (sha256(image)) stored,
  bytes integer not null generated always as (octet_length(image)) stored,
  created_at timestamptz not null default now(),
  constraint thumbnails_image_check check (octet_length(image) <= 2000000),
  constraint thumbnails_video_lesson_id_fkey foreign key (video_lesson_id, organization_id)
    references studio.video_lessons (id, organization_id) on delete set null (video_lesson_id)
);
create index thumbnails_listed_idx on studio.thumbnails (organization_id, created_at desc, id);
create index thumbnails_video_lesson_id_idx on studio.thumbnails (video_lesson_id, organization_id);
-- A picture of a video lesson is stored once.
create unique index thumbnails_digest_key
  on studio.thumbnails (organization_id, digest, video_lesson_id) nulls not distinct;
