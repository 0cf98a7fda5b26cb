//! The rows of a form, from top to bottom, for a screen to draw.

use crate::field::{Entry, Field};
use crate::kind::Kind;
use crate::path::Path;

/// A row of a form: a field that can be seen.
///
/// A variant and the simple value that was chosen for it are one row: the alternatives are the
/// field's, what was entered is [`Field::leaf`]'s.
#[derive(Debug, Clone)]
pub struct Row<'a> {
    /// Where the field is.
    pub path: Path,
    /// How far in it lies: 0 for the arguments of the tool.
    pub depth: usize,
    /// The field.
    pub field: &'a Field,
    /// Whether what would be sent for it is not what the record has.
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
    // There is nothing to decide about what is required and fixed.
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
