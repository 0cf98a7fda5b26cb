//! The wiki.

use jiff::Timestamp;
use serde_json::{Map, Value};

use super::EVERYBODY;
use crate::id::{ArticleId, ContentTypeId, ProjectId, UserId};
use crate::record::{List, Maybe, One, with_summary};
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Change, Flag, Limit, Line, Name, Object, Offset, Patch, Slug, Text, UpTo};
use crate::words::words;

words! {
    /// Who can read an article.
    ArticleStatus {
        /// Everyone who is signed in.
        Draft = "draft",
        /// Everyone.
        Published = "published",
        /// The author and global admins.
        Archived = "archived",
    }
}

/// The body of an article, in GitHub-flavoured Markdown.
pub type Markdown = Text<0, 262_144>;

with_summary! {
    /// An article.
    Article,
    /// An article without its body.
    ArticleSummary {
        listed {
            id: ArticleId,
            title: String,
            /// Name in addresses; unique in the organisation.
            slug: String,
        }
        unlisted {
            /// The body, in Markdown.
            content: String,
        }
        listed {
            /// Summary.
            excerpt: Option<String>,
            content_type_id: ContentTypeId,
            /// Slug of the content type: `guide`.
            content_type: String,
            /// The project it belongs to.
            project_id: Option<ProjectId>,
            tags: Vec<String>,
            /// Who can read it.
            status: ArticleStatus,
            /// JSON object with free keys; `parent_slug` names the parent article.
            metadata: Map<String, Value>,
            author_id: UserId,
            author_name: Option<String>,
            /// When it was last changed.
            updated_at: Timestamp,
        }
    }
}

resource! {
    Article, ArticleSummary = "wiki_article", "wiki_articles" (name: title, state: status) {
        list: ListWikiArticles,
        get: GetWikiArticle,
        create: CreateWikiArticle,
        change: UpdateWikiArticle,
        other: PublishWikiArticle,
    }
}

tool! {
    /// Lists articles without their bodies, last changed first.
    ListWikiArticles = "list_wiki_articles" on Learn, READ, for EVERYBODY => List<ArticleSummary> {
        opt {
            status: Option<ArticleStatus>,
            tag: Option<Name>,
            slug_prefix: Option<Name>,
            search: Option<Line>,
            limit: Limit<50, 200>,
            offset: Offset,
        }
    }
}

tool! {
    /// Gets an article with its body, by id or by slug.
    GetWikiArticle = "get_wiki_article" on Learn, READ, for EVERYBODY => Maybe<Article> {
        opt {
            id: Option<ArticleId>,
            slug: Option<Name>,
        }
    }
}

tool! {
    /// Adds an article with you as its author.
    CreateWikiArticle = "create_wiki_article" on Learn, CREATE, for EVERYBODY => One<Article> {
        req {
            title: Name,
        }
        opt {
            /// Default: made from the title.
            slug: Option<Slug>,
            /// Markdown.
            content: Option<Markdown>,
            excerpt: Option<Line>,
            /// Overrides content_type_slug.
            content_type_id: Option<ContentTypeId>,
            content_type_slug: Option<Name> = "guide",
            project_id: Option<ProjectId>,
            tags: Option<UpTo<Name, 100>>,
            status: Option<ArticleStatus> = "draft",
            /// parent_slug names the parent article.
            metadata: Option<Object>,
        }
    }
}

tool! {
    /// Changes an article, identified by id or slug. Author and global admins only.
    UpdateWikiArticle = "update_wiki_article" on Learn, REPLACE, for EVERYBODY => One<Article> {
        opt {
            id: Option<ArticleId>,
            slug: Option<Name>,
            title: Change<Name>,
            /// New slug; links to the old one break.
            new_slug: Change<Slug>,
            /// Markdown; replaces the whole text.
            content: Change<Markdown>,
            excerpt: Patch<Line>,
            content_type_id: Change<ContentTypeId>,
            project_id: Patch<ProjectId>,
            /// Replaces all tags.
            tags: Change<UpTo<Name, 100>>,
            /// Keys to set; null removes a key.
            metadata: Change<Object>,
            /// Replace all metadata keys.
            replace_metadata: Flag<false>,
        }
    }
}

tool! {
    /// Sets who can read an article, identified by id or slug. Author and global admins only.
    PublishWikiArticle = "publish_wiki_article" on Learn, UPDATE, for EVERYBODY => One<Article> {
        opt {
            id: Option<ArticleId>,
            slug: Option<Name>,
            status: Option<ArticleStatus> = "published",
        }
    }
}
