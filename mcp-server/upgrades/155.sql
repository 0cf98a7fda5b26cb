-- A place is emptied each day, if it says so. One that closes when it opens admits nobody, which a mistake can mean, too.

-- Tables -------------------------------------------------------------------------------------------

alter table events.places add column empties_at time;
update events.places set closes_at = opens_at + interval '1 second' where closes_at = opens_at;
alter table events.places
  drop constraint places_closes_at_check,
  add constraint places_closes_at_check check (closes_at > opens_at);
