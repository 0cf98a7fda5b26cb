//! The wiki.

use jiff::Timestamp;

use super::EVERYBODY;
use crate::id::{ArticleId, ContentTypeId, ProjectId, UserId};
use crate::record::{List, Maybe, One, record};
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

record! {
    /// An article.
    Article = "wiki_article", "wiki_articles" (name: title, state: status) {
        id: ArticleId,
        title: Name [create],
        /// Default: made from the title.
        slug: Slug [create?],
        /// The body, in Markdown.
        content: String [unlisted],
        excerpt: Option<Line> [create],
        /// Overrides content_type_slug.
        content_type_id: ContentTypeId [create?],
        /// Slug of the content type: `guide`.
        content_type: String,
        project_id: Option<ProjectId> [create],
        tags: UpTo<Name, 100> [create?],
        status: ArticleStatus [create = "draft"],
        /// parent_slug names the parent article.
        metadata: Object [create?],
        author_id: UserId,
        author_name: Option<String>,
        /// When it was last changed.
        updated_at: Timestamp,
    }
    /// An article without its body.
    summary ArticleSummary;
    list ListWikiArticles;
    get GetWikiArticle;
    /// Adds an article with you as its author.
    create CreateWikiArticle = "create_wiki_article" on Learn for EVERYBODY {
        opt {
            /// Markdown.
            content: Option<Markdown>,
            content_type_slug: Option<Name> = "guide",
        }
    }
    change UpdateWikiArticle;
    other PublishWikiArticle;
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
