//! The pages of the public wiki. They need no script, and load only pictures from other addresses.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::LazyLock;

use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::markdown::html;
use crate::page::{Template, escaped};
use crate::permits::Permit;

const TEMPLATE: Template = Template {
    // The language differs from article to article.
    lang: None,
    style: "\
:root{color-scheme:light dark}body{font:1.05rem/1.6 system-ui,sans-serif;margin:0;color:#222;background:#fff;overflow-wrap:break-word}\
header,main,nav{box-sizing:border-box;padding:1rem 1.2rem 0;max-width:46rem}\
nav{font-size:.95rem}nav ul{list-style:none;margin:0;padding-left:1rem}\
[aria-current]{font-weight:bold}\
a{color:#0550ae}img{max-width:100%}table{overflow-x:auto;display:block}\
pre{background:#f2f2f2;padding:.6rem;white-space:pre-wrap}code{font-family:ui-monospace,monospace}\
td,th{border:1px solid #999;padding:.2rem .6rem;text-align:left}table{border-collapse:collapse}\
blockquote{border-left:.25rem solid #999;margin-left:0;padding-left:1rem}\
@media(min-width:60rem){body:has(nav){display:grid;grid-template-columns:18rem minmax(0,46rem)}\
header{grid-column:1/3}details::details-content{content-visibility:visible;height:auto}\
@supports selector(::details-content){summary{display:none}}}\
@media(prefers-color-scheme:dark){body{color:#ddd;background:#111}a{color:#79b8ff}pre{background:#222}}",
};

/// The maximum nesting of the list of titles.
const DEEPEST: usize = 12;

/// An article in the tree of titles.
#[derive(Debug, Deserialize)]
pub(super) struct ArticleTitle {
    title: String,
    slug: String,
    /// The slug of the parent article, published or not.
    parent: Option<String>,
}

/// The titles of a wiki.
#[derive(Debug)]
pub(super) struct Titles {
    /// The heading of the titles' page, which names the organisation.
    name: String,
    entries: Vec<ArticleTitle>,
    /// The folder of the articles, from the page of titles.
    folder: String,
}

impl Titles {
    /// The titles of this organisation's wiki. `folder` is the last segment of the address of the titles.
    pub(super) fn new(name: &str, folder: &str, entries: Vec<ArticleTitle>) -> Self {
        Titles {
            name: format!("{name}: wiki"),
            entries,
            folder: format!("{folder}/"),
        }
    }

    /// Visits the articles from the top, each with its depth and before its children.
    fn walk(&self, visit: &mut dyn FnMut(&ArticleTitle, usize)) {
        let slugs: BTreeSet<&str> = self
            .entries
            .iter()
            .map(|entry| entry.slug.as_str())
            .collect();
        let mut below: BTreeMap<Option<&str>, Vec<&ArticleTitle>> = BTreeMap::new();
        for entry in self.entries.iter().rev() {
            // An article whose parent is not published is at the top level.
            let parent = entry.parent.as_deref().filter(|slug| slugs.contains(slug));
            below.entry(parent).or_default().push(entry);
        }
        let top = below.remove(&None).unwrap_or_default();
        let mut next: Vec<(&ArticleTitle, usize)> =
            top.into_iter().map(|entry| (entry, 0)).collect();
        while let Some((entry, depth)) = next.pop() {
            visit(entry, depth);
            let children = below.remove(&Some(entry.slug.as_str())).unwrap_or_default();
            next.extend(children.into_iter().map(|child| (child, depth + 1)));
        }
    }

    /// The tree as a Markdown list of links.
    pub(super) fn markdown(&self) -> String {
        let mut text = format!("# {}\n\n", self.name);
        self.walk(&mut |entry, depth| {
            let title = entry.title.replace(['[', ']'], " ");
            let indent = "  ".repeat(depth.min(DEEPEST));
            let _ = writeln!(text, "{indent}- [{title}]({}{})", self.folder, entry.slug);
        });
        text
    }

    /// Links from an article to the page of titles and the articles above it.
    fn way_back(&self, slug: &str) -> String {
        let find = |slug: &str| self.entries.iter().find(|entry| entry.slug == slug);
        let parent = |entry: &&ArticleTitle| entry.parent.as_deref().and_then(find);
        let above = std::iter::successors(find(slug).as_ref().and_then(parent), parent);
        let mut links: Vec<String> = above
            .take(DEEPEST)
            .map(|entry| link(&entry.slug, &entry.title))
            .collect();
        let home = format!("../{}", self.folder.trim_end_matches('/'));
        links.push(link(&home, &self.name));
        links.reverse();
        links.join(" › ")
    }

