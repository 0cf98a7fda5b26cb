-- Functions are kept by digest.

-- Tables -------------------------------------------------------------------------------------------

create table app.functions (
  declaration text primary key,
  digest text not null
);

create table app.function_sets (
  number integer primary key,
  digest text not null unique,
  program integer[] not null
);

-- No file defines these: nothing has called them since before schema 124.
insert into app.functions (declaration, digest) values
  ('app.restore_row(regclass, text, jsonb, jsonb)', ''), ('app.as_stored(regclass, jsonb)', ''), ('app.origin(uuid)', ''),
  ('app.keep_changes(integer)', ''), ('ops.forget_person(uuid, uuid)', '');

-- Policies -----------------------------------------------------------------------------------------

select app.admit_nobody('app.functions'), app.admit_nobody('app.function_sets');
