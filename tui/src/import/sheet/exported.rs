//! JSON documents and Markdown tables, as `frontdesk` exports them, as rows of cells.

use std::collections::HashSet;

use frontdesk_protocol::csv::Row;
use serde_json::Value;

use super::{MOST_COLUMNS, SheetError};
use crate::tabular::{Tabular, cell};

/// The records of a JSON document: a list, or a result with one. The line of a row is the number of its record. The
/// first row names the columns. `None` if the
/// text is not JSON.
///
/// # Errors
/// [`SheetError::Json`], or [`SheetError::TooWide`].
pub(super) fn json(text: &str) -> Result<Option<Vec<Row>>, SheetError> {
    if !text.trim_start().starts_with(['{', '[']) {
        return Ok(None);
    }
    let document: Value =
        serde_json::from_str(text).map_err(|error| SheetError::Json(error.to_string()))?;
    let no_list = || SheetError::Json("it has no list of records".to_owned());
    let records = match &document {
        Value::Array(records) => records,
        document => {
            Tabular::of(document)
                .and_then(|shape| shape.list)
                .ok_or_else(no_list)?
                .1
        }
    };
    let records = records.iter().map(Value::as_object);
    let records: Vec<_> = records.collect::<Option<_>>().ok_or_else(no_list)?;
    let mut header: Vec<&str> = Vec::new();
    let mut known = HashSet::new();
    for key in records.iter().flat_map(|record| record.keys()) {
        if known.insert(key.as_str()) {
            header.push(key);
        }
    }
    if header.len() > MOST_COLUMNS {
        return Err(SheetError::TooWide(header.len()));
    }
    let names = header.iter().map(|name| (*name).to_owned());
    let mut rows = vec![Row {
        line: 0,
        cells: names.collect(),
    }];
    for (line, record) in (1..).zip(&records) {
        let cells = header
            .iter()
            .map(|key| record.get(*key).map_or(String::new(), cell));
        let cells = cells.collect();
        rows.push(Row { line, cells });
    }
    Ok(Some(rows))
}

/// The rows of the text's first Markdown table; `None` if it does not begin with one.
pub(super) fn markdown(text: &str) -> Option<Vec<Row>> {
    let mut lines = (1..)
        .zip(text.lines())
        .skip_while(|(_, line)| line.trim().is_empty());
    let (line, header) = lines.next()?;
    let (_, rule) = lines.next()?;
    let is_rule =
        |cell: &str| cell.contains("---") && cell.trim_matches([' ', ':', '-']).is_empty();
    if !cells(rule)?.iter().all(|cell| is_rule(cell)) {
        return None;
    }
    let row = |line, text| {
        Some(Row {
            line,
            cells: cells(text)?,
        })
    };
    let mut rows = vec![row(line, header)?];
    rows.extend(lines.map_while(|(line, text)| row(line, text)));
    Some(rows)
}

/// The cells between the bars of a line.
fn cells(line: &str) -> Option<Vec<String>> {
    let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    let mut cells = vec![String::new()];
    let mut chars = inner.chars();
    while let (Some(char), Some(cell)) = (chars.next(), cells.last_mut()) {
        match char {
            '\\' => cell.extend(chars.next()),
            '|' => cells.push(String::new()),
            char => cell.push(char),
        }
    }
    let text = |cell: &String| cell.trim().replace("<br>", "\n");
    Some(cells.iter().map(text).collect())
}

#[cfg(test)]
mod tests {
    use crate::formats::{Format, Paper, Reader};
    use crate::import::{Sheet, SheetError};
    use serde_json::json;

    #[test]
    fn what_is_exported_is_imported() {
        let guests = json!({ "guests": [
            { "name": "Zoë | two\nlines", "table": 7, "tags": { "code": "A-1" }, "note": null },
            { "name": "=1+1", "table": null, "tags": {}, "note": "back\\slash" },
        ], "has_more": false });
        let mut sheets = Vec::new();
        for format in [Format::Csv, Format::Json, Format::Markdown] {
            let mut out = Vec::new();
            let mut paper = Paper::new(format, Reader::File, &mut out);
            paper.whole(&guests).expect("written");
            let sheet = Sheet::of(&out).unwrap_or_else(|error| panic!("{format:?}: {error}"));
            let rows = sheet.rows.iter().map(|row| {
                let cells = sheet.header.iter().zip(&row.cells);
                cells.collect::<std::collections::BTreeMap<_, _>>()
            });
            sheets.push(format!("{:?}", rows.collect::<Vec<_>>()));
        }
        assert_eq!(sheets[0], sheets[1]);
        assert_eq!(sheets[0], sheets[2]);
    }

    #[test]
    fn a_document_without_records_is_refused() {
        let refused = |text: &str| match Sheet::of(text.as_bytes()) {
            Err(SheetError::Json(reason)) => reason,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(
            refused(r#"{"guest": {"name": "Zoë"}}"#),
            "it has no list of records"
        );
        assert_eq!(refused("[1, 2]"), "it has no list of records");
        assert!(refused("[{").contains("EOF"));
    }
}
