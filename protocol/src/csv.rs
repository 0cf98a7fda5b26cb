//! Tables in CSV: their rows, each with its line.

use thiserror::Error;

/// The characters at the end of a line.
const LINE_ENDS: [char; 2] = ['\r', '\n'];
/// The separators that spreadsheet programs write.
const SEPARATORS: [char; 4] = [',', ';', '\t', '|'];
/// The number of characters that an error quotes.
const QUOTED: usize = 24;

/// A row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Its first line, counted from 1.
    pub line: u64,
    /// Its cells.
    pub cells: Vec<String>,
}

/// A quotation mark opens a cell, and none closes it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "no quotation mark closes the cell that begins with \"{start}; remove the mark, or write \"\" for a mark in a \
     quoted text"
)]
pub struct Unclosed {
    /// The line of the mark, counted from 1.
    pub line: u64,
    /// The text after the mark.
    pub start: String,
}

/// The rows of a text that are not empty. A quoted cell can have separators, line breaks and doubled quotation marks.
/// Other marks are part of the text, as in `"Duda" Prates`.
#[must_use]
pub fn rows(text: &str, separator: char) -> Rows<'_> {
    Rows {
        rest: text,
        separator,
        line: 1,
    }
}

/// The separator that occurs most often in the first row, outside quoted cells; if the first row has none, that of all
/// others.
#[must_use]
pub fn separator(text: &str) -> char {
    let (first, mut rest) = separators(text);
    let mut counts = first;
    if first == [0; SEPARATORS.len()] && !rest.is_empty() {
        (counts, rest) = separators(rest);
        while !rest.is_empty() {
            let other;
            (other, rest) = separators(rest);
            for (count, other) in counts.iter_mut().zip(other) {
                *count = (*count).min(other);
            }
        }
    }
    let most = (0..SEPARATORS.len()).rev().max_by_key(|at| counts[*at]);
    SEPARATORS[most.unwrap_or(0)]
}

/// The number of each separator in the first row, and the rows below.
fn separators(text: &str) -> ([usize; SEPARATORS.len()], &str) {
    let mut counts = [0; SEPARATORS.len()];
    let mut rest = text.trim_start_matches(LINE_ENDS);
    let mut is_start = true;
    while let Some(char) = rest.chars().next().filter(|char| !LINE_ENDS.contains(char)) {
        let quoted = rest.strip_prefix('"').filter(|_| is_start);
        if let Some(after) = quoted.and_then(after_quoted) {
            rest = after;
            is_start = false;
            continue;
        }
        let at = SEPARATORS.iter().position(|one| *one == char);
        if let Some(at) = at {
            counts[at] += 1;
        }
        is_start = at.is_some();
        rest = &rest[char.len_utf8()..];
    }
    (counts, rest.trim_start_matches(LINE_ENDS))
}

/// The text after the quoted cell that begins here.
fn after_quoted(mut rest: &str) -> Option<&str> {
    loop {
        let (_, after) = rest.split_once('"')?;
        match after.strip_prefix('"') {
            Some(after) => rest = after,
            None => {
                let is_end = after.is_empty() || after.starts_with(SEPARATORS);
                return (is_end || after.starts_with(LINE_ENDS)).then_some(after);
            }
        }
    }
}

/// The number of line ends, each a carriage return, a line feed or both.
#[must_use]
pub fn line_ends(text: &str) -> u64 {
    let ends = text.matches(LINE_ENDS).count() - text.matches("\r\n").count();
    ends as u64
}

/// The rows of a text. Ends after an error.
#[derive(Debug)]
pub struct Rows<'a> {
    rest: &'a str,
    separator: char,
    line: u64,
}

impl Iterator for Rows<'_> {
    type Item = Result<Row, Unclosed>;

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_to(self.rest.trim_start_matches(LINE_ENDS));
        if self.rest.is_empty() {
            return None;
        }
        let line = self.line;
        let mut cells = Vec::new();
        loop {
            match self.cell() {
                Ok(cell) => cells.push(cell),
                Err(error) => {
                    self.rest = "";
                    return Some(Err(error));
                }
            }
            match self.rest.strip_prefix(self.separator) {
                Some(rest) => self.rest = rest,
                None => return Some(Ok(Row { line, cells })),
            }
        }
    }
}

impl<'a> Rows<'a> {
    /// Reads a cell up to a separator or the end of the line.
    fn cell(&mut self) -> Result<String, Unclosed> {
        if let Some((cell, rest)) = self.quoted()? {
            self.skip_to(rest);
            return Ok(cell);
        }
        let is_end = |char: char| char == self.separator || LINE_ENDS.contains(&char);
        let end = self.rest.find(is_end).unwrap_or(self.rest.len());
        let (cell, rest) = self.rest.split_at(end);
        self.rest = rest;
        Ok(cell.to_owned())
    }

