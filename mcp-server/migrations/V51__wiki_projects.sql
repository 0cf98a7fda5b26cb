-- An article belongs to a project of its organisation. What articles say already stays until it is written again.

alter table learn.wiki_articles
  add constraint wiki_articles_project_id_fkey foreign key (project_id, organization_id)
    references work.projects (id, organization_id) on delete set null (project_id) not valid;
create index wiki_articles_project_id_idx on learn.wiki_articles (project_id, organization_id);
