//! Output formats for results, on stdout or in a file: JSON, table, CSV, Markdown.

mod changes;
mod content;
mod fit;

use std::io::{self, Write};

use clap::ValueEnum;
use frontdesk_protocol::exact;
use serde_json::Value;
use unicode_width::UnicodeWidthStr;

pub(crate) use crate::look::safe::{lines, no_formula, safe_json};
pub use changes::change_rows;
pub use content::{content_rows, content_text};

use crate::look::text::{clean, fit as cut};
use crate::tabular::{Tabular, at, cell, columns};
use fit::{Column, Fit};

/// An output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// As the tool returned it; on one line unless written to a terminal.
    Json,
    /// Aligned columns for people.
    Table,
    /// A header, and a line per record; nested values are JSON.
    Csv,
    /// A Markdown table.
    Markdown,
}

impl Format {
    /// The ending of a file's name.
    pub(crate) fn ending(self) -> &'static str {
        match self {
            Format::Json => "json",
            Format::Csv => "csv",
            Format::Markdown => "md",
            Format::Table => "txt",
        }
    }
}

/// The cells of a record, as tab-separated values that are safe to paste, in the order of the columns
/// of these records.
pub(crate) fn tab_separated(record: &Value, items: &[Value]) -> String {
    let cells = columns(items).into_iter().map(|(name, _)| {
        let cell = record.get(&name).map_or(String::new(), cell);
        clean(&cell).into_owned()
    });
    cells.collect::<Vec<_>>().join("\t")
}

/// The reader of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// A person at a terminal of this width. Control characters except line breaks are removed, and
    /// tables fit the width, if there is one.
    Terminal(Option<usize>),
    /// A program: the output is complete. As in a file, a CSV cell that a spreadsheet would read as a
    /// formula begins with an apostrophe.
    Program,
    /// A person who opens the file in any application: no control characters.
    File,
}

/// Why a result cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Paged output needs a list, and the result is not one.
    #[error("the answer is not a list")]
    NoList,
}

/// What a table lacks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lacks {
    /// Columns that do not fit the terminal.
    pub hidden: Vec<String>,
    /// Chosen fields that no record has.
    pub missing: Vec<String>,
    /// The fields of the records, if some are missing.
    pub fields: Vec<String>,
}

/// Writes results in a format.
#[derive(Debug)]
pub struct Paper<W: Write> {
    format: Format,
    reader: Reader,
    out: W,
    /// The chosen fields; empty for all.
    chosen: Vec<String>,
    /// The columns of the current list, with their widths.
    columns: Vec<(String, usize)>,
    /// What the output lacks.
    lacks: Lacks,
    /// The name of the current list, and the number of records written.
    list: Option<(String, u64)>,
}

impl<W: Write> Paper<W> {
    /// A writer for this format and reader.
    pub fn new(format: Format, reader: Reader, out: W) -> Self {
        Paper {
            format,
            reader,
            out,
            chosen: Vec::new(),
            columns: Vec::new(),
            lacks: Lacks::default(),
            list: None,
        }
    }

    /// Writes only these fields of a record, in this order; `tags.table` is nested. JSON is always
    /// complete.
    #[must_use]
    pub fn with_columns(mut self, columns: Vec<String>) -> Self {
        self.chosen = columns;
        self
    }

    /// What the output lacks, and its destination.
    pub fn into_parts(self) -> (Lacks, W) {
        (self.lacks, self.out)
    }

    /// Writes one result.
    ///
    /// # Errors
    /// [`WriteError::Io`].
    pub fn whole(&mut self, result: &Value) -> Result<(), WriteError> {
        if self.format == Format::Json {
            let text = match self.reader {
                Reader::Program => exact::text(result),
                Reader::Terminal(_) | Reader::File => exact::pretty(result),
            };
            self.line(&text)?;
            return self.flush();
        }
        let Some(shape) = Tabular::of(result) else {
            // A list of plain values has one on each line.
            let is_plain = |value: &Value| !value.is_array() && !value.is_object();
            match result {
                Value::Array(values) if values.iter().all(is_plain) => {
                    self.columns = vec![("value".to_owned(), 0)];
                    values
                        .iter()
                        .try_for_each(|value| self.row(&[cell(value)]))?;
                }
                result => self.line(&cell(result))?,
            }
            return self.flush();
        };
        match (&shape.list, self.format) {
            // For CSV, only the list of records is written.
            (Some((_, items)), Format::Csv) => {
                self.rows(items)?;
            }
            (Some((_, items)), _) => {
                if !shape.fields.is_empty() && self.chosen.is_empty() {
                    self.record(&shape.fields)?;
                    self.line("")?;
                }
                self.rows(items)?;
            }
            (None, _) => self.record(&shape.fields)?,
        }
        self.flush()
    }

