-- A staff row and a profile of one person belong to one organisation. Either may be there without the other, so
-- that no foreign key says it.

do $$
begin
  if exists (
    select from staff.users u join learn.profiles p using (id)
    where u.organization_id <> p.organization_id
  ) then
    raise exception 'somebody has a staff row and a profile in two organisations'
      using hint = 'Compare staff.users and learn.profiles by id, and move or delete one of the two rows.';
  end if;
end
$$;

create function app.one_organization() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  -- Transactions that write the two rows at once come one after the other, and the second sees the first.
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
create constraint trigger users_organization_id_check
  after insert or update of id, organization_id on staff.users
  deferrable initially immediate
  for each row execute function app.one_organization();
create constraint trigger profiles_organization_id_check
  after insert or update of id, organization_id on learn.profiles
  deferrable initially immediate
  for each row execute function app.one_organization();
