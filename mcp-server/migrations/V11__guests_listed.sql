-- The order of the list of guests, with what the policy and the list's conditions ask of them: the guests
-- before a page are skipped in the index, without a look at each.
create index guests_listed_idx on events.guests (event_id, name_key, id)
  include (organization_id, member_id, role);
drop index events.guests_event_id_idx;

-- The same as before, but for two things. What it asks of the caller is asked once, not of each guest. And the
-- search index is small and in memory: taken for pages on a disk, PostgreSQL would rather read the guests of a
-- middling event one by one.
create or replace function events.find_guests(
  event uuid, pattern text, guest_role text, member uuid, page_limit bigint, page_offset bigint
) returns setof uuid
  language plpgsql stable security definer rows 100
  set search_path = '' set plan_cache_mode = force_custom_plan set random_page_cost = 1.1
as $$
begin
  return query
    select g.id
    from events.guests g
    where g.event_id = event
      and g.organization_id = (select app.caller_org())
      and ((select app.caller_role()) in ('owner', 'admin', 'staff', 'teacher', 'finance')
        or (select app.caller_role()) = 'fellow' and g.member_id = (select app.caller_member()))
      and g.name_key like pattern
      and (guest_role is null or g.role = guest_role)
      and (member is null or g.member_id = member)
    order by g.name_key, g.id
    limit page_limit offset page_offset;
end
$$;
