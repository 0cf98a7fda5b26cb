//! A list with a search field, shared by the layers that offer a choice.

use std::cmp::Reverse;

use crossterm::event::KeyEvent;
use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::app::cx::Cx;
use crate::app::shared::Shared;
use crate::look::text::fold;
use crate::look::theme::Theme;
use crate::ui::input::Input;
use crate::ui::table::{self, Column, Row};

/// The search text, its matches, and the selection.
#[derive(Debug)]
pub(crate) struct SearchList<T> {
    search: Input,
    found: Vec<T>,
    selected: Option<T>,
    /// Whether the user moved the selection; otherwise it is the first match.
    is_chosen: bool,
    /// Whether the first match is loose.
    is_loose: bool,
}

impl<T: Copy + PartialEq> SearchList<T> {
    /// An empty list.
    pub(crate) fn new() -> Self {
        SearchList {
            search: Input::line(""),
            found: Vec::new(),
            selected: None,
            is_chosen: false,
            is_loose: false,
        }
    }

    /// The search text.
    pub(crate) fn text(&self) -> String {
        self.search.text()
    }

    /// Handles a key in the search field. Returns whether the text changed.
    pub(crate) fn key(&mut self, key: KeyEvent) -> bool {
        let before = self.search.text();
        let is_other = self.search.key(key) && self.search.text() != before;
        self.is_chosen &= !is_other;
        is_other
    }

    /// Pastes text into the search field, and says so if its lines were joined.
    pub(crate) fn paste(&mut self, cx: &mut Cx, text: &str) {
        self.search.paste_here(cx, text);
        self.is_chosen = false;
    }

    /// Moves the selection by this many rows.
    pub(crate) fn step(&mut self, by: isize) {
        self.selected = table::step(&self.found, self.selected, by);
        self.is_chosen = true;
    }

    /// The matches.
    pub(crate) fn found(&self) -> &[T] {
        &self.found
    }

    /// The selected match.
    pub(crate) fn selected(&self) -> Option<T> {
        self.selected
    }

    /// Shows these matches. The previous selection is kept if the user moved to it; otherwise the
    /// first one is selected.
    pub(crate) fn show(&mut self, found: Vec<T>, before: Option<T>) {
        let stays = before.filter(|before| self.is_chosen && found.contains(before));
        self.selected = stays.or(found.first().copied());
        self.found = found;
    }

    /// Shows the entries that match the search text: those with the text as their first word, then
    /// the best. Without a text all match in their order.
    pub(crate) fn find(&mut self, all: impl Iterator<Item = (String, T)>, before: Option<T>) {
        let mut matcher = Matcher::new(Config::DEFAULT);
        let text = self.search.text();
        let pattern = Pattern::parse(&text, CaseMatching::Ignore, Normalization::Smart);
        let mut buffer = Vec::new();
        let typed = text.trim().to_lowercase();
        let mut found: Vec<((bool, u32), T)> = all
            .filter_map(|(words, one)| {
                let score = pattern.score(letters(&words, &mut buffer), &mut matcher)?;
                let first = words.split(|c: char| !c.is_alphanumeric()).next();
                let is_word = first.is_some_and(|first| first.to_lowercase() == typed);
                Some(((is_word, score), one))
            })
            .collect();
        found.sort_by_key(|(score, _)| Reverse(*score));
        self.show(found.into_iter().map(|(_, one)| one).collect(), before);
    }

