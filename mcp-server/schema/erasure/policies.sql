select app.admit_nobody('app.forgotten');
