//! A line of a tape: words, quoted texts and patterns, with their places.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use regex::{Regex, RegexBuilder};

use super::tape::{Place, TapeError};

/// A line that is read from left to right.
#[derive(Debug)]
pub(super) struct Line<'a> {
    file: Arc<Path>,
    number: usize,
    text: &'a str,
    /// Bytes that were read.
    at: usize,
}

impl<'a> Line<'a> {
    pub(super) fn new(file: &Arc<Path>, number: usize, text: &'a str) -> Line<'a> {
        Line {
            file: Arc::clone(file),
            number,
            text,
            at: 0,
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_blank(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// The place of what comes next.
    pub(super) fn place(&mut self) -> Place {
        self.skip_blank();
        Place {
            file: Arc::clone(&self.file),
            line: self.number,
            column: self.text[..self.at].chars().count() + 1,
        }
    }

    /// Whether nothing but a comment follows.
    pub(super) fn is_over(&mut self) -> bool {
        self.skip_blank();
        self.rest().is_empty() || self.rest().starts_with('#')
    }

    /// The text since a place on this line, without the blanks around it.
    pub(super) fn since(&self, place: &Place) -> &'a str {
        let text = &self.text[..self.at];
        let start = text.char_indices().nth(place.column - 1);
        start.map_or("", |(start, _)| text[start..].trim_end())
    }

    /// The next word, which ends before a blank; empty at the end.
    pub(super) fn word(&mut self) -> &'a str {
        if self.is_over() {
            return "";
        }
        let rest = self.rest();
        let word = rest.split(char::is_whitespace).next().unwrap_or(rest);
        self.at += word.len();
        word
    }

    /// The next word if it is a whole number.
    pub(super) fn number(&mut self) -> Option<usize> {
        let before = self.at;
        let number = self.word().parse().ok();
        if number.is_none() {
            self.at = before;
        }
        number
    }

    /// Whether a quoted text follows.
    pub(super) fn is_quoted(&mut self) -> bool {
        !self.is_over() && self.rest().starts_with(['"', '\'', '`'])
    }

    /// A quoted text, or a word. `what` names it in the error.
    pub(super) fn text(&mut self, what: &str) -> Result<String, TapeError> {
        let place = self.place();
        if self.is_over() {
            return Err(TapeError::at(&place, format!("{what} is missing")));
        }
        if !self.is_quoted() {
            return Ok(self.word().to_owned());
        }
        let quote = &self.rest()[..1];
        let text = self.delimited(&place, quote)?;
        Ok(text.to_owned())
    }

    /// A duration, which must follow.
    pub(super) fn duration(&mut self) -> Result<Duration, TapeError> {
        let place = self.place();
        let text = self.word();
        duration(text).ok_or_else(|| {
            let message = format!("`{text}` is not a duration; write it like 500ms, 2s or 1m");
            TapeError::at(&place, message)
        })
    }

    /// What is between two of these delimiters.
    fn delimited(&mut self, place: &Place, delimiter: &str) -> Result<&'a str, TapeError> {
        let inner = &self.rest()[delimiter.len()..];
        let mut is_escaped = false;
        let end = inner.char_indices().find(|(_, char)| {
            // Only patterns have escapes.
            let ends = delimiter.starts_with(*char) && !is_escaped;
            is_escaped = delimiter == "/" && *char == '\\' && !is_escaped;
            ends
        });
        let Some((end, _)) = end else {
            let message = format!("{delimiter} is not closed on this line");
            return Err(TapeError::at(place, message));
        };
        self.at += end + 2 * delimiter.len();
        Ok(&inner[..end])
    }

    /// A pattern between slashes, if one follows.
    pub(super) fn pattern(&mut self) -> Result<Option<Regex>, TapeError> {
        if self.is_over() || !self.rest().starts_with('/') {
            return Ok(None);
        }
        let place = self.place();
        let pattern = self.delimited(&place, "/")?.replace("\\/", "/");
        let pattern = RegexBuilder::new(&pattern).multi_line(true).build();
        pattern
            .map(Some)
            .map_err(|error| TapeError::at(&place, format!("the pattern cannot be used: {error}")))
    }

    /// A pattern, which must follow.
    pub(super) fn some_pattern(&mut self, command: &str) -> Result<Regex, TapeError> {
        let place = self.place();
        self.pattern()?
            .ok_or_else(|| TapeError::at(&place, format!("write `{command} /pattern/`")))
    }
}

/// A duration as VHS writes it: `50ms`, `2s`, `1m`, or seconds without a unit.
pub(super) fn duration(text: &str) -> Option<Duration> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("", 1.0)];
    let (number, unit) = units
        .iter()
        .find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)))?;
    let number: f64 = number.parse().ok()?;
    Duration::try_from_secs_f64(number * unit).ok()
}
