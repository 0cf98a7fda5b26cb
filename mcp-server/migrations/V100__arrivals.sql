-- Serves the last arrivals of an event.
create index guests_arrivals_idx on events.guests (event_id, check_in_at desc, id)
  where check_in_at is not null;
