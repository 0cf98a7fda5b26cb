//! Renders Markdown as safe HTML. The page contains no scripts, and rendering takes time and memory in proportion to
//! the text. Raw HTML is filtered tag by tag against a list and closed within its parent; it is never parsed as a
//! document.

use std::fmt::{self, Write};

use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, TagEnd, html};

use crate::page::escaped;
use crate::permits::Permit;

/// The maximum nesting of quotes, lists, emphasis, links and raw tags.
pub(crate) const DEEPEST: usize = 32;
/// The maximum size of the HTML in bytes.
const LONGEST: usize = 4 << 20;
/// The maximum size of a raw tag in bytes; a longer one is shown as text.
const LONGEST_TAG: usize = 1024;

/// The allowed raw tags.
const TAGS: &[&str] = &[
    "a",
    "abbr",
    "b",
    "bdi",
    "bdo",
    "blockquote",
    "br",
    "caption",
    "center",
    "cite",
    "code",
    "dd",
    "del",
    "details",
    "dfn",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "img",
    "ins",
    "kbd",
    "li",
    "mark",
    "ol",
    "p",
    "pre",
    "q",
    "rp",
    "rt",
    "ruby",
    "s",
    "samp",
    "small",
    "span",
    "strike",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "tt",
    "u",
    "ul",
    "var",
    "wbr",
];
/// The tags without an end tag.
const VOID: &[&str] = &["br", "hr", "img", "wbr"];
/// Tags whose content is dropped with them, because it is not readable text.
const HIDDEN: &[&str] = &[
    "iframe", "noscript", "script", "style", "template", "textarea", "title", "xmp",
];

/// Why a text is not rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Excess {
    #[error("must not nest quotes, lists, emphasis and tags more than {DEEPEST} levels deep")]
    Deep,
    #[error("must not make a page of more than 4 MB")]
    Long,
}

/// Renders the text as HTML.
///
/// # Errors
/// [`Excess`].
pub(crate) fn html(_: &Permit, markdown: &str) -> Result<String, Excess> {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES;
    let mut safe = Safe {
        events: Parser::new_ext(markdown, options),
        open: 0,
        levels: 0,
        raw: Vec::new(),
        block: None,
        next: None,
        is_too_deep: false,
    };
    let mut page = Bounded(String::with_capacity(markdown.len() * 2));
    let written = html::write_html_fmt(&mut page, &mut safe);
    match (safe.is_too_deep, written) {
        (true, _) => Err(Excess::Deep),
        (false, Err(_)) => Err(Excess::Long),
        (false, Ok(())) => Ok(page.0),
    }
}

/// The HTML, up to [`LONGEST`] bytes.
struct Bounded(String);

impl Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > LONGEST {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

/// The events of a text, with filtered addresses and raw tags.
struct Safe<'a> {
    events: Parser<'a>,
    /// The number of open elements.
    open: usize,
    /// The number of open elements and raw tags that count as levels.
    levels: usize,
    /// The open raw tags, each with the number of elements open before it.
    raw: Vec<(&'static str, usize)>,
    /// The raw HTML block read so far.
    block: Option<String>,
    /// The event to return next.
    next: Option<Event<'a>>,
    is_too_deep: bool,
}

impl<'a> Iterator for Safe<'a> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
        loop {
            if self.is_too_deep {
                return None;
            }
            if let Some(next) = self.next.take() {
                return Some(next);
            }
            let Some(event) = self.events.next() else {
                self.open = 0;
                return self.closed().map(html_event);
            };
            match event {
                Event::Start(Tag::HtmlBlock) => self.block = Some(String::new()),
                Event::End(TagEnd::HtmlBlock) => {
                    let block = self.block.take().unwrap_or_default();
                    return Some(html_event(self.tags(&block)));
                }
                Event::Html(text) | Event::InlineHtml(text) => match &mut self.block {
                    Some(block) => block.push_str(&text),
                    None => return Some(html_event(self.tags(&text))),
                },
                Event::Start(tag) => {
                    self.open += 1;
                    self.go_down(usize::from(is_level(&tag.to_end())));
                    return Some(self.start(tag));
                }
                Event::End(tag) => {
                    let closed = self.closed();
                    self.open -= 1;
                    self.levels -= usize::from(is_level(&tag));
                    let end = Event::End(tag);
                    let Some(closed) = closed else {
                        return Some(end);
                    };
                    self.next = Some(end);
                    return Some(html_event(closed));
                }
                event => return Some(event),
            }
        }
    }
}

fn html_event<'a>(html: String) -> Event<'a> {
    Event::Html(CowStr::from(html))
}

/// Whether an element counts as a level.
fn is_level(tag: &TagEnd) -> bool {
    matches!(
        tag,
        TagEnd::BlockQuote(_)
            | TagEnd::List(_)
            | TagEnd::FootnoteDefinition
            | TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Link
            | TagEnd::Image
    )
}