    /// Writes the JSON of a result as it was received, if a program reads it.
    ///
    /// # Errors
    /// [`WriteError::Io`].
    pub fn received(&mut self, text: &str, result: &Value) -> Result<(), WriteError> {
        let is_json = || serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
        match (self.format, self.reader) {
            (Format::Json, Reader::Program) if is_json() => {
                self.line(text)?;
                self.flush()
            }
            _ => self.whole(result),
        }
    }

    /// Writes a page of a list that continues. Returns its number of records.
    ///
    /// # Errors
    /// [`WriteError::NoList`] if it is not a list; otherwise [`WriteError::Io`].
    pub fn page(&mut self, result: &Value) -> Result<u64, WriteError> {
        let shape = Tabular::of(result);
        let Some((name, items)) = shape.as_ref().and_then(|shape| shape.list) else {
            return Err(WriteError::NoList);
        };
        if self.format == Format::Json {
            self.json_page(name, items)?;
        } else {
            self.rows(items)?;
        }
        self.flush()?;
        Ok(items.len() as u64)
    }

    /// Ends a list written in pages.
    ///
    /// # Errors
    /// [`WriteError::Io`].
    pub fn end(&mut self) -> Result<(), WriteError> {
        if self.format == Format::Json {
            self.line("]}")?;
        }
        self.flush()
    }

    /// Writes all pages as one JSON document.
    fn json_page(&mut self, name: &str, items: &[Value]) -> Result<(), WriteError> {
        let mut written = match self.list.take() {
            Some((_, written)) => written,
            None => {
                self.text(&format!("{{{}:[", Value::from(name)))?;
                0
            }
        };
        for item in items {
            let separator = if written > 0 { "," } else { "" };
            self.text(&format!("{separator}{}", exact::text(item)))?;
            written += 1;
        }
        self.list = Some((name.to_owned(), written));
        Ok(())
    }

    /// Writes records as rows; the columns are those of the first page.
    fn rows(&mut self, items: &[Value]) -> Result<(), WriteError> {
        if self.columns.is_empty() && !items.is_empty() {
            self.columns = self.first_columns(items);
            let names: Vec<_> = self.columns.iter().map(|(name, _)| name.clone()).collect();
            self.row(&names)?;
            if self.format == Format::Markdown {
                let rule = vec!["---".to_owned(); names.len()];
                self.row(&rule)?;
            }
        }
        for item in items {
            let cells: Vec<_> = self
                .columns
                .iter()
                .map(|(name, _)| at(item, name).map_or(String::new(), cell))
                .collect();
            self.row(&cells)?;
        }
        Ok(())
    }

    /// The chosen columns or those of the records, with widths that fit the terminal.
    fn first_columns(&mut self, items: &[Value]) -> Vec<(String, usize)> {
        let all = columns(items);
        let is_chosen = !self.chosen.is_empty();
        let columns = match is_chosen {
            false => all,
            true => {
                let width = |name: &str| {
                    let cells = items.iter().filter_map(|item| at(item, name));
                    let widest = cells.map(|value| cell(value).width()).max();
                    widest.unwrap_or(0).max(name.width())
                };
                let has = |name: &String| items.iter().any(|item| at(item, name).is_some());
                let missing: Vec<_> = self.chosen.iter().filter(|name| !has(name)).collect();
                self.lacks.missing = missing.into_iter().cloned().collect();
                self.lacks.fields = all.into_iter().map(|(name, _)| name).collect();
                let chosen = self.chosen.iter();
                chosen.map(|name| (name.clone(), width(name))).collect()
            }
        };
        match (self.reader, self.format) {
            (Reader::Terminal(Some(width)), Format::Table) => {
                let is_wide = columns.iter().map(|(_, width)| width + 2).sum::<usize>() > width;
                let is_empty = |name: &str| {
                    let mut cells = items.iter().filter_map(|item| at(item, name));
                    cells.all(|value| cell(value).is_empty())
                };
                // Empty columns make room for the others.
                let (empty, columns): (Vec<_>, Vec<_>) = columns
                    .into_iter()
                    .partition(|(name, _)| is_wide && !is_chosen && is_empty(name));
                let columns = columns.into_iter().map(|(name, width)| {
                    let mut cells = items.iter().filter_map(|item| at(item, &name));
                    let is_text = cells.any(|value| cell(value).contains(' '));
                    Column {
                        name,
                        width,
                        is_text,
                    }
                });
                let Fit { shown, hidden } = fit::fit(columns.collect(), width, is_chosen);
                self.lacks.hidden = hidden;
                let empty = empty.into_iter().map(|(name, _)| name);
                self.lacks.hidden.extend(empty);
                shown
            }
            _ => columns,
        }
    }

