-- Entries are never changed. Owners and global admins read those of their organisation, others their own.
select app.secure('app.changes');
create policy read on app.changes for select to authenticated
  using (organization_id = (select app.caller_org())
    and ((select app.caller_is_admin()) or account_id = (select app.caller_id())));
grant select on app.changes to authenticated;

-- Of the entries that the caller reads, the rows that the caller can read. The function comes last: it costs the most.
select app.secure('app.changed_rows');
create policy read on app.changed_rows for select to authenticated
  using (case when exists (select from app.changes c where c.id = change_id)
              then app.may_read_row(table_name, key, before, after) else false end);
grant select on app.changed_rows to authenticated;
