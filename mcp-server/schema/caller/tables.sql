-- The caller: the person or machine for whom a transaction runs. Every policy reads the caller from the functions of
-- this subject.

revoke all on schema app from public;
revoke all on schema extensions from public;
grant usage on schema app to authenticated, anonymous, frontdesk_identity, frontdesk_webhooks;
grant usage on schema extensions to authenticated;
-- Nobody can execute a function without a grant.
alter default privileges revoke execute on functions from public;
