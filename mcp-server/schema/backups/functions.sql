-- Records that a backup was made. Its owner calls it, also after a backup by another program.
create function app.record_backup() returns void language sql security definer set search_path = ''
begin atomic
  insert into app.backups as b (made_at) values (now()) on conflict (is_only) do update set made_at = excluded.made_at;
end;

-- When that was; null if there was none.
create function app.last_backup() returns timestamptz language sql stable security definer set search_path = ''
begin atomic
  select b.made_at from app.backups b;
end;

grant execute on function app.last_backup to frontdesk_webhooks;
