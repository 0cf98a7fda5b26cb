//! Workbooks of Excel and LibreOffice: the rows of the sheet that a person sees.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Cursor, Read};

use calamine::{
    Data, DataRef, ExcelDateTime, Reader, SheetType, SheetVisible, Sheets,
    open_workbook_auto_from_rs,
};
use frontdesk_protocol::csv::Row;
use zip::ZipArchive;

use super::{MOST_COLUMNS, SheetError};

mod facts;
mod opendocument;

use facts::Facts;

/// What a file is that only begins like a workbook.
const OTHER: &str = "an archive or an Office document; save the sheet as CSV or .xlsx";
/// The maximum size of the unpacked files of a workbook in bytes.
const MOST_UNPACKED: u64 = 100_000_000;
/// The maximum size of all texts of a sheet in bytes.
const MOST_TEXT: usize = 64_000_000;

/// The rows of a sheet, and what is to say of them.
#[derive(Debug, Default)]
pub(super) struct Book {
    /// Which sheet it is, for people.
    pub(super) which: String,
    pub(super) rows: Vec<Row>,
    /// The texts of cells, by line and column, that are shown in another notation than they are stored.
    pub(super) shown: HashMap<(u64, usize), String>,
    /// The names of the visible sheets.
    pub(super) sheets: Vec<String>,
    /// What is questionable about lines.
    pub(super) hidden: Vec<u64>,
    pub(super) cells: BTreeMap<u64, String>,
    /// What is said of the whole sheet.
    pub(super) notes: Vec<String>,
}

/// A cell: its place, row and column counted from 0, its stored text, and the shown one if it differs.
type Cell = ((u32, u32), String, Option<String>);

fn other() -> SheetError {
    SheetError::NotATable(OTHER)
}

/// Reads the sheet of this name, otherwise the one that a person sees on opening the file: the active one, if it is
/// visible and no chart. Of two visible ones, the one with a table is read.
///
/// # Errors
/// [`SheetError`]
pub(super) fn read(bytes: &[u8], wanted: Option<&str>) -> Result<Book, SheetError> {
    is_bounded(bytes, MOST_UNPACKED)?;
    if let Some(sheets) = opendocument::sheets(bytes)? {
        return chosen(sheets, wanted, |name| opendocument::read(bytes, name));
    }
    let mut book = open_workbook_auto_from_rs(Cursor::new(bytes)).map_err(|_| other())?;
    let active = facts::active(bytes);
    let sheets = book
        .sheets_metadata()
        .iter()
        .enumerate()
        .map(|(at, sheet)| Sheet {
            name: sheet.name.clone(),
            is_visible: sheet.visible == SheetVisible::Visible,
            is_table: matches!(sheet.typ, SheetType::WorkSheet),
            is_active: at == active,
        });
    let sheets = sheets.collect();
    chosen(sheets, wanted, |name| match &mut book {
        Sheets::Xlsx(book) => of_excel(bytes, book, name),
        book => {
            let range = book.worksheet_range(name).map_err(|_| other())?;
            let (first, left) = range.start().unwrap_or_default();
            let cells = range.used_cells().map(|(row, column, cell)| {
                let (row, column) = (u32::try_from(row), u32::try_from(column));
                let place = (
                    first + row.unwrap_or(u32::MAX - first),
                    left + column.unwrap_or(u32::MAX - left),
                );
                (place, text(cell), None)
            });
            table(cells.collect(), Facts::default())
        }
    })
}

/// A sheet of a workbook.
struct Sheet {
    name: String,
    is_visible: bool,
    /// Whether it has cells.
    is_table: bool,
    is_active: bool,
}

