//! `GET /learn/wiki/~{organization}` and `GET /learn/wiki/~{organization}/{slug}`: published articles for readers who are
//! not signed in (specification, section 3). The organisation is named by its slug.
//!
//! On a server with one organisation, `GET /learn/wiki` and `GET /learn/wiki/{slug}` show its wiki. On others they name
//! the organisations that have published an article.

mod bodies;
mod page;

use axum::extract::{FromRequestParts, Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use frontdesk_postgres::Row;
use frontdesk_protocol::ToolError;
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use uuid::Uuid;

pub(super) use self::bodies::Bodies;
use self::page::Titles;
use super::Service;
use super::address::{Addressed, no_such_address};
use super::limit::refuse;
use super::refusal::Refusal;
use crate::database::{Access, Actor, params, refusal};
use crate::identity::Visit;

/// The time others can cache a page, in seconds, before they revalidate it.
const CACHED: &str = "public, max-age=60";
const MARKDOWN: &str = "text/markdown; charset=utf-8";
const HTML: &str = "text/html; charset=utf-8";

/// The organisation whose wiki is shown.
struct Wiki {
    id: Uuid,
    name: String,
    /// The last segment of the address of the titles.
    folder: String,
}

/// An article as shown to readers.
#[derive(Debug, Deserialize)]
struct Article {
    title: String,
    content: String,
}

/// The wiki's titles and the requested article.
struct Found {
    /// The titles of all articles, as JSON.
    titles: String,
    article: Option<Article>,
}

/// A reader within the limit on pages for each network.
pub(super) struct Reader;

impl FromRequestParts<Service> for Reader {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, service: &Service) -> Result<Self, Refusal> {
        let identity = &service.inner.identity;
        let network = identity.network(&parts.extensions, &parts.headers);
        let admitted = identity.admit(Visit::Page, network);
        admitted.map(|()| Reader).map_err(refuse)
    }
}

/// Answers with the titles of all articles.
pub(super) async fn titles(
    _reader: Reader,
    service: State<Service>,
    at: Addressed,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    answer(&service, at, None, None, uri, &headers).await
}

/// Answers with one article, or with the titles of the organisation that the last segment names.
pub(super) async fn article(
    _reader: Reader,
    service: State<Service>,
    at: Addressed,
    Path(path): Path<std::collections::HashMap<String, String>>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let segment = |name: &str| path.get(name).map(String::as_str);
    let (organization, slug) = match (segment("slug"), segment("article")) {
        (Some(slug), None) if !slug.starts_with('~') => (None, Some(slug)),
        path => path,
    };
    answer(&service, at, organization, slug, uri, &headers).await
}

async fn answer(
    service: &Service,
    at: Addressed,
    organization: Option<&str>,
    slug: Option<&str>,
    uri: Uri,
    headers: &HeaderMap,
) -> Response {
    let organization = match organization.map(|name| name.strip_prefix('~')) {
        Some(None) => return no_such_address(uri).await,
        named => named.flatten(),
    };
    if at.host != frontdesk_protocol::Host::Learn {
        return no_such_address(uri).await;
    }
    let wiki = match find(service, organization).await {
        Ok(Ok(wiki)) => wiki,
        Ok(Err(wikis)) => return choice(organization, slug, &wikis),
        Err(error) => return Refusal::new(&error).into_response(),
    };
    let found = match read(service, wiki.id, slug).await {
        Ok(found) => found,
        Err(error) => return Refusal::new(&error).into_response(),
    };
    let accepted = headers
        .get(header::ACCEPT)
        .and_then(|value| value.to_str().ok());
    let accepted = accepted.unwrap_or_default();
    let is_source = accepted.contains("text/markdown") && !accepted.contains("text/html");
    let kind = if is_source { MARKDOWN } else { HTML };
    let status = match (slug, &found.article) {
        (Some(_), None) => StatusCode::NOT_FOUND,
        _ => StatusCode::OK,
    };
    let tag = found.tag(&page::LAYOUT, kind, &wiki, slug);
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
    if is_known && status == StatusCode::OK {
        return (StatusCode::NOT_MODIFIED, about).into_response();
    }
    let titles = serde_json::from_str(&found.titles).unwrap_or_default();
    let titles = Titles::new(&wiki.name, &wiki.folder, titles);
    let text = match (found.article, is_source) {
        (Some(article), true) => article.content,
        (None, true) => titles.markdown(),
        (Some(Article { title, content }), false) => {
            let body = service.inner.bodies.body(content).await;
            page::page(&titles, slug, Some((&title, &body)))
        }
        (None, false) => page::page(&titles, slug, None),
    };
    (status, about, text).into_response()
}

