-- The client address that a sign-in came from, as an HMAC: an account knows the addresses of its sign-ins.
alter table auth.sessions add column came_from bytea;
