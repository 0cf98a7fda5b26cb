-- A person is forgotten: what identifies them goes everywhere, and what the law keeps is named.

-- Those of the texts that identify a person, and nobody of the organisation: a shared address is no identity.
create function app.texts_of_nobody(texts text[]) returns text[]
  language sql stable security definer set search_path = ''
  return array(
    select t from unnest(texts) t
    where app.is_address(t)
      and not exists (select from auth.users u where u.organization_id = app.caller_org() and lower(u.email) = t)
      and not exists (
        select from learn.members m where m.organization_id = app.caller_org()
          and t in (lower(m.personal_email), lower(m.corporate_email), lower(m.phone)))
      and not exists (
        select from events.events e join events.guests g on g.event_id = e.id and g.organization_id = e.organization_id
        where e.organization_id = app.caller_org() and lower(g.email) = t)
      and not exists (
        select from events.events e join events.guests g on g.event_id = e.id and g.organization_id = e.organization_id
        where e.organization_id = app.caller_org() and strpos(t, '@') = 0 and t in (lower(g.phone_number), lower(g.chat_id))));

-- Forgets a member with its guests, or a guest, and those who have the same address and name, and `others`. Returns what
-- became of the records, and who else has the address.
create function ops.forget_person(member uuid, guest uuid, others uuid[])
  returns table (kind text, number bigint, outcome text, reason text)
  language plpgsql security definer set search_path = ''
as $$
declare
  organization constant uuid := app.caller_org();
  nobody constant text := 'Forgotten person';
  person learn.members;
  account uuid;
  addresses text[];
  known_as text;
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
    known_as := person.name_key;
  else
    select array_remove(array[lower(g.email)], null), g.name_key into addresses, known_as from events.guests g
    where g.id = guest and g.organization_id = organization;
    if not found then
      return;
    end if;
  end if;
  guests := array(
    select g.id from events.guests g where g.id = any (others || guest) and g.organization_id = organization
    union
    select g.id from events.guests g where g.member_id = member and g.organization_id = organization
    union
    select g.id from events.events e join events.guests g on g.event_id = e.id and g.organization_id = e.organization_id
    where e.organization_id = organization and lower(g.email) = any (addresses) and g.name_key = known_as);
  perform app.erase_texts(addresses || person.phone || array(
    select x from events.guests g, unnest(array[g.email, g.phone_number, g.chat_id]) x where g.id = any (guests)));

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
    delete from staff.invitations i where i.member_id = member;
    update engineering.pull_requests p set author_login = nobody, author_id = null where p.author_id = member;
    perform app.make_anonymous('learn.members', array[member], '{id,organization_id,phase_id,created_at}',
      jsonb_build_object('name', nobody, 'is_active', false, 'forgotten_at', now()));
    return query values ('member', 1::bigint, 'anonymous', 'other records count this person');
  end if;
  return query
    with gone as (delete from quiz.dispatches d where d.guest_id = any (guests) returning d.id)
    select 'dispatch', count(*), 'erased', null::text from gone having count(*) > 0;
  perform app.make_anonymous('events.guests', guests,
    '{id,organization_id,event_id,check_in_at,checked_in_again_at,checked_in_by,changed_in,created_at}',
    jsonb_build_object('name', nobody));
  return query
    select 'guest', cardinality(guests)::bigint, 'anonymous', 'events count their guests' where cardinality(guests) > 0;
  return query
    select 'guest', count(*), 'kept', 'others have the address; to forget them, too, name them in guest_ids: '
      || string_agg(o.who, ', ') filter (where o.place <= 20)
    from (select format('%s (%s)', app.quoted(g.name), g.id) as who, row_number() over (order by g.name_key, g.id) as place
          from events.events e
          join events.guests g on g.event_id = e.id and g.organization_id = e.organization_id
          where e.organization_id = organization and lower(g.email) = any (addresses)) o
    having count(*) > 0;
  return query
    with drafts as (
      update staff.invoices i set billed_to = nobody, email = null, member_id = null
      where i.organization_id = organization and i.status = 'draft'
        and (i.member_id = member or lower(i.email) = any (addresses) and app.search_key(i.billed_to) = known_as)
      returning i.id)
    select 'invoice', count(*), 'anonymous', 'drafts'::text from drafts having count(*) > 0;
  return query
    select 'invoice', count(*), 'kept', 'a sent invoice is a record that the law keeps, with name and address'
    from staff.invoices i
    where i.organization_id = organization
      and (i.member_id = member or lower(i.email) = any (addresses) and app.search_key(i.billed_to) = known_as)
    having count(*) > 0;
  return query
    select 'fellow payment', count(*), 'kept', 'payments are records that the law keeps; they name nobody now'
    from payments.fellow_payments p where p.member_id = member having count(*) > 0;
  return query
    with texts as materialized (
      select app.texts_of_nobody(array(
        select jsonb_array_elements_text(nullif(current_setting('app.erased_texts', true), '')::jsonb))) as texts)
    select 'history entry', count(distinct r.change_id), 'erased', 'these changes cannot be undone any more'
    from texts t, unnest(guests || member) p, app.rows_about(p, t.texts) r where p is not null
    having count(*) > 0;
  foreach one in array array_remove(guests || member, null) loop
    perform app.erase_with_entry(one);
  end loop;
end
$$;

grant execute on function ops.forget_person to authenticated;
