//! The wiki.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::EVERYBODY;
use crate::id::{ArticleId, ContentTypeId, ProjectId, UserId};
use crate::record::{List, Maybe, One, record};
use crate::tool::{tool, tools};
use crate::value::{Change, Flag, Limit, Line, Name, Object, Offset, Patch, Slug, Text, UpTo};
use crate::words::words;

words! {
    /// Who reads an article.
    ArticleStatus {
        /// Those who are signed in.
        Draft = "draft",
        /// Everybody.
        Published = "published",
        /// The author and global admins.
        Archived = "archived",
    }
}

/// The body of an article, in GitHub-flavoured Markdown.
pub type Markdown = Text<0, 262_144>;

/// An article without its body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ArticleSummary {
    /// Identifies the article.
    pub id: ArticleId,
    /// Title.
    pub title: String,
    /// Its address; unique in the organisation.
    pub slug: String,
    /// What it says, in short.
    pub excerpt: Option<String>,
    /// What kind of article it is.
    pub content_type_id: ContentTypeId,
    /// The name of that kind: `guide`.
    pub content_type: String,
    /// The project that it belongs to.
    pub project_id: Option<ProjectId>,
    /// Tags.
    pub tags: Vec<String>,
    /// Who reads it.
    pub status: ArticleStatus,
    /// Free keys; `parent_slug` names the article above.
    pub metadata: Map<String, Value>,
    /// Who wrote it.
    pub author_id: UserId,
    /// When it was changed last.
    pub updated_at: Timestamp,
}
record!(ArticleSummary, "wiki_article", "wiki_articles");

/// An article.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Article {
    /// Identifies the article.
    pub id: ArticleId,
    /// Title.
    pub title: String,
    /// Its address; unique in the organisation.
    pub slug: String,
    /// The body, in Markdown.
    pub content: String,
    /// What it says, in short.
    pub excerpt: Option<String>,
    /// What kind of article it is.
    pub content_type_id: ContentTypeId,
    /// The name of that kind: `guide`.
    pub content_type: String,
    /// The project that it belongs to.
    pub project_id: Option<ProjectId>,
    /// Tags.
    pub tags: Vec<String>,
    /// Who reads it.
    pub status: ArticleStatus,
    /// Free keys; `parent_slug` names the article above.
    pub metadata: Map<String, Value>,
    /// Who wrote it.
    pub author_id: UserId,
    /// When it was changed last.
    pub updated_at: Timestamp,
}
record!(Article, "wiki_article", "wiki_articles");

tool! {
    /// Lists articles without their bodies, the one changed last first.
    ListWikiArticles = "list_wiki_articles" on Learn, READ, for EVERYBODY => List<ArticleSummary> {
        opt {
            /// Only articles of this status.
            status: Option<ArticleStatus>,
            /// Only articles with this tag.
            tag: Option<Name>,
            /// Only articles whose slug begins so.
            slug_prefix: Option<Name>,
            /// Part of the title.
            search: Option<Line>,
            /// Most articles to return.
            limit: Limit<50, 200>,
            /// Articles to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Gets an article with its body, by id or by slug.
    GetWikiArticle = "get_wiki_article" on Learn, READ, for EVERYBODY => Maybe<Article> {
        opt {
            /// The article.
            id: Option<ArticleId>,
            /// Its slug.
            slug: Option<Name>,
        }
    }
}

tool! {
    /// Adds an article of yours.
    CreateWikiArticle = "create_wiki_article" on Learn, CREATE, for EVERYBODY => One<Article> {
        req {
            /// Title.
            title: Name,
        }
        opt {
            /// By default from the title.
            slug: Option<Slug>,
            /// The body, in Markdown.
            content: Option<Markdown>,
            /// In short.
            excerpt: Option<Line>,
            /// Wins over content_type_slug.
            content_type_id: Option<ContentTypeId>,
            /// guide where left out.
            content_type_slug: Option<Name>,
            /// The project.
            project_id: Option<ProjectId>,
            /// Tags.
            tags: Option<UpTo<Name, 100>>,
            /// draft where left out.
            status: Option<ArticleStatus>,
            /// parent_slug names the article above.
            metadata: Option<Object>,
        }
    }
}

tool! {
    /// Changes an article, named by id or by slug. Fields left out stay. Its author and global admins only.
    UpdateWikiArticle = "update_wiki_article" on Learn, UPDATE, for EVERYBODY => One<Article> {
        opt {
            /// The article.
            id: Option<ArticleId>,
            /// Its slug.
            slug: Option<Name>,
            /// Title.
            title: Change<Name>,
            /// Another slug; links to the old one break.
            new_slug: Change<Slug>,
            /// The body, instead of the one before.
            content: Change<Markdown>,
            /// What it says, in short.
            excerpt: Patch<Line>,
            /// What kind of article it is.
            content_type_id: Change<ContentTypeId>,
            /// The project that it belongs to; null for none.
            project_id: Patch<ProjectId>,
            /// Tags, instead of those before.
            tags: Change<UpTo<Name, 100>>,
            /// Keys to set; null removes one.
            metadata: Change<Object>,
            /// Whether metadata replaces all keys.
            replace_metadata: Flag<false>,
        }
    }
}

tool! {
    /// Sets who reads an article, named by id or by slug. Its author and global admins only.
    PublishWikiArticle = "publish_wiki_article" on Learn, UPDATE, for EVERYBODY => One<Article> {
        opt {
            /// The article.
            id: Option<ArticleId>,
            /// Its slug.
            slug: Option<Name>,
            /// published where left out.
            status: Option<ArticleStatus>,
        }
    }
}

tools![
    ListWikiArticles,
    GetWikiArticle,
    CreateWikiArticle,
    UpdateWikiArticle,
    PublishWikiArticle
];