    fn record(&mut self, fields: &[(&String, &Value)]) -> Result<(), WriteError> {
        let fields: Vec<(String, String)> = match self.chosen.is_empty() {
            true => fields
                .iter()
                .map(|(name, value)| ((*name).clone(), cell(value)))
                .collect(),
            false => {
                let record = fields
                    .iter()
                    .map(|(name, value)| ((*name).clone(), (*value).clone()));
                let record = Value::Object(record.collect());
                let has = |name: &&String| at(&record, name).is_none();
                self.lacks.missing = self.chosen.iter().filter(has).cloned().collect();
                self.lacks.fields = fields.iter().map(|(name, _)| (*name).clone()).collect();
                let chosen = self.chosen.iter();
                chosen
                    .map(|name| (name.clone(), at(&record, name).map_or(String::new(), cell)))
                    .collect()
            }
        };
        if self.format == Format::Csv {
            let (names, values): (Vec<_>, Vec<_>) = fields.into_iter().unzip();
            self.row(&names)?;
            return self.row(&values);
        }
        let width = fields
            .iter()
            .map(|(name, _)| name.width())
            .max()
            .unwrap_or(0);
        if let (Reader::Terminal(Some(all)), Format::Table) = (self.reader, self.format) {
            return self.wrapped(&fields, width, all);
        }
        self.columns = vec![("field".to_owned(), width), ("value".to_owned(), 0)];
        if self.format == Format::Markdown {
            self.row(&["field".to_owned(), "value".to_owned()])?;
            self.row(&["---".to_owned(), "---".to_owned()])?;
        }
        for (name, value) in fields {
            self.row(&[name, value])?;
        }
        self.columns.clear();
        Ok(())
    }

    /// Writes fields with their values wrapped beside the names.
    fn wrapped(
        &mut self,
        fields: &[(String, String)],
        width: usize,
        all: usize,
    ) -> Result<(), WriteError> {
        let room = all.saturating_sub(width + 2).max(fit::NARROWEST);
        for (name, value) in fields {
            let value = lines(value);
            let mut name = name.as_str();
            for line in textwrap::wrap(&value, room) {
                let gap = " ".repeat(width.saturating_sub(name.width()) + 2);
                self.line(format!("{name}{gap}{line}").trim_end())?;
                name = "";
            }
        }
        Ok(())
    }

    fn row(&mut self, cells: &[String]) -> Result<(), WriteError> {
        let line = match self.format {
            Format::Csv => {
                let mut writer = csv::Writer::from_writer(Vec::new());
                let cells: Vec<_> = cells.iter().map(|cell| no_formula(cell)).collect();
                let written = writer.write_record(cells.iter().map(AsRef::as_ref)).ok();
                let bytes = written.and_then(|()| writer.into_inner().ok());
                let text = String::from_utf8(bytes.unwrap_or_default()).unwrap_or_default();
                text.trim_end_matches('\n').to_owned()
            }
            Format::Markdown => {
                let cells: Vec<_> = cells
                    .iter()
                    .map(|cell| {
                        cell.replace('\\', "\\\\")
                            .replace('|', "\\|")
                            .replace('\n', "<br>")
                    })
                    .collect();
                format!("| {} |", cells.join(" | "))
            }
            Format::Table | Format::Json => {
                let mut line = String::new();
                for (at, text) in cells.iter().enumerate() {
                    let width = self.columns.get(at).map_or(0, |(_, width)| *width);
                    let text = clean(&text.replace('\n', " ")).into_owned();
                    let text = match self.reader {
                        Reader::Terminal(Some(_)) => cut(&text, width),
                        _ => text,
                    };
                    let gap = width.saturating_sub(text.width()) + 2;
                    line += &text;
                    line += &" ".repeat(gap);
                }
                line.trim_end().to_owned()
            }
        };
        self.line(&line)
    }

    fn line(&mut self, text: &str) -> Result<(), WriteError> {
        self.text(text)?;
        self.text("\n")
    }

