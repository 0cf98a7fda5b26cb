//! A spreadsheet in a CSV file, or an exported list: its encoding, its separator, its rows.

#[cfg(feature = "workbooks")]
mod child;
pub(super) mod encoding;
mod exported;
mod header;
#[cfg(feature = "workbooks")]
mod workbook;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Read;
use std::path::{Path, PathBuf};

use encoding::Charset;
use encoding_rs::UTF_8;
use frontdesk_protocol::csv::{Row, rows, separator};
use frontdesk_protocol::number::Mark;
use sha2::{Digest, Sha256};

use super::format;
use crate::look::safe::formula;
use header::{fit, named};

/// The maximum size of a file in bytes.
const MOST_BYTES: u64 = 64_000_000;
/// The maximum size of a row in bytes.
const MOST_ROW: usize = 1_000_000;
/// The maximum number of rows in a file.
const MOST_ROWS: usize = 200_000;
/// The format of workbooks.
const WORKBOOK: &str = "a workbook";
/// The maximum number of columns.
pub(super) const MOST_COLUMNS: usize = 1_000;
/// The heading of the column with the reason why a row was not imported.
pub const REASON: &str = "Import error";

/// Why a file cannot be imported.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum SheetError {
    #[error("{0}")]
    File(#[from] std::io::Error),
    #[error("it is not a regular file; save the rows in one and import that")]
    NotAFile,
    #[error("it has {0} MB; a file has at most 64 MB: split it into several")]
    TooLarge(u64),
    #[error("unpacked, it has more than {0} MB; save the sheet as CSV")]
    Unpacked(u64),
    #[error("line {line}: the row has {kilobytes} kB; a row has at most 1 MB")]
    LongRow { line: u64, kilobytes: usize },
    #[error(
        "it has {0} columns; a file has at most {MOST_COLUMNS}: remove those that are not imported"
    )]
    TooWide(usize),
    #[error("line {line}: {0}", line = .0.line)]
    Unclosed(#[from] frontdesk_protocol::csv::Unclosed),
    #[error("{0}")]
    NoEncoding(String),
    #[error("it is not a table: it looks like {0}")]
    NotATable(&'static str),
    #[error("line {line}: {what}; save the file as CSV UTF-8")]
    Encoding { line: u64, what: String },
    #[error("there is no sheet “{0}”; there are {1}")]
    NoSheet(String, String),
    #[error(
        "the sheet has more than {0} rows, or 3,000,000 cells; save the rows that are imported as CSV"
    )]
    TooLong(usize),
    #[error("it has more than 200,000 rows; split the file into several")]
    TooManyRows,
    #[error("{0}; save the sheet as CSV")]
    Reader(&'static str),
    #[error("{0}")]
    Said(String),
    #[error("it is empty; the first line must name the columns")]
    NoHeader,
    #[error("it names columns, but has no rows")]
    NoRows,
    #[error("it is JSON that cannot be imported: {0}")]
    Json(String),
}

/// A file of rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    /// The names of the columns.
    pub header: Vec<String>,
    /// The rows that are not empty, with at least one cell for each column. An apostrophe before a formula is removed.
    /// The line of a row in JSON is the number of its record.
    pub rows: Vec<Row>,
    /// The number of rows that are above the header.
    pub titles: usize,
    /// The line of the header.
    pub(super) header_line: u64,
    /// The columns with the name of an earlier one: the places of both.
    pub(super) repeats: Vec<(usize, usize)>,
    /// The columns that the last one joins.
    pub(super) joined: Vec<usize>,
    /// The encoding of the file.
    pub encoding: &'static str,
    /// A word that is another one in other encodings; of a workbook, the name of the sheet.
    sample: Option<String>,
    /// The decimal mark of all numbers, if it is known.
    pub(super) mark: Option<Mark>,
    /// Its format: CSV, JSON, Markdown or a workbook.
    pub format: &'static str,
    /// The separator of its cells; a comma if it is not CSV.
    pub separator: char,
    /// A digest of its text.
    pub digest: String,
    /// Of a workbook: the texts of cells, by line and column, that are shown in another notation than they are stored.
    other_notation: HashMap<(u64, usize), String>,
    /// The columns that have the shown notation.
    shown: BTreeSet<usize>,
    /// Of a workbook: hidden lines, and what is questionable about cells of a line.
    pub(super) hidden: BTreeSet<u64>,
    pub(super) odd_cells: BTreeMap<u64, String>,
    /// What is said of the whole sheet.
    pub notes: Vec<String>,
    /// The names of the visible sheets of a workbook.
    pub sheets: Vec<String>,
}

