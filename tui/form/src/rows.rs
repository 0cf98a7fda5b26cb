//! The rows of a form, from top to bottom.

use crate::field::{Entry, Field};
use crate::kind::Kind;
use crate::path::Path;

/// A row of a form: a visible field.
///
/// A variant and its chosen simple value share one row: [`Row::field`] has the alternatives,
/// [`Field::leaf`] the entry.
#[derive(Debug, Clone)]
pub struct Row<'a> {
    /// Where the field is.
    pub path: Path,
    /// Nesting depth; 0 for the arguments of the tool.
    pub depth: usize,
    /// The field.
    pub field: &'a Field,
    /// Whether the value to send differs from the record.
    pub changed: bool,
}

/// The rows of `root`.
pub(crate) fn rows(root: &Field) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    let mut path = Path::root();
    let is_plain = !matches!(root.kind(), Kind::Variant(_)) && *root.entry() == Entry::Open;
    if is_plain {
        below(root, &mut path, 0, &mut rows);
    } else {
        add(root, &mut path, 0, &mut rows);
    }
    rows
}

fn add<'a>(field: &'a Field, path: &mut Path, depth: usize, rows: &mut Vec<Row<'a>>) {
    // A required constant needs no row.
    let is_settled = field.is_required()
        && field.is_declared()
        && matches!(field.kind(), Kind::Const(_))
        && matches!(field.entry(), Entry::Chosen(_));
    if is_settled && !path.is_root() {
        return;
    }
    rows.push(Row {
        path: path.clone(),
        depth,
        field,
        changed: false,
    });
    below(field.leaf(), path, depth + 1, rows);
}

fn below<'a>(container: &'a Field, path: &mut Path, depth: usize, rows: &mut Vec<Row<'a>>) {
    if !container.kind().is_container() {
        return;
    }
    for child in container.children() {
        if let Some(segment) = child.segment() {
            path.push(segment.clone());
            add(child, path, depth, rows);
            path.pop();
        }
    }
}
