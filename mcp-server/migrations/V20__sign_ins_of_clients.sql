-- A sign-in of the authorization code grant belongs to a client, and so do its refresh tokens: SHA-256 of the
-- client's id, in base64url. Null where the service's own grants began it.
alter table auth.sessions add column client text;
