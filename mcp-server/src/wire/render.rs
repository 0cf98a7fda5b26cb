//! A tool's result as a document: a text, or a table in CSV.

use serde_json::Value;

use crate::call::Text;

/// The text in a result; `None` if the record is not there.
pub(super) fn text(of: Text, result: &Value) -> Option<String> {
    let record = result.as_object()?.values().next()?;
    if record.is_null() {
        return None;
    }
    let at = |pointer: &str| result.pointer(pointer);
    let body = at(of.body).and_then(Value::as_str).map(str::to_owned);
    let has_heading = body.as_ref().is_some_and(|body| body.starts_with("# "));
    let heading = at(of.heading)
        .and_then(Value::as_str)
        .filter(|_| !has_heading);
    let heading = heading.map(|heading| format!("# {heading}"));
    let items = at(of.items)
        .and_then(Value::as_array)
        .filter(|items| !items.is_empty());
    let items = items.map(|items| items.iter().map(item).collect::<Vec<_>>().join("\n"));
    let parts: Vec<_> = [heading, body, items].into_iter().flatten().collect();
    Some(parts.join("\n\n"))
}

/// A record in a list: its name, with a box if it can be done.
fn item(record: &Value) -> String {
    let word = |field: &str| record[field].as_str().map(str::to_owned);
    let mark = word("status").map(|status| match status == "done" {
        true => "[x]".to_owned(),
        false => "[ ]".to_owned(),
    });
    let names = [word("identifier"), word("name").or_else(|| word("title"))];
    let words: Vec<_> = [mark].into_iter().chain(names).flatten().collect();
    format!("- {}", words.join(" "))
}

/// The lines of a table: its columns, then the fields of each record.
pub(super) fn csv<'a>(columns: &[String], records: impl Iterator<Item = &'a Value>) -> String {
    let mut table = line(
        columns
            .iter()
            .map(|column| cell(&Value::from(column.as_str()))),
    );
    for record in records {
        table += &line(columns.iter().map(|column| cell(&record[column])));
    }
    table
}

fn line(cells: impl Iterator<Item = String>) -> String {
    cells.collect::<Vec<_>>().join(",") + "\r\n"
}

/// A cell. A text that a spreadsheet would read as a formula begins with an apostrophe.
fn cell(value: &Value) -> String {
    let text = match value {
        Value::Null => return String::new(),
        Value::String(text) if text.starts_with(['=', '+', '-', '@', '\t', '\r']) => {
            format!("'{text}")
        }
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    match text.contains(['"', ',', '\r', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_table_quotes_what_needs_it_and_has_no_formula() {
        let columns = ["name", "note", "tags"].map(str::to_owned);
        let records = [
            json!({ "name": "Ana \"A\", Lima", "note": "=1+1", "tags": { "a": 1 } }),
            json!({ "name": "two\nlines", "note": null, "tags": -1 }),
        ];
        let expected = "name,note,tags\r\n\"Ana \"\"A\"\", Lima\",'=1+1,\"{\"\"a\"\":1}\"\r\n\"two\nlines\",,-1\r\n";
        assert_eq!(csv(&columns, records.iter()), expected);
    }
}
