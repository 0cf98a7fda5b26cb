//! Checks of answers against a tool's declaration.

use std::collections::BTreeSet;

use frontdesk_protocol::Declaration;
use serde_json::Value;

use crate::http::Answer;

/// The paths of all keys. All entries of a list share a path; the content of `tags` has none.
fn paths(value: &Value, path: &str, paths_: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) if !path.ends_with(".tags") => {
            for (key, value) in map {
                let path = format!("{path}.{key}");
                paths(value, &path, paths_);
                paths_.insert(path);
            }
        }
        Value::Array(values) => values
            .iter()
            .for_each(|value| paths(value, &format!("{path}[]"), paths_)),
        _ => {}
    }
}

/// Asserts that the answer parses as the declared type, matches the declared schema, and has no
/// undeclared keys. Only a record has a schema: a picture has none.
///
/// # Panics
///
/// If it does not.
#[track_caller]
pub fn fits(tool: &Declaration, answer: &Answer) {
    if !tool.structured {
        return;
    }
    assert_eq!(*answer.output(), answer.text(), "{tool:?}");
    // Every result can have remarks.
    let mut output = answer.text();
    if let Some(output) = output.as_object_mut() {
        output.remove("note");
        output.remove("warnings");
    }
    let output = &output;
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .build(&tool.output_schema())
        .unwrap_or_else(|error| panic!("{tool:?}: {error}"));
    let errors: Vec<_> = validator
        .iter_errors(output)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{tool:?}: {errors:?}: {output}");

    let again = tool
        .reread(output)
        .unwrap_or_else(|error| panic!("{tool:?}: {error}: {output}"));
    let (mut sent, mut read) = (BTreeSet::new(), BTreeSet::new());
    paths(output, "", &mut sent);
    paths(&again, "", &mut read);
    assert_eq!(sent, read, "{tool:?}");
}
