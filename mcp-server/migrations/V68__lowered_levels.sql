-- A link also ends when the level of the account that issued it is lowered.

-- When the account's level was last lowered. An undo leaves this time alone, because the history does not record it.
alter table learn.profiles add column rights_taken_at timestamptz;
select app.capture_changes('learn.profiles', secret => '{rights_taken_at}');

create trigger note_taken_rights before update on learn.profiles
  for each row when (new.level < old.level) execute function staff.note_taken_rights();

create or replace function auth.can_issue(account uuid, organization uuid, issued_at timestamptz) returns boolean
  language sql stable security definer set search_path = ''
  return exists (
    select from staff.users o left join learn.profiles p on p.id = o.id
    where o.id = account and o.organization_id = organization and o.role = 'owner' and o.is_active
      and (o.rights_taken_at is null or o.rights_taken_at < issued_at)
      and (p.rights_taken_at is null or p.rights_taken_at < issued_at));