    fn text(&mut self, text: &str) -> Result<(), WriteError> {
        let text = match (self.reader, self.format) {
            (Reader::Program, Format::Json) => text.into(),
            // A program passes on what it gets, in the end to a terminal.
            (Reader::Program, _) => {
                let is_kept = |char: &char| !char.is_control() || "\n\r\t".contains(*char);
                text.chars().filter(is_kept).collect()
            }
            // JSON escapes keep the text complete and harmless.
            (Reader::File, Format::Json) => safe_json(text),
            (Reader::Terminal(_) | Reader::File, _) => lines(text),
        };
        Ok(self.out.write_all(text.as_bytes())?)
    }

    fn flush(&mut self) -> Result<(), WriteError> {
        Ok(self.out.flush()?)
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use serde_json::json;

    use super::*;

    fn written(format: Format, pages: &[Value]) -> String {
        let mut out = Vec::new();
        let mut paper = Paper::new(format, Reader::Program, &mut out);
        match pages {
            [one] => paper.whole(one).expect("written"),
            pages => {
                for page in pages {
                    paper.page(page).expect("written");
                }
                paper.end().expect("ended");
            }
        }
        String::from_utf8(out).expect("text")
    }

    fn guests(names: &[&str], has_more: bool) -> Value {
        let guests: Vec<_> = names
            .iter()
            .map(|name| json!({ "id": "1", "name": name, "check_in_at": null, "tags": { "table": 7 } }))
            .collect();
        json!({ "guests": guests, "limit": 50, "offset": 0, "has_more": has_more })
    }

    #[test]
    fn a_list_is_a_table() {
        assert_snapshot!(written(Format::Table, &[guests(&["Zoë", "王小明"], false)]), @r#"
        name    check_in_at  id  tags
        Zoë                  1   {"table":7}
        王小明               1   {"table":7}
        "#);
    }

    #[test]
    fn empty_columns_make_room_on_a_terminal() {
        let mut out = Vec::new();
        let mut paper = Paper::new(Format::Table, Reader::Terminal(Some(24)), &mut out);
        let records = json!([{ "empty": null, "name": "a", "text": "as long as it is" }]);
        paper.whole(&records).expect("written");
        assert_eq!(paper.into_parts().0.hidden, ["empty"]);
        let written = String::from_utf8(out).expect("text");
        assert_eq!(written, "name  text\na     as long as it is\n");
    }

    #[test]
    fn a_record_is_a_table_of_its_fields() {
        let record = json!({ "meeting": { "id": "1", "title": "Weekly", "template": null } });
        assert_snapshot!(written(Format::Table, &[record]), @r"
        title     Weekly
        template
        id        1
        ");
    }

    #[test]
    fn a_plan_is_its_fields_and_its_list() {
        let plan = json!({ "dry_run": true, "digest": "ab", "occurrences": [{ "action": "promote", "id": "1" }] });
        assert_snapshot!(written(Format::Table, &[plan]), @r"
        dry_run  true
        digest   ab

        action   id
        promote  1
        ");
    }

    #[test]
    fn csv_quotes_what_needs_it() {
        let page = guests(&["Said \"hi\", left", "two\nlines"], false);
        assert_snapshot!(written(Format::Csv, &[page]), @r#"
        name,check_in_at,id,tags
        "Said ""hi"", left",,1,"{""table"":7}"
        "two
        lines",,1,"{""table"":7}"
        "#);
    }

    #[test]
    fn markdown_keeps_its_columns_apart() {
        assert_snapshot!(written(Format::Markdown, &[guests(&["a|b"], false)]), @r#"
        | name | check_in_at | id | tags |
        | --- | --- | --- | --- |
        | a\|b |  | 1 | {"table":7} |
        "#);
    }

    #[test]
    fn pages_are_one_document() {
        let pages = [guests(&["a"], true), guests(&["b", "c"], false)];
        let document: Value = serde_json::from_str(&written(Format::Json, &pages)).expect("JSON");
        let names: Vec<_> = document["guests"]
            .as_array()
            .expect("guests")
            .iter()
            .map(|guest| &guest["name"])
            .collect();
        assert_eq!(names, ["a", "b", "c"]);
        let lines = written(Format::Csv, &pages);
        assert_eq!(
            lines
                .lines()
                .filter(|line| line.starts_with("name,"))
                .count(),
            1
        );
    }

    #[test]
    fn csv_has_every_digit_and_no_formula() {
        let page = json!({ "guests": [{ "name": "=HYPERLINK(\"x\")", "debt": -12, "note": "-" }] });
        assert_eq!(
            written(Format::Csv, &[page]),
            "name,debt,note\n\"'=HYPERLINK(\"\"x\"\")\",-12,'-\n"
        );
    }

    #[test]
    fn a_file_of_json_loses_nothing_and_does_nothing_to_a_terminal() {
        let evil = json!({ "name": "\u{1b}[2J\u{202e}\u{9b}x" });
        let mut out = Vec::new();
        Paper::new(Format::Json, Reader::File, &mut out)
            .whole(&evil)
            .expect("written");
        let text = String::from_utf8(out).expect("text");
        assert!(text.is_ascii(), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON"), evil);
    }

    fn on_a_terminal(width: usize, columns: &[&str], result: &Value) -> (String, Lacks) {
        let columns = columns.iter().map(|name| (*name).to_owned()).collect();
        let mut out = Vec::new();
        let reader = Reader::Terminal(Some(width));
        let mut paper = Paper::new(Format::Table, reader, &mut out).with_columns(columns);
        paper.whole(result).expect("written");
        let (lacks, _) = paper.into_parts();
        (String::from_utf8(out).expect("text"), lacks)
    }

    #[test]
    fn a_table_fits_the_terminal() {
        let id = "0190a1b2-0000-7000-8000-000000000001";
        let note = "Arrives with two colleagues from the other organisation";
        let page = json!({ "guests": [{ "id": id, "name": "Zoë Müller", "note": note, "role": "speaker",
            "email": "zoe@example.org", "tags": { "table": 7 } }] });
        let (table, lacks) = on_a_terminal(80, &[], &page);
        assert_snapshot!(table, @r"
        name        role     note                   id
        Zoë Müller  speaker  Arrives with two col…  0190a1b2-0000-7000-8000-000000000001
        ");
        assert_eq!(lacks.hidden, ["email", "tags"]);
        // Of the chosen columns, the last ones have no room: ids and times are never cut.
        let chosen = ["name", "role", "id", "email"];
        let (table, lacks) = on_a_terminal(40, &chosen, &page);
        assert_snapshot!(table, @r"
        name        role     email
        Zoë Müller  speaker  zoe@example.org
        ");
        assert_eq!(lacks.hidden, ["id"]);
        let (table, lacks) = on_a_terminal(80, &["note", "tags.table", "nmae"], &page);
        assert_snapshot!(table, @r"
        note                                                     tags.table  nmae
        Arrives with two colleagues from the other organisation  7
        ");
        assert_eq!(
            (lacks.hidden, lacks.missing),
            (vec![], vec!["nmae".to_owned()])
        );
    }

    #[test]
    fn the_values_of_a_record_are_wrapped_and_not_cut() {
        let record = json!({ "guest": { "name": "Zoë", "note": "Arrives with two colleagues" } });
        let (table, _) = on_a_terminal(24, &[], &record);
        assert_snapshot!(table, @r"
        name  Zoë
        note  Arrives with two
              colleagues
        ");
        let (table, lacks) = on_a_terminal(24, &["name"], &record);
        assert_snapshot!(table, @"name  Zoë");
        assert_eq!(
            lacks,
            Lacks {
                fields: lacks.fields.clone(),
                ..Lacks::default()
            }
        );
    }

    #[test]
    fn a_pipe_is_given_no_escapes() {
        let result = json!({ "guests": [{ "name": "A\u{1b}[2Jna\u{7}" }] });
        for format in [Format::Csv, Format::Markdown, Format::Table] {
            let text = written(format, std::slice::from_ref(&result));
            assert!(text.contains("A[2Jna"), "{text}");
            assert!(!text.contains(['\u{1b}', '\u{7}']), "{text}");
        }
        let text = written(Format::Json, &[result]);
        assert!(text.contains("A\\u001b[2Jna\\u0007"), "{text}");
    }

    #[test]
    fn a_terminal_is_given_no_control_characters() {
        let mut out = Vec::new();
        let evil = json!({ "guest": { "name": "\u{1b}]0;owned\u{7}" } });
        for format in [Format::Table, Format::Csv, Format::Markdown, Format::Json] {
            Paper::new(format, Reader::Terminal(Some(80)), &mut out)
                .whole(&evil)
                .expect("written");
        }
        let text = String::from_utf8(out).expect("text");
        assert!(
            !text.chars().any(|c| c.is_control() && c != '\n'),
            "{text:?}"
        );
    }
}
