select app.admit_nobody('app.migrations'), app.admit_nobody('app.functions'), app.admit_nobody('app.function_sets');
