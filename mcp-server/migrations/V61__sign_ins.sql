-- An access token ends with its sign-in, at every process: app.enter reads the sign-in with the caller's rights.

drop function app.enter(uuid, uuid);
drop function app.enter(uuid);

-- Who the caller is. `change` is the entry that captures the transaction's changes. A token of this server names its
-- sign-in, which must not have ended; one of another identity provider has the time at which it was issued, which must
-- be later than the time at which rights of the account were taken. Both are null for a caller without a token.
create function app.enter(
  caller uuid, change uuid default null, sign_in uuid default null, issued_at timestamptz default null) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  entered record;
begin
  select a.is_active is false as is_inactive, p.removed_at is not null as is_removed,
         sign_in is not null and (x.id is null or x.revoked_at is not null)
           or s.rights_taken_at > enter.issued_at as is_over,
         set_config('app.user_id', caller::text, true),
         set_config('app.organization_id', coalesce(u.organization_id::text, p.organization_id::text, ''), true),
         set_config('app.role', coalesce(u.role, case when p.id is not null then 'fellow' end, ''), true),
         set_config('app.level', case when s.is_active is false then 0 else coalesce(p.level, 0) end::text, true),
         set_config('app.member_id', coalesce(p.member_id::text, ''), true),
         case when change is not null then set_config('app.change_id', change::text, true) end
    into entered
    from (select caller as id) c
    left join auth.users a on a.id = c.id
    left join auth.sessions x on x.id = sign_in and x.user_id = c.id
    left join staff.users s on s.id = c.id
    left join lateral (select s.organization_id, s.role where s.is_active) u on true
    left join learn.profiles p on p.id = c.id and (s.is_active is not false or p.member_id is not null);
  if entered.is_removed or entered.is_inactive or entered.is_over then
    raise invalid_authorization_specification using
      constraint = case when entered.is_removed or entered.is_inactive then 'account' else 'sign_in' end,
      message = case
        when entered.is_removed then 'the account was removed'
        when entered.is_inactive then 'the account was deactivated'
        else 'the sign-in of this access token has ended' end;
  end if;
end
$$;
grant execute on function app.enter(uuid, uuid, uuid, timestamptz) to authenticated;
