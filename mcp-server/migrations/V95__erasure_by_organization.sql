-- Planned for one organisation among many, the search of its entries by app.erase would still read the whole history, because
-- PostgreSQL does not know how many rows a pattern finds. Looked up entry by entry, it reads the organisation's.
alter function app.erase(uuid) set enable_hashjoin = off;
alter function app.erase(uuid) set enable_mergejoin = off;
