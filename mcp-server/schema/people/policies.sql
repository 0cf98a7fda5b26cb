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
-- Callers change their own name and picture; callers of level 80 set fellow slugs (a trigger asks for it).
create policy change on learn.profiles for update to authenticated
  using (id = (select app.caller_id()) or organization_id = (select app.caller_org()))
  with check (id = (select app.caller_id())
    or organization_id = (select app.caller_org()) and (select app.caller_level()) >= 80);
grant select, update (id, name, avatar_url, fellow_slug) on learn.profiles to authenticated;
