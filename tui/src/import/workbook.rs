//! Workbooks of Excel and LibreOffice: the rows of the first sheet.

use std::collections::BTreeMap;
use std::io::{self, Cursor, Read};

use calamine::{Data, ExcelDateTime, Reader, Sheets, open_workbook_auto_from_rs};
use frontdesk_protocol::csv::Row;
use zip::ZipArchive;

use super::sheet::{MOST_COLUMNS, SheetError};

/// What a file is that only begins like a workbook.
const OTHER: &str = "an archive or an Office document; save the sheet as CSV or .xlsx";
/// The maximum size of the unpacked files of a workbook in bytes.
const MOST_UNPACKED: u64 = 500_000_000;

/// The first sheet: which one it is, for people, and its rows.
///
/// # Errors
/// [`SheetError::NotATable`], [`SheetError::Unpacked`], [`SheetError::TooWide`]
pub(super) fn read(bytes: &[u8]) -> Result<(String, Vec<Row>), SheetError> {
    let other = || SheetError::NotATable(OTHER);
    is_bounded(bytes, MOST_UNPACKED)?;
    let mut book = open_workbook_auto_from_rs(Cursor::new(bytes)).map_err(|_| other())?;
    let names = book.sheet_names();
    let name = names.first().ok_or_else(other)?;
    let which = match names.len() {
        1 => format!("sheet “{name}”"),
        count => format!("sheet “{name}”, the first of {count}"),
    };
    if let Sheets::Xlsx(book) = &mut book {
        // Only its cells: a range would have room for each between the first and the last one.
        let mut reader = book.worksheet_cells_reader(name).map_err(|_| other())?;
        let mut cells = Vec::new();
        while let Some(cell) = reader.next_cell().map_err(|_| other())? {
            cells.push((cell.get_position(), text(&cell.get_value().clone().into())));
        }
        return Ok((which, rows(cells)?));
    }
    let sheet = book.worksheet_range_at(0).and_then(Result::ok);
    let sheet = sheet.ok_or_else(other)?;
    let (first, _) = sheet.start().unwrap_or_default();
    let rows = (u64::from(first) + 1..).zip(sheet.rows());
    let rows = rows.map(|(line, cells)| Row {
        line,
        cells: cells.iter().map(text).collect(),
    });
    Ok((which, rows.collect()))
}

/// Rows of cells at these places: row and column, counted from 0.
///
/// # Errors
/// [`SheetError::TooWide`]
fn rows(cells: Vec<((u32, u32), String)>) -> Result<Vec<Row>, SheetError> {
    let filled = || cells.iter().filter(|(_, text)| !text.is_empty());
    let columns = filled().map(|((_, column), _)| *column as usize);
    let first = columns.clone().min().unwrap_or_default();
    let count = columns.max().map_or(0, |last| last - first + 1);
    if count > MOST_COLUMNS {
        return Err(SheetError::TooWide(count));
    }
    let mut rows: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for ((row, column), text) in filled() {
        let cells = rows
            .entry(*row)
            .or_insert_with(|| vec![String::new(); count]);
        cells[*column as usize - first].clone_from(text);
    }
    let rows = rows.into_iter().map(|(row, cells)| Row {
        line: u64::from(row) + 1,
        cells,
    });
    Ok(rows.collect())
}

/// Refuses an archive whose files have more bytes together. The sizes in the archive are not trusted.
///
/// # Errors
/// [`SheetError::Unpacked`]
fn is_bounded(bytes: &[u8], most: u64) -> Result<(), SheetError> {
    // Older workbooks are no archives.
    let Ok(mut archive) = ZipArchive::new(Cursor::new(bytes)) else {
        return Ok(());
    };
    let mut left = most;
    for at in 0..archive.len() {
        // A file that cannot be unpacked is refused when it is read.
        let Ok(file) = archive.by_index(at) else {
            continue;
        };
        let unpacked = io::copy(&mut file.take(left + 1), &mut io::sink());
        left = left
            .checked_sub(unpacked.unwrap_or_default())
            .ok_or(SheetError::Unpacked(most / 1_000_000))?;
    }
    Ok(())
}

/// The text of a cell: a number with all digits and a point, a date in the notation of ISO 8601.
fn text(cell: &Data) -> String {
    match cell {
        Data::Empty => String::new(),
        Data::String(text) => text.clone(),
        Data::Int(number) => number.to_string(),
        Data::Float(number) => number.to_string(),
        Data::Bool(value) => value.to_string(),
        Data::DateTime(at) => date(at),
        Data::DateTimeIso(text) | Data::DurationIso(text) => {
            text.strip_suffix("T00:00:00").unwrap_or(text).to_owned()
        }
        Data::Error(error) => error.to_string(),
    }
}

fn date(at: &ExcelDateTime) -> String {
    let (year, month, day, hour, minute, second, _) = at.to_ymd_hms_milli();
    let day = format!("{year:04}-{month:02}-{day:02}");
    let time = format!("{hour:02}:{minute:02}:{second:02}");
    match (at.as_f64() < 1.0, time.as_str()) {
        // A time without a day.
        (true, _) => time,
        (false, "00:00:00") => day,
        (false, time) => format!("{day}T{time}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_that_unpacks_to_more_than_the_limit_is_refused() {
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let options = zip::write::SimpleFileOptions::default();
        for name in ["a", "b"] {
            archive.start_file(name, options).expect("a file");
            io::copy(&mut io::repeat(b' ').take(60_000), &mut archive).expect("is written");
        }
        let bytes = archive.finish().expect("an archive").into_inner();
        assert!(bytes.len() < 2_000);
        is_bounded(&bytes, 120_000).expect("is small enough");
        let error = is_bounded(&bytes, 119_999).expect_err("is too large");
        assert!(matches!(error, SheetError::Unpacked(_)), "{error}");
    }

    #[test]
    fn cells_far_apart_take_no_room_between_them() {
        let cell = |row, column, text: &str| ((row, column), text.to_owned());
        let cells = vec![
            cell(2, 3, "Name"),
            cell(2, 4, "Role"),
            cell(1_048_575, 4, "guest"),
            cell(5, 16_383, ""),
        ];
        let rows = rows(cells).expect("a table");
        let read: Vec<_> = rows
            .iter()
            .map(|row| (row.line, row.cells.join("|")))
            .collect();
        assert_eq!(
            read,
            [
                (3, "Name|Role".to_owned()),
                (1_048_576, "|guest".to_owned())
            ]
        );
        let wide = vec![cell(0, 0, "a"), cell(0, 16_383, "b")];
        let error = super::rows(wide).expect_err("is too wide");
        assert!(matches!(error, SheetError::TooWide(16_384)), "{error}");
    }

    #[test]
    fn a_cell_is_read_as_it_is_shown() {
        let day = |serial: f64| {
            let kind = calamine::ExcelDateTimeType::DateTime;
            Data::DateTime(ExcelDateTime::new(serial, kind, false))
        };
        for (cell, expected) in [
            (Data::Float(1250.0), "1250"),
            (Data::Float(1.25), "1.25"),
            (Data::Float(5_511_987_654_321.0), "5511987654321"),
            (Data::String("007".to_owned()), "007"),
            (Data::Bool(true), "true"),
            (day(46490.0), "2027-04-13"),
            (day(46490.75), "2027-04-13T18:00:00"),
            (day(0.75), "18:00:00"),
            (
                Data::DateTimeIso("2027-04-13T00:00:00".to_owned()),
                "2027-04-13",
            ),
            (Data::Empty, ""),
        ] {
            assert_eq!(text(&cell), expected, "{cell:?}");
        }
    }
}
