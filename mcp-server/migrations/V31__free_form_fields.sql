-- The size of a free-form field is limited as it is stored and written: a number such as 1e-300 takes six bytes
-- in a request and three hundred in an answer, and a merge adds to what is there. A new table's field has the same
-- check, called in the same words; the catalogue's test asks for it.

create function app.is_bounded(value jsonb) returns boolean
  language sql immutable parallel safe
  return octet_length(value::text) <= 16384;
grant execute on function app.is_bounded(jsonb) to authenticated;

-- Not valid: what is there already stays as it is until it is written again.
alter table events.guests
  add constraint "tags must be at most 16384 bytes of JSON as it is stored"
  check (app.is_bounded(tags)) not valid;
