//! What a sheet of Excel has beside the values of its cells: hidden rows and columns, filters, formulas without a value.

use std::io::{BufReader, Cursor, Read};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;

use super::{SheetError, other};

/// The most rows of a sheet.
pub(super) use super::super::MOST_ROWS;
/// The most cells of a sheet.
pub(super) const MOST_CELLS: usize = 3_000_000;

/// What is to say of a sheet. Rows and columns are counted from 0.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) hidden: Vec<u32>,
    /// The first and the last of hidden columns.
    pub(super) columns: Vec<(u32, u32)>,
    pub(super) has_filter: bool,
    /// What is said of cells.
    pub(super) cells: Vec<((u32, u32), String)>,
}

/// The name of a cell: `C2`.
pub(super) fn place((row, column): (u32, u32)) -> String {
    format!("{}{}", letters(column), row + 1)
}

/// The letters of a column.
pub(super) fn letters(column: u32) -> String {
    let letter = |number: u32| char::from(b'A' + u8::try_from(number % 26).unwrap_or_default());
    match column / 26 {
        0 => letter(column).to_string(),
        more => letters(more - 1) + &letter(column).to_string(),
    }
}

/// The place of a cell with this name.
fn placed(name: &str) -> Option<(u32, u32)> {
    let digits = name.find(|char: char| char.is_ascii_digit())?;
    let (letters, row) = name.split_at_checked(digits)?;
    let value = |letter: char| u32::from(letter.to_ascii_uppercase()).checked_sub(64);
    let column = letters.chars().try_fold(0_u32, |sum, letter| {
        sum.checked_mul(26)?.checked_add(value(letter)?)
    });
    Some((
        row.parse::<u32>().ok()?.checked_sub(1)?,
        column?.checked_sub(1)?,
    ))
}

/// The value of an attribute, whatever its prefix.
pub(super) fn attribute(start: &BytesStart<'_>, name: &str) -> Option<String> {
    let mut all = start.attributes().flatten();
    let found = all.find(|one| one.key.local_name().as_ref() == name)?;
    let text = found
        .normalized_value(quick_xml::XmlVersion::Implicit1_0)
        .ok()?;
    Some(text.into_owned())
}

fn is_on(start: &BytesStart<'_>, name: &str) -> bool {
    attribute(start, name).is_some_and(|value| value == "1" || value == "true")
}

/// A file of the archive, if it is there.
pub(super) fn file(bytes: &[u8], name: &str) -> Option<String> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).ok()?;
    let mut text = String::new();
    archive.by_name(name).ok()?.read_to_string(&mut text).ok()?;
    Some(text)
}

