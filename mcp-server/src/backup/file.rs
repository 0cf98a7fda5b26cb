//! The file: marks as lines of JSON, and between them the rows of each table, compressed.

use std::io::{self, BufRead, BufReader, Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::row::Tally;
use crate::database::SchemaVersion;

/// The version of the format.
const FORMAT: u32 = 1;
/// The line after the last row of a table. No row is the same: COPY doubles a backslash.
const END_OF_ROWS: &str = "\\.";

/// A line that is not a row.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Mark {
    Frontdesk(Start),
    Table(Table),
    Rows(Rows),
    Sequences(Vec<Sequence>),
    End(Totals),
}

/// The first line: where the backup comes from.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Start {
    /// The version of the format.
    pub format: u32,
    /// The numbers of the upgrades that the database had had.
    pub migrations: Vec<SchemaVersion>,
    /// The version of the program.
    pub program: String,
    /// The version of PostgreSQL.
    pub postgres: String,
    #[allow(missing_docs)]
    pub created_at: Timestamp,
}

impl Start {
    pub(super) fn new(migrations: Vec<SchemaVersion>, postgres: String) -> Start {
        Start {
            format: FORMAT,
            migrations,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            postgres,
            created_at: Timestamp::now(),
        }
    }

    /// The version of the schema.
    pub fn schema(&self) -> SchemaVersion {
        self.migrations.last().copied().unwrap_or_default()
    }
}

/// A table, and the columns of its rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Table {
    pub(super) schema: String,
    pub(super) name: String,
    pub(super) columns: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Rows {
    count: u64,
    sha256: String,
}

/// A sequence that was used, and its last value.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Sequence {
    pub(super) schema: String,
    pub(super) name: String,
    pub(super) last_value: i64,
}

/// What a backup contains.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// The number of tables.
    pub tables: u64,
    /// The number of rows in all tables.
    pub rows: u64,
}

/// Why a file is not a backup.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be read, or its compression is damaged.
    #[error("the backup is damaged or incomplete: {0}")]
    Read(#[from] io::Error),
    /// It is not a backup at all.
    #[error("the file is not a backup of Frontdesk")]
    NotABackup,
    /// It has a newer format.
    #[error("the backup has format {0}, and this program only knows {FORMAT}: use a newer version")]
    Format(u32),
    /// A line is not what it should be.
    #[error("the backup is damaged: line {0} cannot be read")]
    Line(u64),
    /// A table is not complete or was changed.
    #[error("the backup is damaged: the rows of {0} do not match their checksum")]
    Checksum(String),
    /// The totals do not match.
    #[error("the backup is damaged: its totals do not match")]
    Totals,
}

/// Writes a backup.
pub(super) struct Writer<W: Write> {
    out: GzEncoder<W>,
    tally: Tally,
    totals: Totals,
}

impl<W: Write> Writer<W> {
    pub(super) fn new(out: W, start: Start) -> io::Result<Writer<W>> {
        let mut writer = Writer {
            out: GzEncoder::new(out, Compression::default()),
            tally: Tally::default(),
            totals: Totals::default(),
        };
        writer.mark(&Mark::Frontdesk(start))?;
        Ok(writer)
    }

    fn mark(&mut self, mark: &Mark) -> io::Result<()> {
        self.line(&serde_json::to_string(mark)?)
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        self.out.write_all(line.as_bytes())?;
        self.out.write_all(b"\n")
    }

    pub(super) fn table(&mut self, table: Table) -> io::Result<()> {
        self.tally = Tally::default();
        self.mark(&Mark::Table(table))
    }

    pub(super) fn row(&mut self, line: &str) -> io::Result<()> {
        self.tally.add(line);
        self.line(line)
    }

    pub(super) fn end_of_table(&mut self) -> io::Result<()> {
        self.line(END_OF_ROWS)?;
        self.totals.tables += 1;
        self.totals.rows += self.tally.rows;
        self.mark(&Mark::Rows(Rows {
            count: self.tally.rows,
            sha256: self.tally.checksum(),
        }))
    }

    pub(super) fn end(mut self, sequences: Vec<Sequence>) -> io::Result<(W, Totals)> {
        self.mark(&Mark::Sequences(sequences))?;
        self.mark(&Mark::End(self.totals))?;
        Ok((self.out.finish()?, self.totals))
    }
}

/// A part of a backup.
#[derive(Debug)]
pub(super) enum Part {
    Table(Table),
    Row(String),
    /// The rows of the table match this.
    EndOfTable(Tally),
    Sequences(Vec<Sequence>),
    End(Totals),
}

/// Reads a backup and checks everything that it reads.
pub(super) struct Reader<R: Read> {
    lines: BufReader<GzDecoder<R>>,
    number: u64,
    /// The table whose rows come next.
    table: Option<String>,
    tally: Tally,
    totals: Totals,
}

impl<R: Read> Reader<R> {
    pub(super) fn new(file: R) -> Result<(Reader<R>, Start), FileError> {
        let mut reader = Reader {
            lines: BufReader::new(GzDecoder::new(file)),
            number: 0,
            table: None,
            tally: Tally::default(),
            totals: Totals::default(),
        };
        let first = reader.line().map_err(|_| FileError::NotABackup)?;
        let first: serde_json::Value =
            serde_json::from_str(&first).map_err(|_| FileError::NotABackup)?;
        let start = first.get("frontdesk").ok_or(FileError::NotABackup)?;
        match start.get("format").and_then(serde_json::Value::as_u64) {
            Some(format) if format == u64::from(FORMAT) => {}
            Some(format) => {
                return Err(FileError::Format(u32::try_from(format).unwrap_or(u32::MAX)));
            }
            None => return Err(FileError::NotABackup),
        }
        let start = Start::deserialize(start).map_err(|_| FileError::Line(1))?;
        Ok((reader, start))
    }

