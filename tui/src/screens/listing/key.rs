//! What records are sorted by.

use std::cmp::Ordering;

use jiff::Timestamp;
use jiff::civil::Date;

use crate::ui::text::fold;

/// What a record is sorted by. In one column all have the same kind; nothing comes first.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key<'a> {
    /// As it is written.
    Text(Option<&'a str>),
    /// Without case and accents.
    Folded(String),
    Number(usize),
    Amount(Option<Amount>),
    Date(Option<Date>),
    Time(Option<Timestamp>),
}

impl Key<'_> {
    /// A text for people, whose case and accents do not matter.
    pub(crate) fn folded(text: &str) -> Self {
        Key::Folded(fold(text))
    }

    /// An amount of money.
    pub(crate) fn amount(amount: Option<f64>) -> Self {
        Key::Amount(amount.map(Amount))
    }
}

/// An amount of money.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Amount(f64);

impl Ord for Amount {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Amount {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Amount {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Amount {}
