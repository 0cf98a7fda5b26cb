//! The wiki: the tree of articles and the reader.

pub(crate) mod article;
mod difference;
mod page;

use frontdesk_protocol::Host;

use self::article::Reader;
use crate::app::cx::Cx;
use crate::records::columns::Column;
use crate::records::record::Record;
use crate::records::view::View;

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("title", "Article"),
        Column::field("status", "State"),
        Column::field("updated_at", "Changed"),
        Column::field("content_type", "Kind"),
        Column::field("tags", "Tags"),
    ],
    covered: &["content_type_id"],
    parent: Some(("slug", |article: &Record| {
        article.get("metadata").get("parent_slug")?.as_str()
    })),
    open: Some(|cx: &mut Cx, article, _| {
        let slug = article.text("slug").unwrap_or_default();
        let title = article.text("title").unwrap_or(slug);
        cx.open(Reader::new(slug, title));
    }),
    ..View::new(Host::Learn, "wiki articles")
};
