-- A chat id is found by an index among any number of profiles.

-- `coalesce` could reveal values by an error, as far as PostgreSQL knows, so a condition with it is checked after the policy
-- of the profiles, for each of them. `case` cannot, and uses the index of their members.
create or replace function events.chat_of(guest uuid, member uuid) returns table (source text, chat_id text) language sql stable
begin atomic
  select case when g.chat_id is not null then 'guest'
              when p.chat_user_id is not null then 'profile' else 'none' end,
         coalesce(g.chat_id, p.chat_user_id)
  from (values (1)) one
  left join events.guests g on g.id = guest
  left join learn.profiles p on p.member_id = case when member is null then g.member_id else member end;
end;
