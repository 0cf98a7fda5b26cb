//! Occurrences of a series: their content and their months.

use std::ops::Range;

use frontdesk_protocol::work::occurrence::Occurrence;
use ratatui::style::Style;

use crate::look::locale::Language;
use crate::look::theme::Theme;

/// The content of an occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Carries {
    /// Transcript text and its id.
    Both,
    /// Transcript text without an id; it prevents a removal.
    TextOnly,
    /// An id without the transcript's text.
    IdOnly,
    /// Nothing.
    Nothing,
}

impl Carries {
    /// All kinds, the most complete first.
    pub(super) const ALL: [Carries; 4] = [
        Carries::Both,
        Carries::TextOnly,
        Carries::IdOnly,
        Carries::Nothing,
    ];

    /// The content of this occurrence.
    pub(super) fn of(occurrence: &Occurrence) -> Carries {
        match (
            occurrence.has_transcript,
            occurrence.transcriber_transcript_id.is_some(),
        ) {
            (true, true) => Carries::Both,
            (true, false) => Carries::TextOnly,
            (false, true) => Carries::IdOnly,
            (false, false) => Carries::Nothing,
        }
    }

    /// The glyph; one cell.
    pub(super) const fn glyph(self) -> &'static str {
        match self {
            Carries::Both => "●",
            Carries::TextOnly => "!",
            Carries::IdOnly => "◐",
            Carries::Nothing => "○",
        }
    }

    pub(super) const fn words(self) -> &'static str {
        match self {
            Carries::Both => "text and id",
            Carries::TextOnly => "text without id",
            Carries::IdOnly => "id without text",
            Carries::Nothing => "empty",
        }
    }

    pub(super) const fn style(self, theme: &Theme) -> Style {
        match self {
            Carries::Both => theme.good,
            Carries::TextOnly => theme.warn,
            Carries::IdOnly => theme.base,
            Carries::Nothing => theme.dim,
        }
    }
}

/// The occurrences of one month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Month {
    pub(super) year: i16,
    pub(super) month: i8,
    /// Their indexes among all occurrences.
    pub(super) occurrences: Range<usize>,
}

impl Month {
    /// "March 2025".
    pub(super) fn title(&self, language: &Language) -> String {
        format!("{} {}", language.month(self.month, false), self.year)
    }

    /// "Mar 2025".
    pub(super) fn short(&self, language: &Language) -> String {
        format!("{} {}", language.month(self.month, true), self.year)
    }
}

/// The months of occurrences sorted by date, without empty ones.
pub(super) fn months(occurrences: &[Occurrence]) -> Vec<Month> {
    let mut months: Vec<Month> = Vec::new();
    for (at, occurrence) in occurrences.iter().enumerate() {
        let (year, month) = (
            occurrence.occurrence_date.year(),
            occurrence.occurrence_date.month(),
        );
        match months.last_mut() {
            Some(last) if (last.year, last.month) == (year, month) => {
                last.occurrences.end = at + 1;
            }
            _ => months.push(Month {
                year,
                month,
                occurrences: at..at + 1,
            }),
        }
    }
    months
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::look::locale::ENGLISH;
    use crate::testing::{series, with};

    #[test]
    fn occurrences_fall_into_their_months() {
        let mut parent = series(1, "Retro", "2025-01-01");
        for day in [
            date(2024, 12, 30),
            date(2025, 1, 6),
            date(2025, 1, 13),
            date(2025, 12, 29),
        ] {
            parent = with(parent, day, "held", false, None);
        }
        let occurrences = parent.occurrences.unwrap_or_default();
        let months: Vec<(String, Range<usize>)> = months(&occurrences)
            .into_iter()
            .map(|month| (month.title(ENGLISH), month.occurrences))
            .collect();
        assert_eq!(
            months,
            [
                ("December 2024".to_owned(), 0..1),
                ("January 2025".to_owned(), 1..3),
                ("December 2025".to_owned(), 3..4),
            ]
        );
    }

    #[test]
    fn what_is_carried_has_a_glyph_and_words_of_its_own() {
        for one in Carries::ALL {
            for other in Carries::ALL {
                assert_eq!(one == other, one.glyph() == other.glyph());
                assert_eq!(one == other, one.words() == other.words());
            }
        }
    }
}
