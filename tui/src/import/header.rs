//! The row that names the columns.

use std::collections::HashMap;

use frontdesk_protocol::csv::Row;

use super::sheet::{MOST_COLUMNS, Sheet, SheetError};
use super::{aliases, columns};
use crate::look::safe::formula;

/// The heading of the column with whole names.
const NAME: &str = "name";
/// The heading of the column with last names.
const LAST_NAME: &str = "last name";
/// The maximum number of rows above the header.
const MOST_TITLES: usize = 5;

impl Sheet {
    /// Takes the first row that names columns as the header: `names` counts the names in a row.
    pub(super) fn find_header(&mut self, names: impl Fn(&[String]) -> usize) {
        let is_filled = |cell: &&String| !cell.trim().is_empty();
        let filled = |cells: &[String]| cells.iter().filter(is_filled).count();
        if self.titles > 0 || names(&self.header) > 0 {
            return;
        }
        let mut below = self.rows.iter().take(MOST_TITLES).map(|row| &row.cells);
        let named = below.position(|cells| names(cells) > 0 && filled(cells) > 1);
        let is_title = filled(&self.header) == 1 && self.rows.len() > 1;
        let is_title = is_title && self.rows.iter().all(|row| filled(&row.cells) > 1);
        let Some(at) = named.or(is_title.then_some(0)) else {
            return;
        };
        let Ok(header) = self::named(&self.rows[at].cells) else {
            return;
        };
        let line = std::mem::replace(&mut self.header_line, self.rows.remove(at).line);
        let cells = std::mem::replace(&mut self.header, header);
        self.rows.insert(0, Row { line, cells });
        self.titles = at + 1;
        for row in &mut self.rows {
            fit(&mut row.cells, self.header.len());
        }
    }

    /// Joins the first and the last name of people in one more column.
    pub(super) fn join_names(&mut self) {
        let Some((first, last)) = aliases::name_parts(&self.header) else {
            return;
        };
        // The last name beside a “Vorname” is not the whole.
        if columns::key(&self.header[last]) == NAME {
            LAST_NAME.clone_into(&mut self.header[last]);
        }
        let at = self.header.len();
        self.header.push(NAME.to_owned());
        for row in &mut self.rows {
            let parts = [first, last].map(|at| row.cells[at].trim());
            let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            let name = parts.join(" ");
            row.cells.insert(at, name);
        }
    }
}

/// Makes cells for all columns. Empty cells without a column are dropped.
pub(super) fn fit(cells: &mut Vec<String>, columns: usize) {
    while cells.len() > columns && cells.last().is_some_and(|cell| cell.trim().is_empty()) {
        cells.pop();
    }
    cells.resize(cells.len().max(columns), String::new());
}

/// The names of the columns. A nameless column at the end is dropped.
pub(super) fn named(record: &[String]) -> Result<Vec<String>, SheetError> {
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
    let mut places = HashMap::new();
    for (at, name) in names
        .iter()
        .enumerate()
        .filter(|(_, name)| !name.is_empty())
    {
        if let Some(before) = places.insert(name, at) {
            return Err(SheetError::Twice(before + 1, at + 1, name.clone()));
        }
    }
    Ok(names)
}