/// The bytes of a file that is not too large.
pub(super) fn bytes(path: &Path) -> Result<Vec<u8>, SheetError> {
    // Opening a pipe waits for its writer.
    let found = std::fs::metadata(path)?;
    if !found.is_file() {
        return Err(SheetError::NotAFile);
    }
    let size = found.len();
    if size > MOST_BYTES {
        return Err(SheetError::TooLarge(size.div_ceil(1_000_000)));
    }
    let mut bytes = Vec::new();
    // The file can grow.
    let file = std::fs::File::open(path)?;
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > MOST_BYTES {
        true => Err(SheetError::TooLarge(bytes.len() as u64 / 1_000_000)),
        false => Ok(bytes),
    }
}

impl Sheet {
    /// Reads a file in the encoding with this name, otherwise in the likeliest; of a workbook, the sheet with this name,
    /// otherwise the one that is open. `program` reads workbooks in a process of its own ([`answer_as_reader`]); without
    /// one, they are read here.
    ///
    /// # Errors
    /// [`SheetError`].
    pub fn read(
        path: &Path,
        encoding: Option<&str>,
        sheet: Option<&str>,
        program: Option<&Path>,
    ) -> Result<Sheet, SheetError> {
        let charset = encoding.map(Charset::named).transpose();
        let charset = charset.map_err(SheetError::NoEncoding)?;
        Sheet::within(&bytes(path)?, charset, sheet, program)
    }

    /// The sheet in these bytes.
    ///
    /// # Errors
    /// [`SheetError`].
    pub fn of(bytes: &[u8]) -> Result<Sheet, SheetError> {
        Sheet::within(bytes, None, None, None)
    }

    fn within(
        bytes: &[u8],
        charset: Option<Charset>,
        sheet: Option<&str>,
        program: Option<&Path>,
    ) -> Result<Sheet, SheetError> {
        if let Some(other) = format::other(bytes) {
            return Err(SheetError::NotATable(other));
        }
        if format::is_workbook(bytes) {
            return Sheet::of_workbook(bytes, sheet, program);
        }
        let (text, charset) = encoding::decode(bytes, charset)?;
        let is_plain = charset == Charset::Known(UTF_8);
        let sample = encoding::sample(&text).filter(|_| !is_plain);
        let digest = Sha256::digest(text.as_bytes());
        let (text, declared) = match declared(&text) {
            Some((separator, rest)) => (rest, Some(separator)),
            None => (&*text, None),
        };
        let exported = exported::json(text)?.map(|records| ("JSON", records));
        let exported = exported.or_else(|| Some(("Markdown", exported::markdown(text)?)));
        let (format, separator, records) = match exported {
            Some((format, records)) => (format, ',', records),
            None => {
                let separator = declared.unwrap_or_else(|| separator(text));
                // The header, and one too many.
                let records = rows(text, separator).take(MOST_ROWS + 2);
                let mut records = records.collect::<Result<Vec<_>, _>>()?;
                for record in &mut records {
                    record.line += u64::from(declared.is_some());
                }
                ("CSV", separator, records)
            }
        };
        if records.len() > MOST_ROWS + 1 {
            return Err(SheetError::TooManyRows);
        }
        let mut sheet = Sheet::with(records, format, separator, &digest)?;
        sheet.encoding = charset.name();
        sheet.sample = sample;
        Ok(sheet)
    }

    #[cfg(feature = "workbooks")]
    fn of_workbook(
        bytes: &[u8],
        wanted: Option<&str>,
        program: Option<&Path>,
    ) -> Result<Sheet, SheetError> {
        let book = match program {
            Some(program) => child::read(program, bytes, wanted)?,
            None => workbook::read(bytes, wanted)?,
        };
        let digest = Sha256::new().chain_update(bytes).chain_update(&book.which);
        let mut sheet = Sheet::with(book.rows, WORKBOOK, ',', &digest.finalize())?;
        sheet.sample = Some(book.which);
        sheet.mark = Some(Mark::Point);
        sheet.other_notation = book.shown;
        sheet.hidden = book.hidden.into_iter().collect();
        sheet.odd_cells = book.cells;
        sheet.notes = book.notes;
        sheet.sheets = book.sheets;
        Ok(sheet)
    }

    #[cfg(not(feature = "workbooks"))]
    fn of_workbook(_: &[u8], _: Option<&str>, _: Option<&Path>) -> Result<Sheet, SheetError> {
        let what = "a workbook, which this build cannot read; save the sheet as CSV";
        Err(SheetError::NotATable(what))
    }

