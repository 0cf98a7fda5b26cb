-- A partition is reached through its parent only.
select app.admit_nobody('app.changes_default'), app.admit_nobody('app.changed_rows_default');
