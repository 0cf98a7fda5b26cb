-- Owners invite staff and students. The account of an accepted invitation of a student has no staff row.

create table staff.invitations (
  id uuid primary key default app.new_id(),
  organization_id uuid not null default app.caller_org() references app.organizations (id),
  name text not null,
  email text not null check (email = lower(email)),
  role text not null check (role in ('owner', 'admin', 'staff', 'teacher', 'finance', 'automation', 'fellow')),
  -- The link's SHA-256; the link itself is not stored.
  token_hash bytea not null constraint invitations_token_key unique,
  invited_by uuid not null default app.caller_id(),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '3 days',
  accepted_at timestamptz,
  revoked_at timestamptz,
  -- The student whose account it opens.
  member_id uuid,
  constraint invitations_member_id_fkey foreign key (member_id, organization_id)
    references learn.members (id, organization_id) on delete cascade,
  constraint invitations_member_id_check check ((role = 'fellow') = (member_id is not null)),
  constraint invitations_revoked_at_check check (accepted_at is null or revoked_at is null)
);
create index invitations_listed_idx on staff.invitations (organization_id, created_at desc, id);
create unique index invitations_email_key
  on staff.invitations (organization_id, email) where accepted_at is null and revoked_at is null;
create index invitations_member_id_idx on staff.invitations (member_id, organization_id);
