//! Workbooks of Excel and LibreOffice: the rows of the first sheet.

use std::io::Cursor;

use calamine::{Data, ExcelDateTime, Reader, open_workbook_auto_from_rs};
use frontdesk_protocol::csv::Row;

use super::sheet::SheetError;

/// What a file is that only begins like a workbook.
const OTHER: &str = "an archive or an Office document; save the sheet as CSV or .xlsx";

/// The first sheet: which one it is, for people, and its rows.
///
/// # Errors
/// [`SheetError::NotATable`]
pub(super) fn read(bytes: &[u8]) -> Result<(String, Vec<Row>), SheetError> {
    let other = || SheetError::NotATable(OTHER);
    let mut book = open_workbook_auto_from_rs(Cursor::new(bytes)).map_err(|_| other())?;
    let names = book.sheet_names();
    let sheet = book.worksheet_range_at(0).and_then(Result::ok);
    let (Some(name), Some(sheet)) = (names.first(), sheet) else {
        return Err(other());
    };
    let which = match names.len() {
        1 => format!("sheet “{name}”"),
        count => format!("sheet “{name}”, the first of {count}"),
    };
    let (first, _) = sheet.start().unwrap_or_default();
    let rows = (u64::from(first) + 1..).zip(sheet.rows());
    let rows = rows.map(|(line, cells)| Row {
        line,
        cells: cells.iter().map(text).collect(),
    });
    Ok((which, rows.collect()))
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