impl<'a> Safe<'a> {
    fn go_down(&mut self, levels: usize) {
        self.levels += levels;
        self.is_too_deep |= self.levels > DEEPEST;
    }

    /// The start of an element, without an unsafe address.
    fn start(&self, tag: Tag<'a>) -> Event<'a> {
        match tag {
            Tag::Link {
                link_type,
                dest_url,
                title,
                id,
            } if link_type != LinkType::Email => match is_safe(&dest_url) {
                true => Event::Start(Tag::Link {
                    link_type,
                    dest_url,
                    title,
                    id,
                }),
                false => html_event("<a>".to_owned()),
            },
            Tag::Image {
                link_type,
                dest_url,
                title,
                id,
            } => Event::Start(Tag::Image {
                link_type,
                dest_url: match is_safe(&dest_url) {
                    true => dest_url,
                    false => CowStr::Borrowed(""),
                },
                title,
                id,
            }),
            tag => Event::Start(tag),
        }
    }

    /// The end tags of the raw tags within the innermost open element.
    fn closed(&mut self) -> Option<String> {
        let mut ends = String::new();
        while let Some((name, _)) = self.raw.pop_if(|(_, open)| *open >= self.open) {
            self.levels -= 1;
            let _ = write!(ends, "</{name}>");
        }
        (!ends.is_empty()).then_some(ends)
    }

    /// Filters raw HTML: keeps the allowed tags and the text.
    fn tags(&mut self, raw: &str) -> String {
        let mut html = String::with_capacity(raw.len());
        let mut rest = raw;
        while let Some(at) = rest.find('<').filter(|_| !self.is_too_deep) {
            html.push_str(&escaped(&rest[..at]));
            rest = &rest[at..];
            if rest.starts_with("<!--") {
                rest = rest.find("-->").map_or("", |end| &rest[end + 3..]);
            } else if let Some(tag) = RawTag::read(rest) {
                rest = &rest[tag.text.len()..];
                if !tag.is_end && HIDDEN.contains(&&*tag.name) {
                    rest = after_end(rest, &tag.name);
                } else {
                    self.tag(&tag, &mut html);
                }
            } else {
                html.push_str("&lt;");
                rest = &rest[1..];
            }
        }
        html.push_str(&escaped(rest));
        html
    }

    fn tag(&mut self, tag: &RawTag<'_>, html: &mut String) {
        let Some(name) = TAGS.iter().copied().find(|name| *name == tag.name) else {
            return;
        };
        if tag.is_end {
            let here = |(open, at): &(&str, usize)| *open == name && *at == self.open;
            if let Some(from) = self.raw.iter().rposition(here) {
                for (open, _) in self.raw.drain(from..).rev() {
                    self.levels -= 1;
                    let _ = write!(html, "</{open}>");
                }
            }
            return;
        }
        let _ = write!(html, "<{name}");
        for (attribute, value) in tag.attributes() {
            let value = value.replace("&amp;", "&");
            let value = match (name, &*attribute) {
                ("a", "href") | ("img", "src") if is_safe(&value) => Some(&value),
                ("img", "alt") => Some(&value),
                ("img", "width" | "height") if value.bytes().all(|byte| byte.is_ascii_digit()) => {
                    Some(&value)
                }
                _ => None,
            };
            if let Some(value) = value {
                let _ = write!(html, " {attribute}=\"{}\"", escaped(value));
            }
        }
        html.push('>');
        if !VOID.contains(&name) {
            self.raw.push((name, self.open));
            self.go_down(1);
        }
    }
}

/// The text after this element's end tag; empty if there is none.
fn after_end<'t>(text: &'t str, name: &str) -> &'t str {
    let mut rest = text;
    while let Some(at) = rest.find("</") {
        rest = &rest[at + 2..];
        let is_end = rest.get(..name.len());
        if is_end.is_some_and(|end| end.eq_ignore_ascii_case(name)) {
            return rest.find('>').map_or("", |end| &rest[end + 1..]);
        }
    }
    ""
}

/// A raw tag as written.
struct RawTag<'t> {
    text: &'t str,
    /// In lower case.
    name: String,
    is_end: bool,
}

