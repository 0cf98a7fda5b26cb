select app.admit_nobody('app.callers');