/// Chooses the sheet, and reads it.
fn chosen(
    mut sheets: Vec<Sheet>,
    wanted: Option<&str>,
    mut read: impl FnMut(&str) -> Result<Book, SheetError>,
) -> Result<Book, SheetError> {
    sheets.retain(|sheet| sheet.is_table);
    let visible = sheets.iter().filter(|sheet| sheet.is_visible);
    let visible: Vec<_> = visible.map(|sheet| sheet.name.clone()).collect();
    if let Some(wanted) = wanted {
        let named = sheets
            .iter()
            .find(|sheet| sheet.name.to_lowercase() == wanted.trim().to_lowercase());
        let Some(sheet) = named else {
            let names = sheets.iter().map(|sheet| format!("“{}”", sheet.name));
            return Err(SheetError::NoSheet(
                wanted.to_owned(),
                names.collect::<Vec<_>>().join(", "),
            ));
        };
        let mut book = read(&sheet.name)?;
        book.which = format!("sheet “{}”", sheet.name);
        book.sheets = visible;
        return Ok(book);
    }
    sheets.retain(|sheet| sheet.is_visible);
    if let Some(active) = sheets.iter().position(|sheet| sheet.is_active) {
        sheets[..=active].rotate_right(1);
    }
    let first = sheets.first().ok_or_else(other)?;
    let (mut name, mut book) = (&first.name, read(&first.name)?);
    // A sheet with a help text is no table, nor is an empty one.
    let is_table = |book: &Book| {
        let is_wide = |row: &Row| row.cells.iter().filter(|cell| !cell.is_empty()).count() > 1;
        book.rows.iter().filter(|row| is_wide(row)).count() > 1
    };
    if !is_table(&book) {
        for sheet in &sheets[1..] {
            let other = read(&sheet.name)?;
            if is_table(&other) {
                (name, book) = (&sheet.name, other);
                break;
            }
        }
    }
    let others = visible.iter().filter(|other| *other != name);
    let others: Vec<_> = others.map(|name| format!("“{name}”")).collect();
    book.which = match others.is_empty() {
        true => format!("sheet “{name}”"),
        false => format!("sheet “{name}”, not {}", others.join(", ")),
    };
    book.sheets = visible;
    Ok(book)
}

/// A sheet of Excel. Only its cells are read: a range would have room for each between the first and the last one.
fn of_excel(
    bytes: &[u8],
    book: &mut calamine::Xlsx<Cursor<&[u8]>>,
    name: &str,
) -> Result<Book, SheetError> {
    let mut facts = Facts::of(bytes, name)?;
    let styles = book.worksheet_style(name).map_err(|_| other())?;
    let merged = book.merge_cells_by_sheet_name(name).unwrap_or_default();
    let options = ssfmt::FormatOptions {
        date_system: match book.has_1904_epoch() {
            true => ssfmt::DateSystem::Date1904,
            false => ssfmt::DateSystem::Date1900,
        },
        ..ssfmt::FormatOptions::default()
    };
    let mut formats: HashMap<String, Option<ssfmt::NumberFormat>> = HashMap::new();
    let mut reader = book.worksheet_cells_reader(name).map_err(|_| other())?;
    let (mut cells, mut size): (Vec<Cell>, _) = (Vec::new(), 0);
    while let Some(cell) = reader.next_cell().map_err(|_| other())? {
        let place = cell.get_position();
        let value = cell.get_value();
        let length = match value {
            DataRef::SharedString(text) => text.len(),
            DataRef::String(text) => text.len(),
            _ => 0,
        };
        size += length;
        if size > MOST_TEXT {
            return Err(SheetError::Unpacked(MOST_TEXT as u64 / 1_000_000));
        }
        let number = match value {
            DataRef::Float(number) => Some(*number),
            #[allow(clippy::cast_precision_loss, reason = "a cell has a number of 64 bits")]
            DataRef::Int(number) => Some(*number as f64),
            DataRef::DateTime(at) => Some(at.as_f64()),
            DataRef::Error(error) => {
                facts
                    .cells
                    .push((place, format!("is {error}, an error; it is left out")));
                continue;
            }
            _ => None,
        };
        let stored = text(&value.clone().into());
        let code = number.and_then(|_| styles.get(place)?.number_format.as_ref());
        let code = code.map(|format| &format.format_code);
        let shown = number.zip(code).and_then(|(number, code)| {
            let format = formats.entry(code.clone()).or_insert_with(|| parsed(code));
            let shown = format.as_ref()?.format(number, &options);
            let shown = shown.trim().to_owned();
            (shown != stored && !shown.is_empty()).then_some(shown)
        });
        cells.push((place, stored, shown));
    }
    for region in merged {
        let (first, last) = (region.start, region.end);
        for row in (first.0 + 1..=last.0).take(1000) {
            let what = format!(
                "is merged with {}, whose value it lacks",
                facts::place(first)
            );
            facts.cells.push(((row, first.1), what));
        }
    }
    table(cells, facts)
}

