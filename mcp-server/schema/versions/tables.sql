-- What the database has: the upgrades that it has had, and its functions as they were last run.

-- A new database begins with all upgrades of its program. A first start of 0.2.0 that failed can have left the table.
create table if not exists app.migrations (
  version integer primary key,
  name varchar(255),
  applied_on varchar(255),
  checksum varchar(255)
);

-- A function is run again if its text has another digest, and dropped if no file defines it. Its table's comment has the
-- digest of all, for logins without rights.
create table app.functions (
  -- The name, and the arguments without defaults.
  declaration text primary key,
  digest text not null
);

-- The functions as a whole, as programs have written them, in order: a program that this database has left behind does not
-- put its functions back.
create table app.function_sets (
  number integer primary key,
  digest text not null unique,
  -- The program's version, such as {0,2,0}.
  program integer[] not null
);