impl<'t> RawTag<'t> {
    /// Reads the tag at the start of the text.
    fn read(text: &'t str) -> Option<Self> {
        let inner = text.strip_prefix('<')?;
        let name = inner.strip_prefix('/').unwrap_or(inner);
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let length = name.find(|c| !is_of_name(c))?;
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic());
        let mut quote = None;
        let end = text.bytes().take(LONGEST_TAG).skip(1).position(|byte| {
            match (quote, byte) {
                (Some(open), _) if open == byte => quote = None,
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'>' | b'<') => return true,
                _ => {}
            }
            false
        });
        let text = &text[..end.filter(|_| is_name)? + 2];
        text.ends_with('>').then(|| RawTag {
            text,
            name: name[..length].to_ascii_lowercase(),
            is_end: inner.starts_with('/'),
        })
    }

    /// The attributes, with their names in lower case.
    fn attributes(&self) -> Vec<(String, &'t str)> {
        let inner = &self.text[1..self.text.len() - 1];
        let mut rest = inner.get(self.name.len()..).unwrap_or_default();
        let mut found = Vec::new();
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
            let ends_name = |c: char| c.is_ascii_whitespace() || c == '=' || c == '/';
            let (name, after) = rest.split_at(rest.find(ends_name).unwrap_or(rest.len()));
            let Some(value) = after.trim_ascii_start().strip_prefix('=') else {
                if name.is_empty() {
                    return found;
                }
                rest = after;
                continue;
            };
            let value = value.trim_ascii_start();
            let (value, after) = match value.chars().next().filter(|c| matches!(c, '"' | '\'')) {
                Some(quote) => value[1..].split_once(quote).unwrap_or((&value[1..], "")),
                None => value.split_at(
                    value
                        .find(|c: char| c.is_ascii_whitespace())
                        .unwrap_or(value.len()),
                ),
            };
            found.push((name.to_ascii_lowercase(), value));
            rest = after;
        }
    }
}

/// Whether a browser may open the address.
fn is_safe(address: &str) -> bool {
    let end = address.find([':', '/', '?', '#']);
    match end.map(|at| address.split_at(at)) {
        Some((scheme, rest)) if rest.starts_with(':') => ["http", "https", "mailto"]
            .iter()
            .any(|safe| scheme.eq_ignore_ascii_case(safe)),
        _ => true,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn laid_out(markdown: &str) -> String {
        html(&Permit::ALONE, markdown).unwrap().trim().to_owned()
    }

    #[test]
    fn a_raw_tag_ends_with_what_it_stands_in() {
        for (markdown, expected) in [
            ("a <b>b <i>c</b> d", "<p>a <b>b <i>c</i></b> d</p>"),
            ("<b>a\n\nb</b>", "<p><b>a</b></p>\n<p>b</p>"),
            ("*a <b>b* c</b>", "<p><em>a <b>b</b></em> c</p>"),
            ("a<br/>b<BR>c</br>", "<p>a<br>b<br>c</p>"),
            (
                "<details><summary>S</summary>\n\nText.\n\n</details>\n\nAfter.",
                "<details><summary>S</summary>\n<p>Text.</p>\n</details>\n<p>After.</p>",
            ),
            ("<div class=x>a", "<div>a</div>"),
        ] {
            assert_eq!(laid_out(markdown), expected, "{markdown}");
        }
    }

    #[test]
    fn addresses_and_pictures_keep_what_is_safe() {
        for (markdown, expected) in [
            ("[a](b)", "<p><a href=\"b\">a</a></p>"),
            (
                "<me@id.test>",
                "<p><a href=\"mailto:me@id.test\">me@id.test</a></p>",
            ),
            ("[a](java&#10;script:x)", "<p><a>a</a></p>"),
            ("[a](<\u{1}javascript:x>)", "<p><a>a</a></p>"),
            ("![a](data:x)", "<p><img src=\"\" alt=\"a\" /></p>"),
            (
                "<a HREF='https://id.test/?a=1&amp;b=\"' onclick=x>a</a>",
                "<p><a href=\"https://id.test/?a=1&amp;b=&quot;\">a</a></p>",
            ),
            (
                "<img src=https://id.test/x.png width=300 height=1px onerror = \"x\" alt>",
                "<img src=\"https://id.test/x.png\" width=\"300\">",
            ),
            ("<a href = javascript:x>a</a>", "<p><a>a</a></p>"),
        ] {
            assert_eq!(laid_out(markdown), expected, "{markdown}");
        }
    }

    #[test]
    fn what_is_for_browsers_alone_is_left_out() {
        for (markdown, expected) in [
            ("a <!-- b --> c", "<p>a  c</p>"),
            ("<script>alert(1)</script>b", "b"),
            ("<style>\nx\n", ""),
            ("<svg onload=x>a</svg>", "<p>a</p>"),
            ("1 < 2 & <3", "<p>1 &lt; 2 &amp; &lt;3</p>"),
        ] {
            assert_eq!(laid_out(markdown), expected, "{markdown}");
        }
    }

    #[test]
    fn depth_and_length_are_bounded() {
        for (level, deep) in [
            (">", DEEPEST),
            ("1. ", DEEPEST),
            ("<b>", DEEPEST),
            ("<div>\n", DEEPEST),
        ] {
            assert!(
                html(&Permit::ALONE, &(level.repeat(deep) + "a")).is_ok(),
                "{level}"
            );
            let deeper = level.repeat(deep + 1) + "a";
            assert_eq!(html(&Permit::ALONE, &deeper), Err(Excess::Deep), "{level}");
        }
        assert_eq!(
            html(&Permit::ALONE, &"* * *\n".repeat(10)).unwrap().len(),
            70
        );
        let long = "|a|\n|-|\n".to_owned() + &"|b|\n".repeat(LONGEST / 20);
        assert_eq!(html(&Permit::ALONE, &long), Err(Excess::Long));
    }
}
