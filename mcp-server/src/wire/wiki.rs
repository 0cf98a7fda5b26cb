//! `GET /learn/wiki` and `GET /learn/wiki/{slug}`: published articles for readers who are not signed in
//! (specification, section 3).
//!
//! An address shows one organisation's wiki: the one that `?organization=` names by its id, or else the first
//! that has published an article.

mod page;

use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use self::page::Titles;
use super::Service;
use super::address::{Addressed, no_such_address};
use super::refusal::Refusal;
use crate::database::{Access, Actor, params, refusal};

/// How long others may keep a page, in seconds; then they ask whether it has changed.
const CACHED: &str = "public, max-age=60";
const MARKDOWN: &str = "text/markdown; charset=utf-8";
const HTML: &str = "text/html; charset=utf-8";

/// Whose wiki is read.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) struct Wiki {
    organization: Option<Uuid>,
}

/// An article as its readers see it.
#[derive(Debug, Deserialize)]
struct Article {
    title: String,
    content: String,
}

/// The titles of all articles.
pub(super) async fn titles(
    service: State<Service>,
    at: Addressed,
    wiki: Query<Wiki>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    answer(&service, at, *wiki, None, uri, &headers).await
}

/// One article.
pub(super) async fn article(
    service: State<Service>,
    at: Addressed,
    wiki: Query<Wiki>,
    Path(path): Path<std::collections::HashMap<String, String>>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let slug = path.get("slug").map(String::as_str);
    answer(&service, at, *wiki, slug, uri, &headers).await
}

async fn answer(
    service: &Service,
    at: Addressed,
    wiki: Wiki,
    slug: Option<&str>,
    uri: Uri,
    headers: &HeaderMap,
) -> Response {
    if at.host != frontdesk_protocol::Host::Learn {
        return no_such_address(uri).await;
    }
    let (titles, article) = match read(service, wiki, slug).await {
        Ok(read) => read,
        Err(error) => return Refusal::new(&error).into_response(),
    };
    let accepted = headers
        .get(header::ACCEPT)
        .and_then(|value| value.to_str().ok());
    let accepted = accepted.unwrap_or_default();
    let is_source = accepted.contains("text/markdown") && !accepted.contains("text/html");
    let status = match (slug, &article) {
        (Some(_), None) => StatusCode::NOT_FOUND,
        _ => StatusCode::OK,
    };
    let (kind, body) = match (&article, is_source) {
        (Some(article), true) => (MARKDOWN, article.content.clone()),
        (None, true) => (MARKDOWN, titles.markdown()),
        (article, false) => (HTML, page::page(&titles, slug, article.as_ref())),
    };
    let digest = Sha256::digest(&body);
    let tag = format!(
        "\"{:x}\"",
        Uuid::from_slice(&digest[..16])
            .unwrap_or_default()
            .as_simple()
    );
    let known = headers.get_all(header::IF_NONE_MATCH).iter();
    let mut known = known
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    let is_known = known.any(|value| value.trim().trim_start_matches("W/") == tag);
    let about = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::ETAG, tag),
        (header::CACHE_CONTROL, CACHED.to_owned()),
        (header::VARY, "accept".to_owned()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
        (header::REFERRER_POLICY, "no-referrer".to_owned()),
        (header::CONTENT_SECURITY_POLICY, page::policy()),
    ];
    match is_known && status == StatusCode::OK {
        true => (StatusCode::NOT_MODIFIED, about).into_response(),
        false => (status, about, body).into_response(),
    }
}

/// All titles, and the article of this slug if there is one.
async fn read(
    service: &Service,
    wiki: Wiki,
    slug: Option<&str>,
) -> Result<(Titles, Option<Article>), frontdesk_protocol::ToolError> {
    let select = "select (select coalesce(jsonb_agg(jsonb_build_object('title', t.title, 'slug', t.slug, \
                            'parent', t.metadata ->> 'parent_slug') order by t.title_key, t.slug), '[]') \
                          from learn.wiki_articles t), \
                         (select jsonb_build_object('title', a.title, 'content', a.content) \
                          from learn.wiki_articles a where a.slug = $1)";
    let database = &service.inner.database;
    let mut transaction = database.transaction(Actor::Public(wiki.organization), Access::Read);
    let rows = transaction.query(select, params![slug]).await;
    let rows = rows.map_err(|error| refusal(&error))?;
    let cell = |at: usize| rows.first().and_then(|row| row.get::<_, Option<Value>>(at));
    let titles = cell(0).and_then(|titles| serde_json::from_value(titles).ok());
    let article = cell(1).and_then(|article| serde_json::from_value(article).ok());
    let titles = Titles::new(titles.unwrap_or_default(), wiki.organization);
    Ok((titles, article))
}