    /// The same for entries in groups, the lowest first. Loose matches come last, in their groups, and none of them is
    /// selected by itself: those without each typed word at the beginning of one of theirs. Where the letters are only
    /// scattered over the words, and in the last group, they are left out. Of the others, those with the text as their
    /// first word come first, then those that begin with it, unless they are in the last group.
    ///
    /// `elsewhere` are the groups of entries that the hosts found for the text: they come after those with words.
    pub(crate) fn find_in_groups(
        &mut self,
        all: impl Iterator<Item = (u8, String, T)>,
        elsewhere: &[u8],
        last: u8,
        before: Option<T>,
    ) {
        let mut matcher = Matcher::new(Config::DEFAULT);
        let text = self.search.text();
        let pattern = Pattern::parse(&text, CaseMatching::Ignore, Normalization::Smart);
        let mut buffer = Vec::new();
        let typed = fold(&text);
        let mut found: Vec<_> = all
            .filter_map(|(group, words, one)| {
                let score = pattern.score(letters(&words, &mut buffer), &mut matcher)?;
                let words = fold(&words);
                let mut parts = typed.split_whitespace();
                let is_loose = !parts.clone().all(|part| begins_word(&words, part));
                let is_scattered = !parts.all(|part| words.contains(part));
                let first = words.split(|c: char| !c.is_alphanumeric()).next();
                let is_other = first != Some(typed.trim()) || elsewhere.contains(&group);
                let is_later = !words.starts_with(typed.trim()) || elsewhere.contains(&group);
                let is_last = group == last;
                if is_scattered || is_loose && is_last {
                    return None;
                }
                let order = (is_other, is_later, group, Reverse(score));
                Some(((is_loose, is_last, order), one))
            })
            .collect();
        found.sort_by_key(|(rank, _)| *rank);
        self.is_loose = found.first().is_none_or(|((is_loose, ..), _)| *is_loose);
        self.show(found.into_iter().map(|(_, one)| one).collect(), before);
        if self.is_loose && !self.is_chosen {
            self.selected = None;
        }
    }

    /// Whether nothing matches, or only loosely.
    pub(crate) fn is_loose(&self) -> bool {
        self.is_loose
    }

    /// Draws the search field.
    pub(crate) fn draw_field(&self, theme: &Theme, frame: &mut Frame, area: Rect) {
        let style = Style::new().underlined();
        self.search.draw_search(theme, frame, area, style, true);
    }

    /// Draws the matches.
    pub(crate) fn draw_rows(
        &self,
        shared: &Shared,
        frame: &mut Frame,
        area: Rect,
        columns: &[Column],
        row: impl Fn(T) -> Row,
    ) {
        let mut found = self.found.iter();
        let at = found.position(|one| Some(*one) == self.selected);
        table::draw(frame, area, shared, columns, self.found.len(), at, |at| {
            row(self.found[at])
        });
    }
}

/// A text to search in. Graphemes are not told apart, which takes most of the time.
pub(crate) fn letters<'a>(text: &'a str, buffer: &'a mut Vec<char>) -> Utf32Str<'a> {
    if text.is_ascii() {
        return Utf32Str::Ascii(text.as_bytes());
    }
    buffer.clear();
    buffer.extend(text.chars());
    Utf32Str::Unicode(buffer)
}

/// Whether one of the words begins with this.
fn begins_word(words: &str, part: &str) -> bool {
    words.match_indices(part).any(|(at, _)| {
        let before = words[..at].chars().next_back();
        before.is_none_or(|before| !before.is_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::with_cx;

    #[test]
    fn what_one_moved_to_stays_selected_until_one_types_on() {
        let mut list = SearchList::new();
        list.show(vec![1, 2, 3], None);
        assert_eq!(list.selected(), Some(1));
        // The first one was not chosen by the user.
        list.show(vec![0, 1, 2], Some(1));
        assert_eq!(list.selected(), Some(0));
        list.step(2);
        list.show(vec![3, 2, 1], Some(2));
        assert_eq!(list.selected(), Some(2));
        with_cx(|cx| list.paste(cx, "x"));
        list.show(vec![3, 2], Some(2));
        assert_eq!(list.selected(), Some(3));
    }

    #[test]
    fn what_fits_best_comes_first() {
        let mut list = SearchList::new();
        let all =
            || [("up and down over", 1), ("undo", 2)].map(|(words, one)| (words.to_owned(), one));
        list.find(all().into_iter(), None);
        assert_eq!(list.found(), [1, 2]);
        with_cx(|cx| list.paste(cx, "undo"));
        list.find(all().into_iter(), None);
        assert_eq!(list.found(), [2, 1]);
    }
}
