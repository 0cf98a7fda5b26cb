//! Renders Markdown as lines with `pulldown-cmark`. Text is made safe to draw, and the target of a
//! link is always written out.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation;

use crate::look::text::{cells, clean};
use crate::look::theme::Theme;

/// Whether the line is probably Markdown syntax.
fn is_block(line: &str) -> bool {
    let line = line.trim_start();
    let hashes = line.len() - line.trim_start_matches('#').len();
    let is_heading = (1..=6).contains(&hashes) && line[hashes..].starts_with(' ');
    is_heading || line.starts_with("```") || line.starts_with("> ") || line.starts_with("| ")
}

fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    let digits = line.len()
        - line
            .trim_start_matches(|char: char| char.is_ascii_digit())
            .len();
    line.starts_with("- ")
        || line.starts_with("* ")
        || (digits > 0 && line[digits..].starts_with(". "))
}

/// The beginning of a text that decides whether it is Markdown, in bytes.
const DECIDES: usize = 20_000;

/// Whether the text is probably Markdown.
pub(crate) fn is_markdown(text: &str) -> bool {
    let text = &text[..text.floor_char_boundary(DECIDES)];
    let has_pair = |sign: &str| text.split(sign).nth(2).is_some();
    text.lines().any(is_block)
        || text.lines().filter(|line| is_item(line)).count() > 1
        || text.contains("](http")
        || has_pair("**")
        || has_pair("`")
}

/// The lines of a text, and its links.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub(crate) lines: Vec<Line<'static>>,
    /// The target of each link, and the line in which it begins.
    pub(crate) links: Vec<(String, usize)>,
}

/// The lines of this Markdown text at this width.
pub(crate) fn lines(text: &str, width: usize, theme: &Theme) -> Vec<Line<'static>> {
    page(text, width, theme, None).lines
}

/// The lines and links, with the link at this index emphasised.
pub(crate) fn page(text: &str, width: usize, theme: &Theme, selected: Option<usize>) -> Page {
    let mut page = Writing {
        found: Vec::new(),
        selected,
        width: width.max(16),
        theme,
        lines: Vec::new(),
        line: Vec::new(),
        used: 0,
        indents: Vec::new(),
        lists: Vec::new(),
        styles: vec![Style::new()],
        links: Vec::new(),
        is_code: false,
        cells: 0,
    };
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS | Options::ENABLE_STRIKETHROUGH;
    for event in Parser::new_ext(text, options) {
        page.event(event);
    }
    page.end_line();
    while page.lines.last().is_some_and(|line| line.spans.is_empty()) {
        page.lines.pop();
    }
    Page {
        lines: page.lines,
        links: page.found,
    }
}

/// The state of the renderer.
struct Writing<'a> {
    /// The links so far, each with its line.
    found: Vec<(String, usize)>,
    /// The emphasised link.
    selected: Option<usize>,
    width: usize,
    theme: &'a Theme,
    lines: Vec<Line<'static>>,
    line: Vec<Span<'static>>,
    /// The used width of the current line.
    used: usize,
    /// The prefixes of each line, for quotations and lists, outermost first. The mark of a list
    /// item is written once.
    indents: Vec<Indent>,
    /// The next number of each open list, if it is numbered.
    lists: Vec<Option<u64>>,
    styles: Vec<Style>,
    links: Vec<String>,
    is_code: bool,
    /// The width of the current table row.
    cells: usize,
}

struct Indent {
    mark: Option<String>,
    rest: String,
}