impl Found {
    /// The ETag: changes with everything in the answer, and is computed without rendering.
    fn tag(&self, layout: &[u8; 32], kind: &str, wiki: &Wiki, slug: Option<&str>) -> String {
        let article = self.article.as_ref();
        let article = article.map(|article| (&article.title, &article.content));
        let mut digest = Sha256::new_with_prefix(layout);
        digest.update(format!(
            "{kind}\0{:?}\0{slug:?}\0{}\0",
            (wiki.id, &wiki.folder, &wiki.name),
            self.titles
        ));
        for part in article.iter().flat_map(|(title, content)| [title, content]) {
            digest.update(part.len().to_be_bytes());
            digest.update(part.as_bytes());
        }
        let digest = Uuid::from_slice(&digest.finalize()[..16]).unwrap_or_default();
        format!("\"{:x}\"", digest.as_simple())
    }
}

/// The page at an address that names no wiki.
fn choice(organization: Option<&str>, slug: Option<&str>, wikis: &[(String, String)]) -> Response {
    let (status, folder) = match (organization, slug) {
        (None, None) => (StatusCode::OK, "wiki/"),
        (Some(_), Some(_)) => (StatusCode::NOT_FOUND, "../"),
        _ => (StatusCode::NOT_FOUND, ""),
    };
    let about = [
        (header::CONTENT_TYPE, HTML.to_owned()),
        (header::CACHE_CONTROL, CACHED.to_owned()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
        (header::REFERRER_POLICY, "no-referrer".to_owned()),
        (header::CONTENT_SECURITY_POLICY, page::policy()),
    ];
    (status, about, page::choice(folder, wikis)).into_response()
}

/// The wiki of the organisation with this slug, or of the only one. Otherwise the slugs and names of the organisations
/// that have published an article.
async fn find(
    service: &Service,
    organization: Option<&str>,
) -> Result<Result<Wiki, Vec<(String, String)>>, ToolError> {
    let rows = wikis(service, organization).await?;
    let only = rows
        .first()
        .filter(|row| organization.is_some() || row.get(3));
    if let Some(row) = only {
        return Ok(Ok(Wiki {
            id: row.get(0),
            name: row.get(2),
            folder: organization.map_or("wiki".to_owned(), |slug| format!("~{slug}")),
        }));
    }
    // A wrong slug gets the choice, too.
    let rows = match organization {
        Some(_) => wikis(service, None).await?,
        None => rows,
    };
    let published = rows.iter().filter(|row| row.get(4));
    Ok(Err(published.map(|row| (row.get(1), row.get(2))).collect()))
}

/// The organisations of `app.wikis`.
async fn wikis(service: &Service, slug: Option<&str>) -> Result<Vec<Row>, ToolError> {
    let select = "select id, slug, name, is_only, has_articles from app.wikis($1)";
    let database = &service.inner.database;
    let mut transaction = database.transaction(Actor::Public(None), Access::Read);
    let rows = transaction.query(select, params![slug]).await;
    rows.map_err(|error| refusal(&error))
}

/// Whether somebody has published an article.
pub(super) async fn is_public(service: &Service) -> Result<bool, ToolError> {
    Ok(wikis(service, None).await?.iter().any(|row| row.get(4)))
}

/// Reads all titles, and the article with this slug if it exists.
async fn read(
    service: &Service,
    organization: Uuid,
    slug: Option<&str>,
) -> Result<Found, ToolError> {
    let select = "select (select coalesce(jsonb_agg(jsonb_build_object('title', t.title, 'slug', t.slug, \
                            'parent', t.metadata ->> 'parent_slug') order by t.title_key, t.slug), '[]') \
                          from learn.wiki_articles t)::text, \
                         (select jsonb_build_object('title', a.title, 'content', a.content) \
                          from learn.wiki_articles a where a.slug = $1)";
    let database = &service.inner.database;
    let mut transaction = database.transaction(Actor::Public(Some(organization)), Access::Read);
    let rows = transaction.query(select, params![slug]).await;
    let rows = rows.map_err(|error| refusal(&error))?;
    let row = rows.first();
    let article = row.and_then(|row| row.get::<_, Option<Value>>(1));
    Ok(Found {
        titles: row.map(|row| row.get(0)).unwrap_or_default(),
        article: article.and_then(|article| serde_json::from_value(article).ok()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tag_changes_with_the_layout() {
        let found = Found {
            titles: "[]".to_owned(),
            article: None,
        };
        let wiki = Wiki {
            id: Uuid::nil(),
            name: String::new(),
            folder: String::new(),
        };
        let tag = |layout: &[u8; 32]| found.tag(layout, HTML, &wiki, None);
        assert_eq!(tag(&page::LAYOUT), tag(&page::LAYOUT));
        assert_ne!(tag(&page::LAYOUT), tag(&[0; 32]));
    }
}
