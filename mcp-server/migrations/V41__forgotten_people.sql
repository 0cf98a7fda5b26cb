-- A person is forgotten: what identifies them goes everywhere, and what the law keeps is named.

-- Forgets a member with its guests, or a guest with those of the same address. Returns what became of the records.
create function ops.forget_person(member uuid, guest uuid)
  returns table (kind text, number bigint, outcome text, reason text)
  language plpgsql security definer set search_path = ''
as $$
declare
  organization constant uuid := app.caller_org();
  nobody constant text := 'Forgotten person';
  person learn.members;
  account uuid;
  addresses text[];
  guests uuid[];
  one uuid;
begin
  if coalesce(app.caller_role() <> 'owner', true) then
    raise insufficient_privilege;
  end if;
  if member is not null then
    select * into person from learn.members m
    where m.id = member and m.organization_id = organization and m.forgotten_at is null for update;
    if not found then
      return;
    end if;
    select p.id into account from learn.profiles p where p.member_id = member;
    if exists (select from staff.users u where u.id = account) then
      raise check_violation using column = 'member_id',
        message = 'has an account on the staff: remove the account first, with remove_account';
    end if;
    addresses := array_remove(array[lower(person.personal_email), lower(person.corporate_email)], null);
  else
    select array_remove(array[lower(g.email)], null) into addresses from events.guests g
    where g.id = guest and g.organization_id = organization;
    if not found then
      return;
    end if;
  end if;
  guests := array(
    select g.id from events.guests g
    where g.organization_id = organization
      and (g.id = guest or g.member_id = member or lower(g.email) = any (addresses)));
  perform app.erase_texts(addresses || array(
    select x from events.guests g, unnest(array[g.phone_number, g.chat_id]) x where g.id = any (guests) and x is not null)
    || array_remove(array[person.phone], null));

  if account is not null then
    perform auth.remove_account(account);
    update learn.profiles p set name = nobody || ' (former)' where p.id = account;
    return query values ('account', 1::bigint, 'erased', null::text);
  end if;
  if member is not null then
    delete from work.member_label_aliases a where a.member_id = member;
    delete from work.placements p where p.member_id = member;
    delete from learn.tutor_profiles t where t.member_id = member;
    update work.meeting_participants p set label = nobody || ' ' || left(p.id::text, 8), member_id = null
    where p.member_id = member;
    update work.transcript_segments s set speaker = nobody, member_id = null where s.member_id = member;
    delete from staff.invitations i where i.member_id = member and i.accepted_at is null;
    update learn.members m
    set name = nobody, personal_email = null, corporate_email = null, phone = null, city = null, state = null,
        tags = '{}', is_active = false, forgotten_at = now()
    where m.id = member;
    return query values ('member', 1::bigint, 'anonymous', 'other records count this person');
  end if;
  return query
    with gone as (delete from quiz.dispatches d where d.guest_id = any (guests) returning d.id)
    select 'dispatch', count(*), 'erased', null::text from gone having count(*) > 0;
  update events.guests g
  set name = nobody, email = null, phone_number = null, chat_id = null, tags = '{}', member_id = null
  where g.id = any (guests);
  return query
    select 'guest', cardinality(guests)::bigint, 'anonymous', 'events count their guests' where cardinality(guests) > 0;
  return query
    with drafts as (
      update staff.invoices i set billed_to = nobody, email = null, member_id = null
      where i.organization_id = organization and (i.member_id = member or lower(i.email) = any (addresses))
        and i.status = 'draft' returning i.id)
    select 'invoice', count(*), 'anonymous', 'drafts'::text from drafts having count(*) > 0;
  return query
    select 'invoice', count(*), 'kept', 'a sent invoice is a record that the law keeps, with name and address'
    from staff.invoices i
    where i.organization_id = organization and (i.member_id = member or lower(i.email) = any (addresses))
    having count(*) > 0;
  return query
    select 'fellow payment', count(*), 'kept', 'payments are records that the law keeps; they name nobody now'
    from payments.fellow_payments p where p.member_id = member having count(*) > 0;
  foreach one in array array_remove(guests || member, null) loop
    perform app.erase_with_entry(one);
  end loop;
end
$$;

grant execute on function ops.forget_person to authenticated;