impl Writing<'_> {
    fn event(&mut self, event: Event) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) if self.is_code => self.code(&text),
            Event::Text(text) => self.words(&text, self.style()),
            Event::Code(text) => self.words(&text, self.style().patch(self.theme.key)),
            Event::Html(text) | Event::InlineHtml(text) => self.words(&text, self.theme.dim),
            Event::SoftBreak => self.words(" ", self.style()),
            Event::HardBreak => self.end_line(),
            Event::Rule => {
                self.words("―――", self.theme.dim);
                self.end_block();
            }
            Event::TaskListMarker(is_done) => {
                self.words(if is_done { "[x] " } else { "[ ] " }, self.style());
            }
            Event::FootnoteReference(_) | Event::InlineMath(_) | Event::DisplayMath(_) => {}
        }
    }

    fn start(&mut self, tag: Tag) {
        match tag {
            Tag::Heading { level, .. } => {
                let style = self.theme.title;
                let style = match level {
                    HeadingLevel::H1 => style.add_modifier(Modifier::UNDERLINED),
                    _ => style,
                };
                self.push_style(style);
            }
            Tag::BlockQuote(_) => self.indents.push(Indent {
                mark: None,
                rest: "│ ".to_owned(),
            }),
            Tag::CodeBlock(_) => {
                self.is_code = true;
                self.indents.push(Indent {
                    mark: None,
                    rest: "  ".to_owned(),
                });
            }
            Tag::List(first) => {
                self.end_line();
                self.lists.push(first);
            }
            Tag::Item => {
                let mark = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    _ => "• ".to_owned(),
                };
                self.indents.push(Indent {
                    rest: " ".repeat(cells(&mark)),
                    mark: Some(mark),
                });
            }
            Tag::Emphasis => self.push_style(Style::new().add_modifier(Modifier::ITALIC)),
            Tag::Strong => self.push_style(Style::new().add_modifier(Modifier::BOLD)),
            Tag::Strikethrough => self.push_style(Style::new().add_modifier(Modifier::CROSSED_OUT)),
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                let link = dest_url.into_string();
                let style = match self.selected == Some(self.found.len()) {
                    true => self.theme.selected,
                    false => Style::new().add_modifier(Modifier::UNDERLINED),
                };
                self.found.push((link.clone(), self.lines.len()));
                self.links.push(link);
                self.push_style(style);
            }
            Tag::TableHead => self.push_style(self.theme.title),
            Tag::TableRow => self.cells = 0,
            Tag::TableCell => {
                if self.cells > 0 {
                    self.words(" │ ", self.theme.dim);
                }
                self.cells += 1;
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph => match self.lists.is_empty() {
                true => self.end_block(),
                false => self.end_line(),
            },
            TagEnd::Heading(_) => {
                self.styles.pop();
                self.end_block();
            }
            TagEnd::BlockQuote(_) => {
                self.indents.pop();
                self.end_block();
            }
            TagEnd::CodeBlock => {
                self.is_code = false;
                self.indents.pop();
                self.end_block();
            }
            TagEnd::List(_) => {
                self.lists.pop();
                if self.lists.is_empty() {
                    self.end_block();
                }
            }
            TagEnd::Item => {
                self.end_line();
                self.indents.pop();
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => drop(self.styles.pop()),
            TagEnd::Link | TagEnd::Image => {
                self.styles.pop();
                let said = self.line.last().map(|span| span.content.to_string());
                if let Some(link) = self.links.pop()
                    && said.as_deref() != Some(link.as_str())
                {
                    self.words(&format!(" ({link})"), self.theme.dim);
                }
            }
            TagEnd::TableHead => {
                self.styles.pop();
                self.end_line();
                self.cells = 0;
            }
            TagEnd::TableRow => self.end_line(),
            TagEnd::Table | TagEnd::HtmlBlock => self.end_block(),
            _ => {}
        }
    }

    fn style(&self) -> Style {
        self.styles.last().copied().unwrap_or_default()
    }

    fn push_style(&mut self, style: Style) {
        self.styles.push(self.style().patch(style));
    }

    /// Writes words, wrapped.
    fn words(&mut self, text: &str, style: Style) {
        let text = clean(text);
        for word in text.split_word_bounds() {
            let width = cells(word);
            let is_space = word.chars().all(char::is_whitespace);
            if self.used + width > self.width && self.used > 0 {
                if is_space {
                    continue;
                }
                self.end_line();
            }
            let indents: usize = self.indents.iter().map(|indent| cells(&indent.rest)).sum();
            if is_space && self.used == 0 {
                continue;
            }
            match width > self.width.saturating_sub(indents) {
                // A word longer than a line, e.g. an address.
                true => self.letters(word, style),
                false => self.put(word.to_owned(), width, style),
            }
        }
    }

    /// Writes letters, wrapped.
    fn letters(&mut self, text: &str, style: Style) {
        for letter in text.graphemes(true) {
            let width = cells(letter);
            if self.used + width > self.width {
                self.end_line();
            }
            self.put(letter.to_owned(), width, style);
        }
    }

    fn code(&mut self, text: &str) {
        for line in text.trim_end_matches('\n').split('\n') {
            self.letters(&clean(line), self.theme.key);
            match line.is_empty() {
                true => self.lines.push(Line::default()),
                false => self.end_line(),
            }
        }
    }

    fn put(&mut self, text: String, width: usize, style: Style) {
        if self.used == 0 {
            for indent in &mut self.indents {
                let before = indent.mark.take().unwrap_or_else(|| indent.rest.clone());
                self.used += cells(&before);
                self.line.push(Span::styled(before, self.theme.dim));
            }
        }
        self.used += width;
        match self.line.last_mut().filter(|last| last.style == style) {
            Some(last) => last.content.to_mut().push_str(&text),
            None => self.line.push(Span::styled(text, style)),
        }
    }

    fn end_line(&mut self) {
        if let Some(last) = self.line.last_mut() {
            let end = last.content.trim_end().len();
            last.content.to_mut().truncate(end);
        }
        if !self.line.is_empty() {
            self.lines.push(Line::from(std::mem::take(&mut self.line)));
        }
        self.used = 0;
    }

    /// Blocks are separated by an empty line.
    fn end_block(&mut self) {
        self.end_line();
        if self.lines.last().is_some_and(|line| !line.spans.is_empty()) {
            self.lines.push(Line::default());
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    fn shown(text: &str, width: usize) -> String {
        let lines = lines(text, width, &Theme::default());
        let lines: Vec<String> = lines.iter().map(Line::to_string).collect();
        lines.join("\n")
    }

    #[test]
    fn blocks_stand_apart_and_lists_stand_in() {
        let text = "# Title\n\nSome *words* that are **longer** than the line is wide.\n\n- one with \
                    more words than fit\n  - inside\n- two\n\n1. first\n2. second\n\n> said\n\n```rust\nlet \
                    x  = 1;\n```\n\nSee [here](https://example.org).\n\n| a | b |\n|---|---|\n| 1 | 2 |";
        assert_snapshot!(shown(text, 32), @r"
        Title

        Some words that are longer than
        the line is wide.

        • one with more words than fit
          • inside
        • two

        1. first
        2. second

        │ said

          let x  = 1;

        See here (https://example.org).

        a │ b
        1 │ 2
        ");
    }

    #[test]
    fn nothing_in_it_reaches_the_terminal() {
        let evil = "a \u{1b}[31mred\u{1b}[0m `\u{9b}2J` \u{202e}b";
        let text = shown(evil, 40);
        assert!(!text.chars().any(crate::look::text::is_unsafe), "{text:?}");
    }

    #[test]
    fn a_word_without_end_goes_on_below() {
        let text = shown(&format!("- {}", "x".repeat(40)), 20);
        assert!(text.lines().all(|line| cells(line) <= 20), "{text}");
        assert_eq!(text.matches('x').count(), 40);
    }

    #[test]
    fn what_is_no_markdown_is_left_alone() {
        for text in [
            "# Title\n\ntext",
            "- a\n- b",
            "is **bold**",
            "`code`",
            "[a](https://b)",
        ] {
            assert!(is_markdown(text), "{text}");
        }
        for text in [
            "a text",
            "#1 of 5",
            "- one",
            "2 * 3 * 4",
            "a\nb\nc",
            "1. e4 e5",
            "",
        ] {
            assert!(!is_markdown(text), "{text}");
        }
    }
}