    /// The tree as links relative to the page of this article, or to the page of titles.
    fn tree(&self, current: Option<&str>) -> String {
        let folder = if current.is_some() { "" } else { &*self.folder };
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
            let _ = writeln!(text, "<li><a href=\"{folder}{slug}\"{mark}>{title}</a>");
        });
        text.push_str(&"</ul>".repeat(open));
        text
    }
}

fn link(address: &str, text: &str) -> String {
    format!("<a href=\"{address}\">{}</a>", escaped(text))
}

/// An article's text as HTML, or its source if it cannot be rendered.
pub(super) fn body(permit: &Permit, markdown: &str) -> String {
    html(permit, markdown).unwrap_or_else(|excess| {
        format!(
            "<p>This article {excess}, so its source is shown.</p>\n<pre>{}</pre>\n",
            escaped(markdown)
        )
    })
}

/// The page of an article with this title and body, or only the titles.
pub(super) fn page(titles: &Titles, slug: Option<&str>, article: Option<(&str, &str)>) -> String {
    page_in(&TEMPLATE, titles, slug, article)
}

/// A hash of everything that pages share. It changes with the style and with the HTML around and in articles.
pub(super) static LAYOUT: LazyLock<[u8; 32]> = LazyLock::new(|| layout(&TEMPLATE));

fn layout(template: &Template) -> [u8; 32] {
    let entry = |slug: &str, parent: Option<&str>| ArticleTitle {
        title: "Title".to_owned(),
        slug: slug.to_owned(),
        parent: parent.map(str::to_owned),
    };
    let titles = Titles::new(
        "Name",
        "wiki",
        vec![entry("a", None), entry("b", Some("a"))],
    );
    let body = body(&Permit::ALONE, SAMPLE);
    let pages = [
        page_in(template, &titles, Some("a"), Some(("Title", &body))),
        page_in(template, &titles, None, None),
        choice_in(template, "", &[("slug".to_owned(), "Name".to_owned())]),
    ];
    Sha256::digest(pages.concat() + env!("CARGO_PKG_VERSION")).into()
}

/// An article with one of each element.
const SAMPLE: &str = "Text *a* **b** ~~c~~ `d` [e](f) ![g](h) <kbd>i</kbd>[^1]\n\n\
     > Quote\n\n- List\n\n1. List\n\n|a|\n|-|\n|b|\n\n```x\ncode\n```\n\n***\n\n[^1]: Note\n";

fn page_in(
    template: &Template,
    titles: &Titles,
    slug: Option<&str>,
    article: Option<(&str, &str)>,
) -> String {
    let (title, body) = match (slug, article) {
        (_, Some((title, body))) => (title, Cow::Borrowed(body)),
        (Some(_), None) => (
            "No such article",
            "<p>No published article has this address.</p>".into(),
        ),
        (None, None) if titles.entries.is_empty() => (
            &*titles.name,
            "<p>Nothing is published here yet.</p>".into(),
        ),
        (None, None) => (&*titles.name, titles.tree(None).into()),
    };
    // Many articles begin with their title as a heading.
    let heading = match body.starts_with("<h1>") {
        true => String::new(),
        false => format!("<h1>{}</h1>\n", escaped(title)),
    };
    let main = format!("<main>\n{heading}{body}\n</main>\n");
    let Some(slug) = slug else {
        return template.document(title, &main);
    };
    // The tree is folded on small screens.
    let around = format!(
        "<header>{}</header>\n<nav aria-label=\"Contents\"><details><summary>Contents</summary>{}</details></nav>\n",
        titles.way_back(slug),
        titles.tree(Some(slug))
    );
    template.document(&format!("{title} – {}", titles.name), &(around + &main))
}

/// The page that names the organisations with a wiki, each with its slug and name. `folder` is the folder of the wikis
/// from the page.
pub(super) fn choice(folder: &str, wikis: &[(String, String)]) -> String {
    choice_in(&TEMPLATE, folder, wikis)
}

fn choice_in(template: &Template, folder: &str, wikis: &[(String, String)]) -> String {
    let items = wikis
        .iter()
        .map(|(slug, name)| format!("<li>{}\n", link(&format!("{folder}~{slug}"), name)));
    let list = match wikis {
        [] => "<p>Nothing is published here yet.</p>".to_owned(),
        _ => format!("<ul>{}</ul>", items.collect::<String>()),
    };
    template.document(
        "Wikis",
        &format!("<main>\n<h1>Wikis</h1>\n{list}\n</main>\n"),
    )
}

/// The content security policy: a page loads only its own style and pictures.
pub(super) fn policy() -> String {
    TEMPLATE.policy("img-src https:; form-action 'none'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layout_changes_with_the_style() {
        let other = Template {
            lang: None,
            style: "body{color:red}",
        };
        assert_eq!(*LAYOUT, layout(&TEMPLATE));
        assert_ne!(*LAYOUT, layout(&other));
    }
}