/// The format of a code, if it shows more than the number: not the usual one, not a day or time as the computer is set,
/// and not one that shows fewer digits.
fn parsed(code: &str) -> Option<ssfmt::NumberFormat> {
    const USUAL: [&str; 6] = ["General", "@", "0", "mm-dd-yy", "m/d/yy h:mm", "m/d/yyyy"];
    let is_usual = USUAL.iter().any(|usual| usual.eq_ignore_ascii_case(code));
    let is_short = code.contains("E+") || code.contains("E-");
    ssfmt::NumberFormat::parse(code)
        .ok()
        .filter(|_| !is_usual && !is_short)
}

/// The table of these cells.
///
/// # Errors
/// [`SheetError::TooWide`]
fn table(cells: Vec<Cell>, facts: Facts) -> Result<Book, SheetError> {
    let left = cells.iter().filter(|(_, text, _)| !text.is_empty());
    let left = left
        .map(|((_, column), ..)| *column)
        .min()
        .unwrap_or_default();
    let line = |row: u32| u64::from(row) + 1;
    let shown = cells.iter().filter_map(|((row, column), _, shown)| {
        let column = usize::try_from(column.checked_sub(left)?).ok()?;
        Some(((line(*row), column), shown.clone()?))
    });
    let mut book = Book {
        shown: shown.collect(),
        hidden: facts.hidden.iter().copied().map(line).collect(),
        notes: facts.notes(),
        ..Book::default()
    };
    for ((row, column), what) in facts.cells {
        let said = book.cells.entry(line(row)).or_default();
        if !said.is_empty() {
            said.push_str("; ");
        }
        said.push_str(&format!("{} {what}", facts::place((row, column))));
    }
    book.rows = rows(
        cells
            .into_iter()
            .map(|(place, text, _)| (place, text))
            .collect(),
    )?;
    Ok(book)
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
        Data::DateTimeIso(text) => text.strip_suffix("T00:00:00").unwrap_or(text).to_owned(),
        Data::DurationIso(text) => text.clone(),
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
    use std::io::Write as _;

    use super::*;

    /// A workbook of Excel with these rows.
    fn workbook(rows: impl Iterator<Item = String>) -> Vec<u8> {
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let options = zip::write::SimpleFileOptions::default();
        let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
        let relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
        let of_package = "http://schemas.openxmlformats.org/package/2006/relationships";
        let book = format!(
            "<workbook xmlns=\"{main}\" xmlns:r=\"{relation}\"><sheets><sheet name=\"Guests\" sheetId=\"1\" \
             r:id=\"rId1\"/></sheets></workbook>"
        );
        let relations = format!(
            "<Relationships xmlns=\"{of_package}\"><Relationship Id=\"rId1\" Type=\"{relation}/worksheet\" \
             Target=\"worksheets/sheet1.xml\"/></Relationships>"
        );
        let root = format!(
            "<Relationships xmlns=\"{of_package}\"><Relationship Id=\"rId1\" Type=\"{relation}/officeDocument\" \
             Target=\"xl/workbook.xml\"/></Relationships>"
        );
        for (name, text) in [
            ("_rels/.rels", root),
            ("xl/workbook.xml", book),
            ("xl/_rels/workbook.xml.rels", relations),
        ] {
            archive.start_file(name, options).expect("a file");
            archive.write_all(text.as_bytes()).expect("is written");
        }
        archive
            .start_file("xl/worksheets/sheet1.xml", options)
            .expect("a file");
        write!(archive, "<worksheet xmlns=\"{main}\"><sheetData>").expect("is written");
        for row in rows {
            archive.write_all(row.as_bytes()).expect("is written");
        }
        write!(archive, "</sheetData></worksheet>").expect("is written");
        archive.finish().expect("an archive").into_inner()
    }

    #[test]
    fn a_sheet_that_would_take_too_much_is_refused() {
        let read = |rows: &mut dyn Iterator<Item = String>| {
            let refused = read(&workbook(rows), None).expect_err("too much");
            refused.to_string()
        };
        let mut empty = (1..=250_000).map(|row| format!("<row r=\"{row}\"/>"));
        assert_eq!(
            read(&mut empty),
            "the sheet has more than 200000 rows, or 3,000,000 cells; save the rows that are imported as CSV"
        );
        let long = "x".repeat(1_000_000);
        let mut texts = (1..=70).map(|row| {
            format!(
                "<row r=\"{row}\"><c r=\"A{row}\" t=\"inlineStr\"><is><t>{long}</t></is></c></row>"
            )
        });
        assert_eq!(
            read(&mut texts),
            "unpacked, it has more than 64 MB; save the sheet as CSV"
        );
    }

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