    fn line(&mut self) -> Result<String, FileError> {
        let mut line = String::new();
        self.number += 1;
        self.lines.read_line(&mut line)?;
        match line.pop() {
            Some('\n') => Ok(line),
            _ => Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()),
        }
    }

    fn mark(&self, line: &str) -> Result<Mark, FileError> {
        serde_json::from_str(line).map_err(|_| FileError::Line(self.number))
    }

    /// The next part; [`Part::End`] is the last.
    pub(super) fn next(&mut self) -> Result<Part, FileError> {
        let line = self.line()?;
        let Some(table) = &self.table else {
            return match self.mark(&line)? {
                Mark::Table(table) => {
                    self.table = Some(format!("{}.{}", table.schema, table.name));
                    self.tally = Tally::default();
                    Ok(Part::Table(table))
                }
                Mark::Sequences(sequences) => Ok(Part::Sequences(sequences)),
                Mark::End(totals) if totals == self.totals => self.end(totals),
                Mark::End(_) => Err(FileError::Totals),
                Mark::Frontdesk(_) | Mark::Rows(_) => Err(FileError::Line(self.number)),
            };
        };
        if line != END_OF_ROWS {
            self.tally.add(&line);
            return Ok(Part::Row(line));
        }
        let table = table.clone();
        let end = self.line()?;
        match self.mark(&end)? {
            Mark::Rows(rows)
                if rows.count == self.tally.rows && rows.sha256 == self.tally.checksum() =>
            {
                self.table = None;
                self.totals.tables += 1;
                self.totals.rows += self.tally.rows;
                Ok(Part::EndOfTable(self.tally.clone()))
            }
            Mark::Rows(_) => Err(FileError::Checksum(table)),
            _ => Err(FileError::Line(self.number)),
        }
    }

    /// Nothing follows, and the compression's own checksum is right.
    fn end(&mut self, totals: Totals) -> Result<Part, FileError> {
        match self.lines.fill_buf()?.is_empty() {
            true => Ok(Part::End(totals)),
            false => Err(FileError::Totals),
        }
    }
}

/// Reads a whole backup and checks it.
///
/// # Errors
/// [`FileError`] if it is damaged or incomplete.
pub(super) fn read(file: impl Read) -> Result<(Start, Totals), FileError> {
    let (mut reader, start) = Reader::new(file)?;
    loop {
        if let Part::End(totals) = reader.next()? {
            return Ok((start, totals));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A backup of one table, as lines.
    fn lines() -> Vec<String> {
        let start = Start::new(vec![SchemaVersion::default()], "18".to_owned());
        let mut writer = Writer::new(Vec::new(), start).expect("a writer");
        let table = Table {
            schema: "events".to_owned(),
            name: "guests".to_owned(),
            columns: vec!["id".to_owned(), "name".to_owned()],
        };
        writer.table(table).expect("a table");
        for row in ["1\tAna", "2\tBia"] {
            writer.row(row).expect("a row");
        }
        writer.end_of_table().expect("an end");
        let (bytes, totals) = writer.end(Vec::new()).expect("an end");
        assert_eq!((totals.tables, totals.rows), (1, 2));
        let lines = BufReader::new(GzDecoder::new(&*bytes)).lines();
        lines.map(|line| line.expect("a line")).collect()
    }

    /// What reading these lines says. Their compression is right.
    fn said(lines: &[String]) -> String {
        let mut out = GzEncoder::new(Vec::new(), Compression::fast());
        for line in lines {
            writeln!(out, "{line}").expect("a line");
        }
        let bytes = out.finish().expect("an end");
        read(&*bytes).map_or_else(
            |error| error.to_string(),
            |(_, totals)| format!("{totals:?}"),
        )
    }

    type Change = fn(&mut Vec<String>);

    #[test]
    fn a_row_that_was_changed_does_not_match_its_checksum() {
        let whole = lines();
        assert_eq!(said(&whole), "Totals { tables: 1, rows: 2 }");
        let checksum =
            "the backup is damaged: the rows of events.guests do not match their checksum";
        let cases: [(&str, Change, &str); 7] = [
            ("a row", |lines| lines[3] = "2\tBea".to_owned(), checksum),
            ("a row is missing", |lines| drop(lines.remove(3)), checksum),
            (
                "a row twice",
                |lines| lines.insert(3, lines[2].clone()),
                checksum,
            ),
            (
                "its count",
                |lines| lines[5] = lines[5].replace(":2", ":3"),
                checksum,
            ),
            (
                "no table",
                |lines| drop(lines.drain(1..6)),
                "the backup is damaged: its totals do not match",
            ),
            (
                "more at the end",
                |lines| lines.push("x".to_owned()),
                "the backup is damaged: its totals do not match",
            ),
            (
                "a mark",
                |lines| lines[1] = "{".to_owned(),
                "the backup is damaged: line 2 cannot be read",
            ),
        ];
        for (what, change, expected) in cases {
            let mut changed = whole.clone();
            change(&mut changed);
            assert_eq!(said(&changed), expected, "{what}");
        }
    }
}