    /// The quoted cell that begins here, and the rest. `None` if the cell is not quoted.
    fn quoted(&self) -> Result<Option<(String, &'a str)>, Unclosed> {
        let Some(start) = self.rest.strip_prefix('"') else {
            return Ok(None);
        };
        let unclosed = || {
            let line = start.split(LINE_ENDS).next().unwrap_or_default();
            Err(Unclosed {
                line: self.line,
                start: line.chars().take(QUOTED).collect(),
            })
        };
        let (mut cell, mut rest) = (String::new(), start);
        loop {
            let Some((text, after)) = rest.split_once('"') else {
                return unclosed();
            };
            cell.push_str(text);
            rest = after;
            let Some(after) = rest.strip_prefix('"') else {
                break;
            };
            cell.push('"');
            rest = after;
        }
        let is_space = |char: char| char == ' ' && char != self.separator;
        rest = rest.trim_start_matches(is_space);
        if rest.is_empty() || rest.starts_with(self.separator) || rest.starts_with(LINE_ENDS) {
            return Ok(Some((cell, rest)));
        }
        // A nickname; unless the first mark is one too many, and the second one opens a cell below.
        match cell.contains(self.separator) || cell.contains(LINE_ENDS) {
            true => unclosed(),
            false => Ok(None),
        }
    }

    /// Continues at this end of the text.
    fn skip_to(&mut self, rest: &'a str) {
        let skipped = self.rest.len() - rest.len();
        self.line += line_ends(&self.rest[..skipped]);
        self.rest = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<(u64, Vec<String>)>, Unclosed> {
        let rows = rows(text, separator(text));
        rows.map(|row| row.map(|row| (row.line, row.cells)))
            .collect()
    }

    #[test]
    fn marks_and_line_breaks_are_read_as_they_are_meant() {
        for (text, expected) in [
            ("a,b\n1,2\n", vec![(1, vec!["a", "b"]), (2, vec!["1", "2"])]),
            ("a\r\r\n\nb", vec![(1, vec!["a"]), (4, vec!["b"])]),
            (
                "\"x,\ny\" ,z\nw",
                vec![(1, vec!["x,\ny", "z"]), (3, vec!["w"])],
            ),
            ("\"a \"\"b\"\"\",", vec![(1, vec!["a \"b\"", ""])]),
            ("\"\",\"\"\"\"", vec![(1, vec!["", "\""])]),
            ("\"Duda\" Prates,x", vec![(1, vec!["\"Duda\" Prates", "x"])]),
            (
                "Maria \"Duda\",5\"",
                vec![(1, vec!["Maria \"Duda\"", "5\""])],
            ),
            (
                "n;Size 5\"; r\nT;7;g",
                vec![(1, vec!["n", "Size 5\"", " r"]), (2, vec!["T", "7", "g"])],
            ),
            ("\"a;b\";\"c,d,e\"", vec![(1, vec!["a;b", "c,d,e"])]),
            ("a\tb,c\n", vec![(1, vec!["a\tb", "c"])]),
            (
                "Guests\na;b\n\"1\";2\n",
                vec![
                    (1, vec!["Guests"]),
                    (2, vec!["a", "b"]),
                    (3, vec!["1", "2"]),
                ],
            ),
            (
                "note\nx; y\nz\n",
                vec![(1, vec!["note"]), (2, vec!["x; y"]), (3, vec!["z"])],
            ),
            ("", vec![]),
        ] {
            let expected = expected
                .into_iter()
                .map(|(line, cells)| (line, cells.into_iter().map(str::to_owned).collect()))
                .collect();
            assert_eq!(read(text), Ok(expected), "{text:?}");
        }
    }

    #[test]
    fn a_mark_too_few_is_an_error_with_its_line() {
        for (text, line, start) in [
            ("n,e\n\"Kika,k@x\nBruno,b@x\n", 2, "Kika,k@x"),
            ("n,e\nKika,\"k@x\nBruno,b@x\n", 2, "k@x"),
            ("n,e\rAna,a\rKika,\"k@x\rBruno,\"b@x\"\r", 3, "k@x"),
            ("n,e\r\n\"Kika,k@x\r\n\"Zé\" Dantas,z@x\r\n", 2, "Kika,k@x"),
            ("n,e\nKika,k@x\nBruno,\"", 3, ""),
        ] {
            let found = read(text).expect_err(text);
            assert_eq!(
                (found.line, found.start.as_str()),
                (line, start),
                "{text:?}"
            );
        }
    }
}
