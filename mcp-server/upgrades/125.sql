-- Organisations choose what agents ask.

-- Tables -------------------------------------------------------------------------------------------

alter table app.organizations add column agents text not null default 'tell' check (agents in ('ask', 'tell'));

-- Policies -----------------------------------------------------------------------------------------

grant update (agents) on app.organizations to authenticated;
