select app.admit_nobody('app.retention');
