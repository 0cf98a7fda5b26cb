//! The row that names the columns.

use std::collections::HashMap;

use frontdesk_protocol::csv::Row;

use super::{MOST_COLUMNS, Sheet, SheetError};
use crate::import::{aliases, same};
use crate::look::safe::formula;

/// The heading of the column with whole names.
const NAME: &str = "name";
/// The headings of columns with first and with last names.
const FIRST_NAME: &str = "first name";
const LAST_NAME: &str = "last name";
/// The maximum number of rows above the header.
const MOST_TITLES: usize = 20;

impl Sheet {
    /// Takes the first row that can be the header: titles above it are shorter, or have values. `names` counts the names
    /// of columns in a row; a value of a row of data can be one, too, such as “Task”.
    pub(in crate::import) fn find_header(&mut self, names: impl Fn(&[String]) -> usize) {
        if self.titles > 0 || names(&self.header) > 0 {
            return;
        }
        let is_filled = |cell: &&String| !cell.trim().is_empty();
        let filled = |cells: &[String]| cells.iter().filter(is_filled).count();
        let can_be =
            |cells: &[String]| filled(cells) > 1 && !cells.iter().any(|cell| is_value(cell));
        let own = if can_be(&self.header) {
            filled(&self.header)
        } else {
            0
        };
        let below = || self.rows.iter().take(MOST_TITLES).map(|row| &row.cells);
        // One name alone can be a value.
        let enough = if own > 1 { 2 } else { 1 };
        let named = below().find(|cells| can_be(cells) && names(cells) >= enough);
        let named = named
            .map(|cells| filled(cells))
            .filter(|width| *width > own);
        let is_title = filled(&self.header) == 1 && self.rows.len() > 1;
        let is_title = is_title && self.rows.iter().all(|row| filled(&row.cells) > 1);
        let at = named
            .and_then(|width| below().position(|cells| can_be(cells) && filled(cells) >= width));
        let Some(at) = at.or(is_title.then_some(0)) else {
            return;
        };
        let Ok(header) = self::named(&self.rows[at].cells) else {
            return;
        };
        let (header, repeats) = header;
        self.repeats = repeats;
        let line = std::mem::replace(&mut self.header_line, self.rows.remove(at).line);
        let cells = std::mem::replace(&mut self.header, header);
        self.rows.insert(0, Row { line, cells });
        self.titles = at + 1;
        for row in &mut self.rows {
            fit(&mut row.cells, self.header.len());
        }
    }

    /// Joins the names of people in one more column.
    pub(in crate::import) fn join_names(&mut self) {
        let Some(places) = aliases::name_parts(&self.header) else {
            return;
        };
        // A last name beside a “Vorname”, or a first one beside a “Surname”, is not the whole.
        for (nth, at) in places.iter().enumerate() {
            if aliases::key(&self.header[*at]) == NAME {
                let part = if nth == 0 { FIRST_NAME } else { LAST_NAME };
                part.clone_into(&mut self.header[*at]);
            }
        }
        self.join(&places, NAME.to_owned());
    }

    /// Adds a column of this name with the words of others.
    fn join(&mut self, places: &[usize], name: String) {
        let at = self.header.len();
        self.header.push(name);
        for row in &mut self.rows {
            let parts = places.iter().map(|at| row.cells[*at].trim());
            let parts: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
            let name = parts.join(" ");
            row.cells.insert(at, name);
        }
    }

    /// Joins these columns in one more, in place of those that were joined before. Returns its name.
    pub(in crate::import) fn join_chosen(&mut self, places: Vec<usize>) -> Option<String> {
        if self.joined != places {
            if !std::mem::take(&mut self.joined).is_empty() {
                let at = self.header.len() - 1;
                self.header.truncate(at);
                for row in self.rows.iter_mut().filter(|row| row.cells.len() > at) {
                    row.cells.remove(at);
                }
            }
            if !places.is_empty() {
                let names = places.iter().map(|at| self.header[*at].as_str());
                let name = names.collect::<Vec<_>>().join(" + ");
                self.join(&places, name);
                self.joined = places;
            }
        }
        self.header
            .last()
            .filter(|_| !self.joined.is_empty())
            .cloned()
    }

    /// Keeps the first of several addresses or numbers in a cell, as Google's contacts have them.
    pub(in crate::import) fn keep_first_values(&mut self) {
        let names = self.header.iter().enumerate();
        let places = names
            .filter(|(_, name)| name.ends_with(" - Value"))
            .map(|(at, _)| at);
        for at in places.collect::<Vec<_>>() {
            for row in &mut self.rows {
                if let Some((first, _)) = row.cells[at].split_once(" ::: ") {
                    row.cells[at] = first.to_owned();
                }
            }
        }
    }
}

/// Whether a cell has a value that names no column: an address, a number, a day.
fn is_value(cell: &str) -> bool {
    let is_of_number = |char: char| char.is_ascii_digit() || " .,:;-+/()%€$'".contains(char);
    let has_digit = cell.contains(|char: char| char.is_ascii_digit());
    same::is_address(cell.trim()) || has_digit && cell.chars().all(is_of_number)
}

/// Makes cells for all columns. Empty cells without a column are dropped.
pub(super) fn fit(cells: &mut Vec<String>, columns: usize) {
    while cells.len() > columns && cells.last().is_some_and(|cell| cell.trim().is_empty()) {
        cells.pop();
    }
    cells.resize(cells.len().max(columns), String::new());
}

/// The names of columns, and the places of repeated ones after those of the first ones.
type Named = (Vec<String>, Vec<(usize, usize)>);

/// The names of the columns; and the columns with the name of an earlier one, which are numbered. A nameless column at
/// the end is dropped.
pub(super) fn named(record: &[String]) -> Result<Named, SheetError> {
    let mut names: Vec<String> = record
        .iter()
        .map(|name| formula(name.trim()).to_owned())
        .collect();
    while names.last().is_some_and(String::is_empty) {
        names.pop();
    }
    if names.len() > MOST_COLUMNS {
        return Err(SheetError::TooWide(names.len()));
    }
    let mut places: HashMap<String, (usize, usize)> = HashMap::new();
    let mut repeats = Vec::new();
    for at in 0..names.len() {
        let name = names[at].clone();
        if name.is_empty() {
            continue;
        }
        let (first, count) = places.entry(name.clone()).or_insert((at, 0));
        *count += 1;
        if *count > 1 {
            repeats.push((*first, at));
            let mut numbers = (*count..).map(|number| format!("{name} {number}"));
            names[at] = numbers.find(|name| !names.contains(name)).unwrap_or(name);
        }
    }
    Ok((names, repeats))
}
