//! Names that a record has beside the ids of others: `owner_name` beside `owner_id`.

use super::{Field, Is};

/// The fields that can have the name of the record to which a field refers: called after the field, `owner_name` for
/// `owner_id`, or after the kind, `business_unit_name` for `strategy_business_unit_id`.
pub(crate) fn names_of(field: &str, kind: &str) -> [String; 2] {
    let stem = field.strip_suffix("_id").unwrap_or(field);
    [format!("{stem}_name"), format!("{kind}_name")]
}

/// Whether another of these fields is shown as this one: it refers to the record that has this name.
pub(crate) fn is_beside(field: &Field, fields: &[Field]) -> bool {
    field.is == Is::Text
        && fields.iter().any(|other| match &other.is {
            Is::Reference(kind) => names_of(&other.name, kind).contains(&field.name),
            _ => false,
        })
}
