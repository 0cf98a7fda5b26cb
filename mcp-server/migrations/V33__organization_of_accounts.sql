-- An account belongs to the organisation of its staff row or profile, also if these are there first.

create function auth.find_organization() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  new.organization_id := coalesce(
    (select u.organization_id from staff.users u where u.id = new.id),
    (select p.organization_id from learn.profiles p where p.id = new.id));
  return new;
end
$$;
create trigger find_organization before insert on auth.users
  for each row when (new.organization_id is null) execute function auth.find_organization();

update auth.users a set organization_id = coalesce(
  (select u.organization_id from staff.users u where u.id = a.id),
  (select p.organization_id from learn.profiles p where p.id = a.id))
where a.organization_id is null;
