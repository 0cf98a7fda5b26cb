//! What records are sorted by.

use jiff::Timestamp;

use crate::ui::text::fold;

/// What a record is sorted by. In one column all have the same kind; nothing comes first.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key<'a> {
    /// As it is written.
    Text(Option<&'a str>),
    /// Without case and accents.
    Folded(String),
    Number(usize),
    Time(Option<Timestamp>),
}

impl Key<'_> {
    /// A text for people, whose case and accents do not matter.
    pub(crate) fn folded(text: &str) -> Self {
        Key::Folded(fold(text))
    }
}
