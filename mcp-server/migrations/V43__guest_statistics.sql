-- An event belongs to one organisation: a condition on both is no rarer than one on the event. PostgreSQL takes
-- them for independent unless it is told, expects a single guest of the largest event, and chooses among indexes
-- as if nothing depended on it.
create statistics events.guests_of_an_event (dependencies) on event_id, organization_id from events.guests;
