//! The pages of the public wiki. They need no script, and nothing from anywhere else but pictures.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use ammonia::{Builder, UrlRelative};
use pulldown_cmark::{Options, Parser, html};
use serde::Deserialize;
use uuid::Uuid;

use super::Article;
use crate::page::{Template, escaped};

const TEMPLATE: Template = Template {
    // Each article has a language of its own.
    lang: None,
    style: "\
body{font:1.05rem/1.6 system-ui,sans-serif;margin:0;color:#222;background:#fff}\
main,nav{box-sizing:border-box;padding:1rem 1.2rem;max-width:46rem}\
nav{font-size:.95rem}nav ul{list-style:none;margin:0;padding-left:1rem}nav>ul{padding:0}\
[aria-current]{font-weight:bold}\
a{color:#0550ae}img{max-width:100%}pre,table{overflow-x:auto;display:block}\
pre{background:#f2f2f2;padding:.6rem}code{font-family:ui-monospace,monospace}\
td,th{border:1px solid #999;padding:.2rem .6rem;text-align:left}table{border-collapse:collapse}\
blockquote{border-left:.25rem solid #999;margin-left:0;padding-left:1rem}\
@media(min-width:60rem){body{display:flex}nav{flex:0 0 18rem;order:-1}}\
@media(prefers-color-scheme:dark){body{color:#ddd;background:#111}a{color:#79b8ff}pre{background:#222}}",
};

/// How deep the list of titles is nested at most.
const DEEPEST: usize = 12;

/// An article's place in the tree.
#[derive(Debug, Deserialize)]
pub(super) struct Entry {
    title: String,
    slug: String,
    /// The slug of the article above, published or not.
    parent: Option<String>,
}

/// The titles of a wiki.
#[derive(Debug)]
pub(super) struct Titles {
    entries: Vec<Entry>,
    /// What an address within the wiki ends with.
    query: String,
}

impl Titles {
    /// The titles of the wiki that an address with this organisation shows.
    pub(super) fn new(entries: Vec<Entry>, organization: Option<Uuid>) -> Self {
        let query = organization.map_or(String::new(), |id| format!("?organization={id}"));
        Titles { entries, query }
    }

    /// Visits the articles from the top, each with its depth, those below it after it.
    fn walk(&self, visit: &mut dyn FnMut(&Entry, usize)) {
        let slugs: BTreeSet<&str> = self
            .entries
            .iter()
            .map(|entry| entry.slug.as_str())
            .collect();
        let mut below: BTreeMap<Option<&str>, Vec<&Entry>> = BTreeMap::new();
        for entry in self.entries.iter().rev() {
            // An article whose parent is not published stands at the top.
            let parent = entry.parent.as_deref().filter(|slug| slugs.contains(slug));
            below.entry(parent).or_default().push(entry);
        }
        let top = below.remove(&None).unwrap_or_default();
        let mut next: Vec<(&Entry, usize)> = top.into_iter().map(|entry| (entry, 0)).collect();
        while let Some((entry, depth)) = next.pop() {
            visit(entry, depth);
            let children = below.remove(&Some(entry.slug.as_str())).unwrap_or_default();
            next.extend(children.into_iter().map(|child| (child, depth + 1)));
        }
    }

    /// The tree as a list of links.
    pub(super) fn markdown(&self) -> String {
        let mut text = "# Wiki\n\n".to_owned();
        self.walk(&mut |entry, depth| {
            let title = entry.title.replace(['[', ']'], " ");
            let indent = "  ".repeat(depth);
            let _ = writeln!(
                text,
                "{indent}- [{title}](wiki/{}{})",
                entry.slug, self.query
            );
        });
        text
    }

    /// The tree as links relative to the page of this article, or of the titles.
    fn tree(&self, current: Option<&str>) -> String {
        let folder = if current.is_some() { "" } else { "wiki/" };
        let mut text = String::new();
        let mut open = 0;
        self.walk(&mut |entry, depth| {
            let lists = (depth + 1).min(DEEPEST);
            text.push_str(&"<ul>".repeat(lists.saturating_sub(open)));
            text.push_str(&"</ul>".repeat(open.saturating_sub(lists)));
            open = lists;
            let is_current = current == Some(entry.slug.as_str());
            let mark = if is_current {
                " aria-current=\"page\""
            } else {
                ""
            };
            let (slug, title) = (&entry.slug, escaped(&entry.title));
            let _ = writeln!(
                text,
                "<li><a href=\"{folder}{slug}{}\"{mark}>{title}</a>",
                self.query
            );
        });
        text.push_str(&"</ul>".repeat(open));
        text
    }
}

/// The page of an article, or of the titles alone.
pub(super) fn page(titles: &Titles, slug: Option<&str>, article: Option<&Article>) -> String {
    let (title, body) = match (slug, article) {
        (_, Some(article)) => (
            article.title.as_str(),
            rendered(&article.content, &titles.query),
        ),
        (Some(_), None) => (
            "No such article",
            "<p>No published article has this address.</p>".to_owned(),
        ),
        (None, None) if titles.entries.is_empty() => {
            ("Wiki", "<p>Nothing is published here yet.</p>".to_owned())
        }
        (None, None) => ("Wiki", titles.tree(None)),
    };
    // Many articles begin with their title.
    let heading = match body.starts_with("<h1>") {
        true => String::new(),
        false => format!("<h1>{}</h1>\n", escaped(title)),
    };
    // On a phone all titles come after the article.
    let nav = slug.map_or(String::new(), |slug| {
        format!("<nav>{}</nav>\n", titles.tree(Some(slug)))
    });
    TEMPLATE.document(title, &format!("<main>\n{heading}{body}\n</main>\n{nav}"))
}

/// Markdown as HTML without anything that a browser would run. Links to other articles keep the query.
fn rendered(markdown: &str, query: &str) -> String {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES;
    let mut text = String::with_capacity(markdown.len() * 2);
    html::push_html(&mut text, Parser::new_ext(markdown, options));
    Builder::default()
        .url_schemes(["http", "https", "mailto"].into())
        .url_relative(UrlRelative::Custom(Box::new(with_query(query))))
        .clean(&text)
        .to_string()
}

/// Ends addresses of other articles with this.
fn with_query(query: &str) -> impl for<'a> Fn(&'a str) -> Option<Cow<'a, str>> + use<> {
    let query = query.to_owned();
    move |address| match address.contains(['/', '?', '#']) {
        true => Some(Cow::Borrowed(address)),
        false => Some(Cow::Owned(format!("{address}{query}"))),
    }
}

/// What a browser may load for a page: its own style and pictures.
pub(super) fn policy() -> String {
    TEMPLATE.policy("img-src https:; form-action 'none'")
}
