//! Documents: their text as Markdown, a sheet as a table.

use std::borrow::Cow;

use frontdesk_protocol::{Host, csv};

use crate::records::columns::Column;
use crate::records::record::Record;
use crate::records::view::View;

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("title", "Document"),
        Column::field("kind", "Kind"),
        Column::field("version", "Version"),
        Column::field("updated_at", "Updated"),
        Column::field("updated_by", "By"),
    ],
    covered: &["content"],
    prose: Some(prose),
    ..View::new(Host::Engineering, "documents")
};

/// The text as Markdown: a sheet is a table, a diagram a block of code.
fn prose(document: &Record) -> Option<Cow<'_, str>> {
    let text = document.text("content")?;
    Some(match document.text("kind") {
        Some("sheet") => sheet(text).map_or_else(|| block(text), Cow::Owned),
        Some("diagram") => block(text),
        _ => Cow::Borrowed(text),
    })
}

fn block(text: &str) -> Cow<'_, str> {
    Cow::Owned(format!("~~~~~~\n{text}\n~~~~~~"))
}

/// The table of a CSV text; `None` if it is malformed.
fn sheet(text: &str) -> Option<String> {
    let mut lines = Vec::new();
    for row in csv::rows(text, ',') {
        let row = row.ok()?;
        let cells = row.cells.iter().map(|cell| {
            let cell = cell.replace('\\', "\\\\").replace('|', "\\|");
            cell.lines().collect::<Vec<_>>().join(" ")
        });
        let cells: Vec<String> = cells.collect();
        lines.push(format!("| {} |", cells.join(" | ")));
        if lines.len() == 1 {
            lines.push(format!("|{}", "---|".repeat(cells.len())));
        }
    }
    Some(lines.join("\n"))
}
