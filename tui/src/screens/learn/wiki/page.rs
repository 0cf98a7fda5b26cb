//! An article on screen: its Markdown in lines, with a selected link.

use std::cell::RefCell;
use std::sync::Arc;

use crate::look::theme::Theme;
use crate::ui::markdown::{self, Page};

/// The scroll position and the selected link of an article.
#[derive(Debug, Default)]
pub(super) struct Shown {
    top: usize,
    link: Option<usize>,
    made: RefCell<Option<Made>>,
}

/// The lines for one width and selected link.
#[derive(Debug)]
struct Made {
    width: usize,
    link: Option<usize>,
    page: Arc<Page>,
}

impl Shown {
    /// Forgets the lines after a change of the text.
    pub(super) fn renew(&mut self) {
        self.made.take();
    }

    /// The lines of this Markdown, at most this wide.
    pub(super) fn page(&self, text: &str, width: usize, theme: &Theme) -> Arc<Page> {
        let mut made = self.made.borrow_mut();
        match made.as_ref() {
            Some(made) if made.width == width && made.link == self.link => Arc::clone(&made.page),
            _ => {
                let link = self.link;
                let page = Arc::new(markdown::page(text, width, theme, link));
                *made = Some(Made {
                    width,
                    link,
                    page: Arc::clone(&page),
                });
                page
            }
        }
    }

    /// The first visible line.
    pub(super) fn top(&self) -> usize {
        self.top
    }

    /// Scrolls by lines.
    pub(super) fn step(&mut self, page: &Page, height: usize, by: isize) {
        let last = page.lines.len().saturating_sub(height);
        self.top = self.top.saturating_add_signed(by).min(last);
    }

    /// Selects the next or previous link; without a selection, the first visible one.
    pub(super) fn step_link(&mut self, page: &Page, height: usize, by: isize) {
        let number = page.links.len();
        if number == 0 {
            return;
        }
        let link = match self.link {
            Some(link) => link.wrapping_add_signed(by).wrapping_add(number) % number,
            None => {
                let mut links = page.links.iter();
                links.position(|(_, line)| *line >= self.top).unwrap_or(0)
            }
        };
        self.link = Some(link);
        let (_, line) = page.links[link];
        if !(self.top..self.top + height).contains(&line) {
            self.top = line.saturating_sub(height / 2);
        }
    }

    /// The target of the selected link, or of the only one.
    pub(super) fn link<'a>(&self, page: &'a Page) -> Option<&'a str> {
        let only = (page.links.len() == 1).then_some(0);
        let (to, _) = page.links.get(self.link.or(only)?)?;
        Some(to)
    }
}

/// The target of a link.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Leads {
    /// The article with this slug.
    Article(String),
    /// A page outside the wiki.
    Out(String),
    /// A place in the same article.
    Here,
}

/// The target of this link. Links between articles contain the slug, with or without the path of
/// the wiki's pages around it.
pub(super) fn leads(link: &str) -> Leads {
    let is_address = link.split_once(':').is_some_and(|(scheme, _)| {
        scheme
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter))
    });
    if is_address || link.starts_with("//") {
        return Leads::Out(link.to_owned());
    }
    let path = link.split(['#', '?']).next().unwrap_or_default();
    let slug = path.rsplit('/').find(|part| !part.is_empty());
    match slug {
        Some(slug) => Leads::Article(slug.trim_end_matches(".md").to_owned()),
        None => Leads::Here,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_an_article_or_out() {
        let article = |slug: &str| Leads::Article(slug.to_owned());
        for link in [
            "keys",
            "/learn/wiki/keys",
            "./keys",
            "../keys.md",
            "keys#lost",
            "keys/",
        ] {
            assert_eq!(leads(link), article("keys"), "{link}");
        }
        for link in [
            "https://example.org/keys",
            "mailto:a@example.org",
            "//example.org/x",
        ] {
            assert_eq!(leads(link), Leads::Out(link.to_owned()));
        }
        assert_eq!(leads("#lost"), Leads::Here);
    }
}
