//! The marks of ids, amounts and lists in a schema.
//!
//! An id type marks its schema with the kind of its record. The marks are for programs that link this
//! crate, for example a form with a selection list. Hosts omit them from their lists, where every client
//! would pay for their tokens.

use serde_json::Value;

/// The mark of an id in a schema; its value is the kind of record, for example `guest`.
pub(crate) const MARK: &str = "x-record";
/// The prefix of all marks: extension keywords of JSON Schema.
const MARKS: &str = "x-";
/// The mark of a list in a schema; its value is the key of one of its records.
pub(crate) const SINGULAR: &str = "x-singular";
/// The mark of an amount of money in a schema.
pub(crate) const AMOUNT: &str = "x-amount";

/// The format of a value that is not shown to bystanders. It belongs to JSON Schema, so it is no mark.
pub(crate) const SECRET: &str = "password";

/// The keyword of an argument that travels as a header, too; its value is the end of the header's name. It belongs to the
/// protocol, so it is no mark.
pub(crate) const HEADER: &str = "x-mcp-header";

/// Removes the marks.
pub(crate) fn drop_marks(schema: &mut Value) {
    match schema {
        Value::Object(words) => {
            // `retain` keeps the order of the keywords.
            words.retain(|word, _| word == HEADER || !word.starts_with(MARKS));
            words.values_mut().for_each(drop_marks);
        }
        Value::Array(several) => several.iter_mut().for_each(drop_marks),
        _ => {}
    }
}
