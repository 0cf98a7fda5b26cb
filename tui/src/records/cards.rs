//! How records are shown as the cards of a board.

use std::borrow::Cow;

use super::record::Record;
use crate::app::input::command::Context;
use crate::app::shared::Shared;
use crate::fields::cell::Cell;

/// How records are shown as cards.
#[derive(Debug, Clone)]
pub(crate) struct Cards {
    /// The field that determines the column.
    pub(crate) field: &'static str,
    /// The columns, from left to right.
    pub(crate) lanes: Cow<'static, [Lane]>,
    /// Height of a card in lines.
    pub(crate) lines: u16,
    /// The lines of a card, given the badge of its value.
    pub(crate) card: fn(&Record, &str, &Shared) -> Vec<Cell>,
    /// The context of the board's commands; its parent is [`BOARD`].
    pub(crate) context: &'static Context,
}

/// A column of a board.
#[derive(Debug, Clone)]
pub(crate) struct Lane {
    title: Cow<'static, str>,
    /// The field values of this column in the order of progress, each with a distinct badge.
    words: Cow<'static, [Word]>,
}

/// A field value and the badge of its cards.
pub(super) type Word = (&'static str, &'static str);

impl Lane {
    /// A column with these values and badges.
    pub(crate) const fn new(title: &'static str, words: &'static [Word]) -> Self {
        Lane {
            title: Cow::Borrowed(title),
            words: Cow::Borrowed(words),
        }
    }

    /// A column with one value.
    pub(super) fn of(title: String, word: &'static str) -> Self {
        Lane {
            title: title.into(),
            words: vec![(word, "")].into(),
        }
    }

    /// The field values of this column.
    pub(super) fn words(&self) -> &[Word] {
        &self.words
    }

    /// The title of the column.
    pub(crate) fn title(&self) -> &str {
        &self.title
    }

    /// The badge for a value, if it belongs to this column.
    pub(crate) fn badge(&self, word: &str) -> Option<&'static str> {
        let mut words = self.words.iter();
        words.find(|(one, _)| *one == word).map(|(_, badge)| *badge)
    }
}