    /// The sheet with these rows; the first one that is not empty names the columns.
    fn with(
        records: Vec<Row>,
        format: &'static str,
        separator: char,
        digest: &[u8],
    ) -> Result<Sheet, SheetError> {
        let mut header: Option<Vec<String>> = None;
        let (mut header_line, mut repeats) = (0, Vec::new());
        let mut filled = Vec::new();
        for Row { line, cells } in records {
            let bytes: usize = cells.iter().map(String::len).sum();
            if bytes > MOST_ROW {
                let kilobytes = bytes / 1000;
                return Err(SheetError::LongRow { line, kilobytes });
            }
            if cells.iter().all(|cell| cell.trim().is_empty()) {
                continue;
            }
            match &header {
                None => {
                    let names;
                    (names, repeats) = named(&cells)?;
                    header = Some(names);
                    header_line = line;
                }
                Some(header) => {
                    let mut cells = cells;
                    if format == "CSV" {
                        for cell in &mut cells {
                            *cell = formula(cell).to_owned();
                        }
                    }
                    fit(&mut cells, header.len());
                    filled.push(Row { line, cells });
                }
            }
        }
        let header = header.ok_or(SheetError::NoHeader)?;
        if filled.is_empty() {
            return Err(SheetError::NoRows);
        }
        Ok(Sheet {
            header,
            rows: filled,
            titles: 0,
            header_line,
            repeats,
            joined: Vec::new(),
            encoding: UTF_8.name(),
            sample: None,
            mark: None,
            format,
            separator,
            digest: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
            other_notation: HashMap::new(),
            shown: BTreeSet::new(),
            hidden: BTreeSet::new(),
            odd_cells: BTreeMap::new(),
            notes: Vec::new(),
            sheets: Vec::new(),
        })
    }

    /// Cells of these columns have the texts that are shown, those of others the stored ones.
    pub(super) fn show(&mut self, is_shown: impl Fn(usize) -> bool) {
        if self.other_notation.is_empty() {
            return;
        }
        for at in (0..self.header.len())
            .filter(|at| is_shown(*at) != self.shown.contains(at))
            .collect::<Vec<_>>()
        {
            if !self.shown.remove(&at) {
                self.shown.insert(at);
            }
            for row in &mut self.rows {
                if let Some(other) = self.other_notation.get_mut(&(row.line, at)) {
                    std::mem::swap(&mut row.cells[at], other);
                }
            }
        }
    }

    /// The encoding and the format, for people.
    #[must_use]
    pub fn format_words(&self) -> String {
        if let (WORKBOOK, Some(which)) = (self.format, &self.sample) {
            return which.clone();
        }
        let format = match (self.format, self.separator) {
            ("CSV", '\t') => "separated by tabs".to_owned(),
            ("CSV", separator) => format!("separated by “{separator}”"),
            (format, _) => format.to_owned(),
        };
        match &self.sample {
            Some(sample) => format!("{} (“{sample}”), {format}", self.encoding),
            None => format!("{}, {format}", self.encoding),
        }
    }

    /// Writes a file of the same format with these rows, each with a reason, beside those of its name: somebody may
    /// have corrected them. Returns its path.
    ///
    /// # Errors
    /// The file could not be written.
    pub fn write_failed(&self, path: &Path, rows: &[(&Row, String)]) -> std::io::Result<PathBuf> {
        let mut out = Vec::new();
        if self.encoding != UTF_8.name() {
            // Spreadsheet programs recognise UTF-8 by it.
            out.extend_from_slice("\u{feff}".as_bytes());
        }
        let own = self.header.iter().position(|name| name == REASON);
        let mut writer = csv::WriterBuilder::new()
            .delimiter(u8::try_from(self.separator).unwrap_or(b','))
            .flexible(true)
            .from_writer(&mut out);
        let mut write = |cells: &mut dyn Iterator<Item = Cow<'_, str>>, reason: &str| {
            let cells = cells.enumerate().filter(|(at, _)| Some(*at) != own);
            let cells: Vec<_> = cells.map(|(_, cell)| cell).collect();
            let reason = std::iter::once(reason);
            writer.write_record(cells.iter().map(AsRef::as_ref).chain(reason))
        };
        write(&mut self.header.iter().map(|name| name.into()), REASON)?;
        for (row, reason) in rows {
            let mut cells = row
                .cells
                .iter()
                .map(|cell| crate::formats::no_formula(cell));
            write(&mut cells, reason)?;
        }
        writer.flush()?;
        drop(writer);
        crate::files::write_beside(path, &out)
    }
}

/// If this process was started only to read a workbook, reads it and ends the process.
pub fn answer_as_reader() {
    #[cfg(feature = "workbooks")]
    child::answer();
}

