//! A spreadsheet in a CSV file, or an exported list: its encoding, its separator, its rows.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use frontdesk_protocol::csv::{Row, line_ends, rows, separator};
use sha2::{Digest, Sha256};

use super::exported;
use crate::app::look::safe::formula;

/// The maximum size of a file in bytes.
const MOST_BYTES: u64 = 64_000_000;
/// The maximum size of a row in bytes.
const MOST_ROW: usize = 1_000_000;
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
    #[error("line {line}: the row has {kilobytes} kB; a row has at most 1 MB")]
    LongRow { line: u64, kilobytes: usize },
    #[error(
        "it has {0} columns; a file has at most {MOST_COLUMNS}: remove those that are not imported"
    )]
    TooWide(usize),
    #[error("line {line}: {0}", line = .0.line)]
    Unclosed(#[from] frontdesk_protocol::csv::Unclosed),
    #[error("line {line}: {what}; save the file as CSV UTF-8")]
    Encoding { line: u64, what: String },
    #[error("it is empty; the first line must name the columns")]
    NoHeader,
    #[error("it names columns, but has no rows")]
    NoRows,
    #[error("it is JSON that cannot be imported: {0}")]
    Json(String),
    #[error("the columns {0} and {1} have the same name, “{2}”; rename one")]
    Twice(usize, usize, String),
}

/// A file of rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    /// The names of the columns.
    pub header: Vec<String>,
    /// The rows that are not empty, with at least one cell for each column. An apostrophe before a formula is removed.
    /// The line of a row in JSON is the number of its record.
    pub rows: Vec<Row>,
    /// The encoding of the file.
    pub encoding: &'static str,
    /// Its format: CSV, JSON or Markdown.
    pub format: &'static str,
    /// The separator of its cells; a comma if it is not CSV.
    pub separator: char,
    /// A digest of the file.
    pub digest: String,
}

impl Sheet {
    /// Reads a file.
    ///
    /// # Errors
    /// [`SheetError`].
    pub fn read(path: &Path) -> Result<Sheet, SheetError> {
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
        if bytes.len() as u64 > MOST_BYTES {
            return Err(SheetError::TooLarge(bytes.len() as u64 / 1_000_000));
        }
        Sheet::of(&bytes)
    }

    /// The sheet in these bytes.
    ///
    /// # Errors
    /// [`SheetError`].
    pub fn of(bytes: &[u8]) -> Result<Sheet, SheetError> {
        let (text, encoding) = decode(bytes)?;
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
                let mut records = rows(text, separator).collect::<Result<Vec<_>, _>>()?;
                for record in &mut records {
                    record.line += u64::from(declared.is_some());
                }
                ("CSV", separator, records)
            }
        };
        let mut header: Option<Vec<String>> = None;
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
                None => header = Some(named(&cells)?),
                Some(header) => {
                    let mut cells = cells;
                    if format == "CSV" {
                        for cell in &mut cells {
                            *cell = formula(cell).to_owned();
                        }
                    }
                    while cells.len() > header.len()
                        && cells.last().is_some_and(|cell| cell.trim().is_empty())
                    {
                        cells.pop();
                    }
                    cells.resize(cells.len().max(header.len()), String::new());
                    filled.push(Row { line, cells });
                }
            }
        }
        let header = header.ok_or(SheetError::NoHeader)?;
        if filled.is_empty() {
            return Err(SheetError::NoRows);
        }
        let digest = Sha256::digest(bytes);
        Ok(Sheet {
            header,
            rows: filled,
            encoding,
            format,
            separator,
            digest: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
        })
    }

    /// A file of the same format with these rows, each with a reason.
    ///
    /// # Errors
    /// The file could not be written.
    pub fn write_failed(&self, path: &Path, rows: &[(&Row, &str)]) -> std::io::Result<()> {
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
        std::fs::write(path, out)
    }
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

/// The names of the columns. A nameless column at the end is dropped.
fn named(record: &[String]) -> Result<Vec<String>, SheetError> {
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

/// The text, and the name of its encoding: that of the byte order mark, otherwise UTF-8, otherwise the likeliest.
fn decode(bytes: &[u8]) -> Result<(Cow<'_, str>, &'static str), SheetError> {
    let (encoding, text) = match Encoding::for_bom(bytes) {
        Some((encoding, mark)) => (encoding, &bytes[mark..]),
        None => (likely(bytes)?, bytes),
    };
    let Some(decoded) = encoding.decode_without_bom_handling_and_without_replacement(text) else {
        let (replaced, _) = encoding.decode_without_bom_handling(text);
        let what = format!("it is not {}", encoding.name());
        return Err(wrong(&replaced, '\u{fffd}', what));
    };
    if decoded.contains('\0') {
        return Err(wrong(
            &decoded,
            '\0',
            "it contains a NUL character".to_owned(),
        ));
    }
    if encoding != UTF_8
        && let Some(control) = decoded.chars().find(|c| matches!(c, '\u{80}'..='\u{9f}'))
    {
        let what = format!("it is neither UTF-8 nor {}", encoding.name());
        return Err(wrong(&decoded, control, what));
    }
    Ok((decoded, encoding.name()))
}

/// The encoding of a file without a byte order mark.
fn likely(bytes: &[u8]) -> Result<&'static Encoding, SheetError> {
    let start = &bytes[..bytes.len().min(4096)];
    let zeros = |from: usize| {
        start
            .iter()
            .skip(from)
            .step_by(2)
            .filter(|byte| **byte == 0)
            .count()
    };
    match (zeros(0), zeros(1)) {
        (even, odd) if odd > start.len() / 4 && even == 0 => return Ok(UTF_16LE),
        (even, odd) if even > start.len() / 4 && odd == 0 => return Ok(UTF_16BE),
        _ => {}
    }
    let (mut valid, mut invalid, mut lines, mut first) = (0, 0, 1, None);
    for chunk in bytes.utf8_chunks() {
        valid += chunk
            .valid()
            .chars()
            .filter(|char| !char.is_ascii())
            .count();
        lines += line_ends(chunk.valid());
        if let Some(byte) = chunk.invalid().first() {
            invalid += 1;
            first.get_or_insert((lines, *byte));
        }
    }
    match first {
        None => Ok(UTF_8),
        // Several characters of UTF-8 are no coincidence: a part of the file has another encoding.
        Some((line, byte)) if valid > invalid => Err(SheetError::Encoding {
            line,
            what: format!("the byte {byte:#04X} is not UTF-8, unlike the rest of the file"),
        }),
        Some(_) => {
            let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
            detector.feed(bytes, true);
            Ok(detector.guess(None, Utf8Detection::Deny))
        }
    }
}

fn wrong(text: &str, found: char, what: String) -> SheetError {
    let before = text.split(found).next().unwrap_or_default();
    SheetError::Encoding {
        line: 1 + line_ends(before),
        what,
    }
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
        assert!(wrong(b"name,a,name\nx,y,z\n").starts_with("the columns 1 and 3"));
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
        let path = tempfile::NamedTempFile::new().expect("a file");
        let rows = [(&read.rows[0], "wrong; really"), (&read.rows[1], "too")];
        read.write_failed(path.path(), &rows).expect("written");
        let text = std::fs::read_to_string(path.path()).expect("text");
        assert_eq!(text, "Name;Import error\nZoë;\"wrong; really\"\n'=x;too\n");
        assert_eq!(sheet(text.as_bytes()).rows[1].cells[0], "=x");
    }
}
