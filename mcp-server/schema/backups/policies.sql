select app.admit_nobody('app.backups');