/// The separator that the first line declares, as `sep=;`, and the other lines.
fn declared(text: &str) -> Option<(char, &str)> {
    let end = text.find(['\r', '\n'])?;
    let (first, rest) = text.split_at(end);
    let rest = rest.strip_prefix("\r\n").unwrap_or(&rest[1..]);
    let first = first.trim_matches(['"', ' ']);
    let (name, separator) = first.split_at_checked("sep=".len())?;
    let separator = separator.chars().next()?;
    name.eq_ignore_ascii_case("sep=")
        .then_some((separator, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(bytes: &[u8]) -> Sheet {
        Sheet::of(bytes).expect("a sheet")
    }

    fn utf16(text: &str) -> Vec<u8> {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        units.flat_map(u16::to_le_bytes).collect()
    }

    #[test]
    fn what_spreadsheet_programs_write_is_read() {
        let expected = vec![
            vec!["Zoë".to_owned(), "a,b; c".to_owned()],
            vec!["José".to_owned(), String::new()],
        ];
        let text = |separator: &str| {
            format!("Name{separator}Note\r\nZoë{separator}\"a,b; c\"\r\nJosé\r\n\r\n")
        };
        let windows = encoding_rs::WINDOWS_1252.encode(&text(";")).0.into_owned();
        for (bytes, separator, encoding) in [
            (text(",").into_bytes(), ',', "UTF-8"),
            (text(";").into_bytes(), ';', "UTF-8"),
            (
                format!("\u{feff}{}", text("\t")).into_bytes(),
                '\t',
                "UTF-8",
            ),
            (format!("sep=|\r\n{}", text("|")).into_bytes(), '|', "UTF-8"),
            (utf16(&text("\t")), '\t', "UTF-16LE"),
            (utf16(&text("\t"))[2..].to_vec(), '\t', "UTF-16LE"),
            (windows, ';', "windows-1252"),
        ] {
            let read = sheet(&bytes);
            assert_eq!((read.separator, read.encoding), (separator, encoding));
            assert_eq!(read.header, ["Name", "Note"]);
            let cells: Vec<_> = read.rows.iter().map(|row| row.cells.clone()).collect();
            assert_eq!(cells, expected, "{encoding}");
        }
    }

    #[test]
    fn a_row_knows_its_line() {
        let text = "name,note\nAna,\"two\nlines\"\n\nBia,x\n";
        for end in ["\n", "\r\n", "\r"] {
            for (declared, expected) in [("", [2, 5]), ("SEP=,\n", [3, 6])] {
                let text = format!("{declared}{text}").replace('\n', end);
                let read = sheet(text.as_bytes());
                let lines: Vec<_> = read.rows.iter().map(|row| row.line).collect();
                assert_eq!(lines, expected, "{text:?}");
            }
        }
        let mixed = b"name\rZo\xc3\xab\r\nJos\xc3\xa9\nAn\xe9\n";
        let wrong = Sheet::of(mixed).expect_err("an error").to_string();
        assert!(wrong.starts_with("line 4: the byte 0xE9"), "{wrong}");
    }

    #[test]
    fn what_cannot_be_read_is_named_with_its_line() {
        let wrong = |bytes: &[u8]| Sheet::of(bytes).expect_err("an error").to_string();
        let mixed = [b"name\nZo\xc3\xab\nJos\xc3\xa9\nAn\xe9\n".as_slice()].concat();
        assert_eq!(
            wrong(&mixed),
            "line 4: the byte 0xE9 is not UTF-8, unlike the rest of the file; save the file as CSV UTF-8"
        );
        let marked = [b"\xef\xbb\xbfname\nAna\nZo\xeb\n".as_slice()].concat();
        assert_eq!(
            wrong(&marked),
            "line 3: it is not UTF-8; save the file as CSV UTF-8"
        );
        assert!(wrong(b"name\nAna\0\n").starts_with("line 2: it contains a NUL"));
        assert!(wrong(b"").starts_with("it is empty"));
        assert!(wrong(b"name\n\n").starts_with("it names columns"));
        let many = "name\n".to_owned() + &"a\n".repeat(MOST_ROWS + 1);
        assert_eq!(
            wrong(many.as_bytes()),
            "it has more than 200,000 rows; split the file into several"
        );
        let long = format!("name\nAna\n{}\n", "x".repeat(MOST_ROW + 1));
        assert!(wrong(long.as_bytes()).starts_with("line 3: the row has 1000 kB"));
    }

    #[test]
    fn an_exported_formula_is_text_again() {
        let read = sheet(b"name,debt\n'=1+1,-12\n'quoted',''=x\n");
        assert_eq!(read.rows[0].cells, ["=1+1", "-12"]);
        assert_eq!(read.rows[1].cells, ["'quoted'", "'=x"]);
    }

    #[test]
    fn failed_rows_are_a_file_of_the_same_format() {
        let read = sheet("Name;Import error\nZoë;old\n=x;\n".as_bytes());
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("guests.failed.csv");
        let rows = [
            (&read.rows[0], "wrong; really".to_owned()),
            (&read.rows[1], "too".to_owned()),
        ];
        read.write_failed(&path, &rows).expect("written");
        let text = std::fs::read_to_string(&path).expect("text");
        assert_eq!(text, "Name;Import error\nZoë;\"wrong; really\"\n'=x;too\n");
        assert_eq!(sheet(text.as_bytes()).rows[1].cells[0], "=x");
    }
}
