//! The wiki.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::id::ArticleId;
use frontdesk_protocol::learn::wiki::{
    Article, ArticleStatus, ArticleSummary, CreateWikiArticle, GetWikiArticle, ListWikiArticles,
    Markdown, PublishWikiArticle, UpdateWikiArticle,
};
use frontdesk_protocol::record::{Maybe, One, Record};
use frontdesk_protocol::value::{Change, Name};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::call::{Admission, Call, Handler, Outcome, SqlByName, Stored, named, object};
use crate::database::params;
use crate::hosts::{one_name, routes};
use crate::markdown::html;

const TABLE: &str = "learn.wiki_articles";
const FIELDS: SqlByName = &[
    named!("author_name": account "author_id"),
    (
        "content_type",
        "(select c.slug from learn.content_types c where c.id = t.content_type_id)",
    ),
];

impl Stored for ArticleSummary {
    const TABLE: &'static str = TABLE;
    const ORDER: &'static str = "t.updated_at desc, t.id";
    const FILTERS: SqlByName = &[
        ("tag", "$ = any (t.tags)"),
        ("slug_prefix", "starts_with(t.slug, $)"),
        ("search", "t.title_key like (select app.search_pattern($))"),
    ];
    const FINDER: Option<&'static str> = Some("learn.find_wiki_articles");
    const COMPUTED: SqlByName = FIELDS;
}

impl Stored for Article {
    const TABLE: &'static str = TABLE;
    const COMPUTED: SqlByName = FIELDS;
}

/// Checks that the article can be rendered.
async fn check_layout(call: &mut Call, content: &Markdown) -> Result<(), ToolError> {
    let content = content.clone();
    let checked = call.work(move |permit| html(permit, content.as_str()).map(drop));
    let checked = checked.await?;
    checked.map_err(|excess| ToolError::invalid("content", excess.to_string()))
}

/// Locks the article, and returns its id and its metadata with these keys merged in.
async fn lock(
    call: &mut Call,
    id: Option<ArticleId>,
    slug: Option<&Name>,
    keys: &Value,
) -> Result<(Uuid, Value), ToolError> {
    one_name(id.is_some(), slug.is_some())?;
    let sql = "select t.id, app.merged(t.metadata, $3) from learn.wiki_articles t \
         where t.id = $1 or t.slug = $2 for update";
    let rows = call.query(sql, params![id, slug, keys]).await?;
    let not_found = || {
        let named = if id.is_some() { "id" } else { "slug" };
        ToolError::not_found(Article::SINGULAR).on(named)
    };
    let row = rows.first().ok_or_else(not_found)?;
    Ok((row.get(0), row.get(1)))
}

impl Handler for GetWikiArticle {
    async fn handle(self, call: &mut Call) -> Outcome<Maybe<Article>> {
        one_name(self.id.is_some(), self.slug.is_some())?;
        call.find(&self).await
    }
}

impl Handler for CreateWikiArticle {
    const ADMISSION: Option<Admission> = Some(Admission::Add(TABLE));

    async fn handle(self, call: &mut Call) -> Outcome<One<Article>> {
        if let Some(content) = &self.content {
            check_layout(call, content).await?;
        }
        let mut article = object(&self);
        let name = article.shift_remove("content_type_slug");
        if let (Some(name), None) = (name, self.content_type_id) {
            let rows = call
                .query("select learn.content_type($1)", params![name])
                .await?;
            let id: Option<Uuid> = rows.first().and_then(|row| row.get(0));
            let id =
                id.ok_or_else(|| ToolError::not_found("content_type").on("content_type_slug"))?;
            article.insert("content_type_id".to_owned(), json!(id));
        }
        call.finally().create(&article).await
    }
}

/// A warning of the articles that name the article `$1` as their parent by its slug, if that becomes `$2`.
const LEFT_BEHIND: &str = "select format('their parent is still %s: %s; set the parent_slug of their metadata to %s', \
       app.quoted(a.slug), string_agg(c.slug, ', ' order by c.slug), app.quoted($2::text)) \
     from learn.wiki_articles a join learn.wiki_articles c on c.metadata ->> 'parent_slug' = a.slug \
     where a.id = $1 and a.slug <> $2::text group by a.slug";

impl Handler for UpdateWikiArticle {
    const ADMISSION: Option<Admission> = Some(Admission::Change {
        table: TABLE,
        singular: Article::SINGULAR,
        keys: &["id", "slug"],
    });

    async fn handle(self, call: &mut Call) -> Outcome<One<Article>> {
        one_name(self.id.is_some(), self.slug.is_some())?;
        if let Change::To(content) = &self.content {
            check_layout(call, content).await?;
        }
        let mut changes = object(&self);
        for name in ["id", "slug", "replace_metadata"] {
            changes.shift_remove(name);
        }
        let keys = changes.get("metadata").cloned();
        let merged_in = keys.clone().unwrap_or_else(|| json!({}));
        let (id, merged) = lock(call, self.id, self.slug.as_ref(), &merged_in).await?;
        if keys.is_some() && !self.replace_metadata.0 {
            changes.insert("metadata".to_owned(), merged);
        }
        if let Some(slug) = changes.shift_remove("new_slug") {
            call.warn_of(LEFT_BEHIND, params![id, slug.as_str()])
                .await?;
            changes.insert("slug".to_owned(), slug);
        }
        let changed = call.finally().change(id, &changes).await;
        changed.map_err(|refusal| refusal.called("slug", "new_slug"))
    }
}

impl Handler for PublishWikiArticle {
    async fn handle(self, call: &mut Call) -> Outcome<One<Article>> {
        let (id, _) = lock(call, self.id, self.slug.as_ref(), &json!({})).await?;
        let status = self.status.unwrap_or(ArticleStatus::Published);
        call.finally()
            .change(id, &json!({ "status": status }))
            .await
    }
}

routes![
    ListWikiArticles,
    GetWikiArticle => own,
    CreateWikiArticle => own,
    UpdateWikiArticle => own,
    PublishWikiArticle => own,
];
