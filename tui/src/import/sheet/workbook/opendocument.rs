//! Workbooks of LibreOffice: what a cell shows stands beside its value.

use std::io::{BufReader, Cursor};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;
use zip::read::ZipFile;

use super::facts::{Facts, MOST_CELLS, MOST_ROWS, attribute, file, place};
use super::{Book, Cell, MOST_COLUMNS, MOST_TEXT, Sheet, SheetError, other, table};

/// How the type of the archive begins.
const TYPE: &str = "application/vnd.oasis.opendocument.spreadsheet";

fn number(start: &BytesStart<'_>, name: &str) -> u32 {
    attribute(start, name)
        .and_then(|number| number.parse().ok())
        .unwrap_or(1)
}

/// The sheets of a workbook; `None` if it is another file.
pub(super) fn sheets(bytes: &[u8]) -> Result<Option<Vec<Sheet>>, SheetError> {
    if !file(bytes, "mimetype").is_some_and(|found| found.starts_with(TYPE)) {
        return Ok(None);
    }
    let settings = file(bytes, "settings.xml").unwrap_or_default();
    let active = settings
        .split_once("\"ActiveTable\"")
        .and_then(|(_, after)| {
            let (_, after) = after.split_once('>')?;
            Some(after.split('<').next()?.to_owned())
        });
    let (mut sheets, mut hidden, mut style): (Vec<Sheet>, Vec<String>, _) =
        (Vec::new(), Vec::new(), String::new());
    follow(bytes, |event| {
        if let Event::Start(start) | Event::Empty(start) = event {
            match start.local_name().as_ref() {
                "style" => style = attribute(start, "name").unwrap_or_default(),
                "table-properties" if attribute(start, "display").as_deref() == Some("false") => {
                    hidden.push(style.clone());
                }
                "table" => {
                    let name = attribute(start, "name").unwrap_or_default();
                    let style = attribute(start, "style-name").unwrap_or_default();
                    sheets.push(Sheet {
                        is_visible: !hidden.contains(&style),
                        is_table: true,
                        is_active: active.as_ref() == Some(&name),
                        name,
                    });
                }
                _ => {}
            }
        }
        Ok(())
    })?;
    Ok(Some(sheets))
}

/// Follows the contents.
fn follow(
    bytes: &[u8],
    mut each: impl FnMut(&Event<'_>) -> Result<(), SheetError>,
) -> Result<(), SheetError> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| other())?;
    let file: ZipFile<'_, _> = archive.by_name("content.xml").map_err(|_| other())?;
    let mut reader = Reader::from_reader(BufReader::new(file));
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        let event = reader.read_event_into(&mut buffer).map_err(|_| other())?;
        if matches!(event, Event::Eof) {
            return Ok(());
        }
        each(&event)?;
    }
}

/// A cell that is open.
#[derive(Default)]
struct Open {
    stored: Option<String>,
    shown: String,
    paragraphs: usize,
    is_text: bool,
    is_error: bool,
    has_formula: bool,
    columns: u32,
    rows: u32,
}

impl Open {
    fn new(start: &BytesStart<'_>) -> Open {
        let value = |name| attribute(start, name);
        let kind = value("value-type").unwrap_or_default();
        let stored = match kind.as_str() {
            "float" | "percentage" | "currency" => value("value"),
            "date" => value("date-value"),
            "time" => value("time-value").map(|text| clock(&text).unwrap_or(text)),
            "boolean" => value("boolean-value"),
            _ => None,
        };
        let stored = stored.map(|text| match text.strip_suffix("T00:00:00") {
            Some(day) => day.to_owned(),
            None => text,
        });
        let kinds = start.attributes().flatten();
        let is_error = |value: &str| value == "error";
        Open {
            is_text: stored.is_none(),
            stored,
            is_error: kinds
                .into_iter()
                .any(|one| one.key.as_ref() == "calcext:value-type" && is_error(&one.value)),
            has_formula: value("formula").is_some(),
            columns: number(start, "number-columns-repeated"),
            rows: number(start, "number-rows-spanned"),
            ..Open::default()
        }
    }
}

/// `25:30:00` of a duration such as `PT25H30M00S`.
fn clock(text: &str) -> Option<String> {
    let (hours, rest) = text.strip_prefix("PT")?.split_once('H')?;
    let (minutes, rest) = rest.split_once('M')?;
    let seconds = rest.split(['S', '.', ',']).next()?;
    Some(format!("{hours:0>2}:{minutes:0>2}:{seconds:0>2}"))
}