/// Follows the elements of a document.
fn elements(text: &str, mut each: impl FnMut(&BytesStart<'_>)) {
    let mut reader = Reader::from_str(text);
    loop {
        match reader.read_event() {
            Ok(Event::Start(start) | Event::Empty(start)) => each(&start),
            Ok(Event::Eof) | Err(_) => return,
            Ok(_) => {}
        }
    }
}

/// The number of the sheet that is active when the workbook is opened.
pub(super) fn active(bytes: &[u8]) -> usize {
    let mut active = 0;
    elements(
        &file(bytes, "xl/workbook.xml").unwrap_or_default(),
        |start| {
            if start.local_name().as_ref() == "workbookView" {
                active = attribute(start, "activeTab")
                    .and_then(|at| at.parse().ok())
                    .unwrap_or(0);
            }
        },
    );
    active
}

/// The path of a sheet in the archive.
fn path(bytes: &[u8], name: &str) -> Option<String> {
    let (mut id, mut path) = (None, None);
    elements(&file(bytes, "xl/workbook.xml")?, |start| {
        if start.local_name().as_ref() == "sheet"
            && attribute(start, "name").as_deref() == Some(name)
        {
            id = attribute(start, "id");
        }
    });
    let id = id?;
    elements(&file(bytes, "xl/_rels/workbook.xml.rels")?, |start| {
        if attribute(start, "Id").as_ref() == Some(&id) {
            path = attribute(start, "Target");
        }
    });
    let path = path?;
    Some(match path.strip_prefix('/') {
        Some(path) => path.to_owned(),
        None => format!("xl/{path}"),
    })
}

impl Facts {
    /// Follows the sheet of this name once, without its values.
    ///
    /// # Errors
    /// It has too many rows or cells.
    pub(super) fn of(bytes: &[u8], name: &str) -> Result<Facts, SheetError> {
        let mut facts = Facts::default();
        let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| other())?;
        let Some(path) = path(bytes, name) else {
            return Ok(facts);
        };
        let Ok(file) = archive.by_name(&path) else {
            return Ok(facts);
        };
        let mut reader = Reader::from_reader(BufReader::new(file));
        let (mut buffer, mut rows, mut cells) = (Vec::new(), 0, 0);
        let mut row = 0_u32;
        // The formula cell that is open, and whether it has a value.
        let (mut cell, mut has_formula, mut has_value) = (None, false, false);
        loop {
            buffer.clear();
            let event = reader.read_event_into(&mut buffer).map_err(|_| other())?;
            match &event {
                Event::Eof => return Ok(facts),
                Event::Start(start) | Event::Empty(start) => match start.local_name().as_ref() {
                    "row" => {
                        rows += 1;
                        if rows > MOST_ROWS {
                            return Err(SheetError::TooLong(MOST_ROWS));
                        }
                        let number =
                            attribute(start, "r").and_then(|number| number.parse::<u32>().ok());
                        row = number.map_or(row + 1, |number| number);
                        if is_on(start, "hidden") {
                            facts.hidden.push(row.saturating_sub(1));
                        }
                    }
                    "c" => {
                        cells += 1;
                        if cells > MOST_CELLS {
                            return Err(SheetError::TooLong(MOST_ROWS));
                        }
                        (has_formula, has_value) = (false, false);
                        cell = matches!(event, Event::Start(_))
                            .then(|| attribute(start, "r"))
                            .flatten();
                    }
                    "f" => has_formula = true,
                    "col" if is_on(start, "hidden") => {
                        let number =
                            |name| attribute(start, name)?.parse::<u32>().ok()?.checked_sub(1);
                        facts.columns.extend(number("min").zip(number("max")));
                    }
                    "autoFilter" => facts.has_filter = true,
                    _ => {}
                },
                Event::Text(_) | Event::CData(_) => has_value |= has_formula,
                Event::End(end) => match end.local_name().as_ref() {
                    "f" => has_value = false,
                    "c" => {
                        let place = cell.take().filter(|_| has_formula && !has_value);
                        if let Some(place) = place.and_then(|name| placed(&name)) {
                            facts
                                .cells
                                .push((place, "has a formula without a stored value".to_owned()));
                        }
                        has_formula = false;
                    }
                    _ => {}
                },
                _ => {}
            }
        }
    }

    /// What is said of the whole sheet.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if !self.columns.is_empty() {
            let columns = self
                .columns
                .iter()
                .map(|(first, last)| match first == last {
                    true => letters(*first),
                    false => format!("{}–{}", letters(*first), letters(*last)),
                });
            let columns: Vec<_> = columns.collect();
            notes.push(format!(
                "Hidden columns, which are read: {}",
                columns.join(", ")
            ));
        }
        match (self.hidden.len(), self.has_filter) {
            (0, _) => {}
            (1, false) => notes.push("1 row is hidden".to_owned()),
            (1, true) => notes.push("1 row is hidden by a filter or by hand".to_owned()),
            (count, false) => notes.push(format!("{count} rows are hidden")),
            (count, true) => notes.push(format!("{count} rows are hidden by a filter or by hand")),
        }
        notes
    }
}
