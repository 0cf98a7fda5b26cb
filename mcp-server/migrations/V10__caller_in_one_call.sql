-- What every call pays for: finding out who the caller is, and what the policies ask of them.

-- A function with a setting of its own is planned anew wherever it is called; without one it becomes
-- part of the statement that asks. Their bodies were resolved when they were made: no search path
-- changes what they mean.
alter function app.caller_id() reset search_path;
alter function app.caller_org() reset search_path;
alter function app.caller_role() reset search_path;
alter function app.caller_level() reset search_path;
alter function app.caller_member() reset search_path;
alter function app.caller_is_staff() reset search_path;
alter function app.caller_is_admin() reset search_path;

-- Who the caller is, and what they are at this moment: one look at both tables.
create function app.enter(caller uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  perform set_config('app.user_id', caller::text, true),
          set_config('app.organization_id', coalesce(u.organization_id::text, p.organization_id::text, ''), true),
          set_config('app.role', coalesce(u.role, case when p.id is not null then 'fellow' end, ''), true),
          set_config('app.level', coalesce(p.level, 0)::text, true),
          set_config('app.member_id', coalesce(p.member_id::text, ''), true)
    from (select caller as id) c
    left join staff.users u on u.id = c.id and u.is_active
    left join learn.profiles p on p.id = c.id;
end
$$;
grant execute on function app.enter(uuid) to authenticated;
drop function app.enter();