/// Reads the sheet of this name.
pub(super) fn read(bytes: &[u8], name: &str) -> Result<Book, SheetError> {
    let mut facts = Facts::default();
    let (mut cells, mut size): (Vec<Cell>, usize) = (Vec::new(), 0);
    let (mut is_here, mut open, mut notes): (bool, Option<Open>, usize) = (false, None, 0);
    let (mut row, mut column, mut repeated, mut columns, mut rows) =
        (0_u32, 0_u32, 1_u32, 0_u32, 0);
    let mut begun = 0;
    follow(bytes, |event| {
        match event {
            Event::Start(start) | Event::Empty(start) => {
                let is_empty = matches!(event, Event::Empty(_));
                match start.local_name().as_ref() {
                    "table" => is_here = attribute(start, "name").as_deref() == Some(name),
                    _ if !is_here => {}
                    "table-column" => {
                        let count = number(start, "number-columns-repeated");
                        let is_hidden =
                            attribute(start, "visibility").is_some_and(|how| how != "visible");
                        if is_hidden {
                            facts
                                .columns
                                .push((columns, columns.saturating_add(count - 1)));
                        }
                        columns = columns.saturating_add(count);
                    }
                    "table-row" => {
                        rows += 1;
                        if rows > MOST_ROWS {
                            return Err(SheetError::TooLong(MOST_ROWS));
                        }
                        (column, begun) = (0, cells.len());
                        repeated = number(start, "number-rows-repeated").max(1);
                        match attribute(start, "visibility").as_deref() {
                            Some("filter") => {
                                facts.has_filter = true;
                                facts.hidden.push(row);
                            }
                            Some("collapse") => facts.hidden.push(row),
                            _ => {}
                        }
                        if is_empty {
                            row = row.saturating_add(repeated);
                        }
                    }
                    "table-cell" | "covered-table-cell" => {
                        let cell = Open::new(start);
                        match is_empty {
                            true => {
                                add(cell, (row, &mut column), &mut cells, &mut facts);
                            }
                            false => open = Some(cell),
                        }
                    }
                    "annotation" if !is_empty => notes += 1,
                    "p" if notes == 0 => {
                        if let Some(cell) = &mut open {
                            if cell.paragraphs > 0 {
                                cell.shown.push('\n');
                            }
                            cell.paragraphs += 1;
                        }
                    }
                    name @ ("s" | "tab" | "line-break") if notes == 0 => {
                        if let Some(cell) = &mut open {
                            let count = number(start, "c").min(1000) as usize;
                            match name {
                                "s" => cell.shown.extend(std::iter::repeat_n(' ', count)),
                                "tab" => cell.shown.push('\t'),
                                _ => cell.shown.push('\n'),
                            }
                        }
                    }
                    _ => {}
                }
            }
            Event::Text(text) if notes == 0 => {
                if let Some(cell) = open.as_mut().filter(|cell| cell.paragraphs > 0) {
                    cell.shown.push_str(text);
                    size += text.len();
                    if size > MOST_TEXT {
                        return Err(SheetError::Unpacked(MOST_TEXT as u64 / 1_000_000));
                    }
                }
            }
            Event::GeneralRef(entity) if notes == 0 => {
                if let Some(cell) = open.as_mut().filter(|cell| cell.paragraphs > 0) {
                    let named = quick_xml::escape::resolve_predefined_entity(entity);
                    let char = entity.resolve_char_ref().ok().flatten();
                    cell.shown.extend(char);
                    cell.shown.push_str(named.unwrap_or_default());
                }
            }
            Event::End(end) if is_here => match end.local_name().as_ref() {
                "annotation" => notes = notes.saturating_sub(1),
                "table-cell" | "covered-table-cell" => {
                    if let Some(cell) = open.take() {
                        add(cell, (row, &mut column), &mut cells, &mut facts);
                    }
                }
                "table-row" => {
                    let own = cells[begun..].to_vec();
                    let more = if own.is_empty() { 0 } else { repeated - 1 };
                    for by in 1..=more {
                        rows += 1;
                        if rows > MOST_ROWS || cells.len() > MOST_CELLS {
                            return Err(SheetError::TooLong(MOST_ROWS));
                        }
                        let again = own.iter().map(|((row, column), text, shown)| {
                            ((row + by, *column), text.clone(), shown.clone())
                        });
                        cells.extend(again);
                    }
                    row = row.saturating_add(repeated);
                }
                "table" => is_here = false,
                _ => {}
            },
            _ => {}
        }
        match cells.len() > MOST_CELLS {
            true => Err(SheetError::TooLong(MOST_ROWS)),
            false => Ok(()),
        }
    })?;
    table(cells, facts)
}

/// Adds a cell at its place, as often as it is repeated.
fn add(cell: Open, (row, column): (u32, &mut u32), cells: &mut Vec<Cell>, facts: &mut Facts) {
    let at = *column;
    *column = column.saturating_add(cell.columns);
    let has_none = cell.stored.is_none() && cell.shown.is_empty();
    if cell.is_error {
        let what = format!("is {}, an error; it is left out", cell.shown);
        facts.cells.push(((row, at), what));
        return;
    }
    if has_none && cell.has_formula {
        let what = "has a formula without a stored value".to_owned();
        facts.cells.push(((row, at), what));
    }
    for below in (row + 1..row.saturating_add(cell.rows)).take(1000) {
        let what = format!("is merged with {}, whose value it lacks", place((row, at)));
        facts.cells.push(((below, at), what));
    }
    if has_none {
        return;
    }
    let (stored, shown) = match (cell.stored, cell.is_text) {
        (Some(stored), false) => {
            let shown = cell.shown.trim().to_owned();
            let is_other = shown != stored && !shown.is_empty();
            (stored, is_other.then_some(shown))
        }
        _ => (cell.shown, None),
    };
    let count = usize::try_from(cell.columns).unwrap_or(usize::MAX);
    for by in (0..cell.columns).take(count.min(MOST_COLUMNS + 1)) {
        cells.push(((row, at.saturating_add(by)), stored.clone(), shown.clone()));
    }
}
