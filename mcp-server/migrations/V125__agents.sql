-- Whether a call that a person should confirm needs a person's yes (`ask`), or agents are only told to ask (`tell`).
alter table app.organizations add column agents text not null default 'tell' check (agents in ('ask', 'tell'));
grant update (agents) on app.organizations to authenticated;
